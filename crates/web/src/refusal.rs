//! [`Refusal`]: why something was not done, in one line that whoever asked can act on.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use game::TextError;
use serde::Serialize;
use serving::{AdminRefusal, Full, TooOften};

/// A request that was not granted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub(crate) struct Refusal {
    status: StatusCode,
    why: String,
    /// Where in the text that was sent the trouble begins, counted in characters.
    character: Option<usize>,
}

/// As it is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Refusal"))]
pub(crate) struct Body<'r> {
    pub(crate) error: &'r str,
    pub(crate) character: Option<usize>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> Refusal {
        Refusal { status, why: why.into(), character: None }
    }

    /// What was asked for makes no sense.
    pub(crate) fn bad(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, why)
    }

    /// Not by this one.
    pub(crate) fn forbidden(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, why)
    }

    /// It made sense, but not now.
    pub(crate) fn conflict(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, why)
    }

    /// Text that cannot be read, with what it was meant to be.
    pub(crate) fn text(what: &str, error: &TextError) -> Refusal {
        let refusal = Refusal::bad(format!("{what} {error}"));
        Refusal { character: error.character(), ..refusal }
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// As it is sent.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(&self.body()).expect("a refusal is JSON")
    }

    pub(crate) fn body(&self) -> Body<'_> {
        Body { error: &self.why, character: self.character }
    }
}

impl From<Full> for Refusal {
    fn from(full: Full) -> Refusal {
        Refusal::new(full.status(), full.to_string())
    }
}

impl From<AdminRefusal> for Refusal {
    fn from(refusal: AdminRefusal) -> Refusal {
        Refusal::new(refusal.status(), refusal.to_string())
    }
}

impl From<TooOften> for Refusal {
    fn from(often: TooOften) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, often.to_string())
    }
}

impl From<crate::store::TableStoreError> for Refusal {
    fn from(error: crate::store::TableStoreError) -> Refusal {
        tracing::error!(%error, "the store failed");
        let why = match &error {
            crate::store::TableStoreError::Gap(_) => error.to_string(),
            _ => "the game could not be saved or read".to_owned(),
        };
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}
