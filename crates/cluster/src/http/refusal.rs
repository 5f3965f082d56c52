//! [`DoorRefusal`]: why a request is not granted, as a status and one line.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serving::{Full, TooOften};

use crate::door::DoorError;
use crate::wire::{ErrorCode, ErrorJson, WireError};

#[derive(Clone, Debug)]
pub(crate) struct DoorRefusal {
    status: StatusCode,
    code: ErrorCode,
    error: String,
    /// When to ask again, in seconds.
    again: Option<u32>,
}

impl DoorRefusal {
    pub(super) fn new(status: StatusCode, code: ErrorCode, error: impl Into<String>) -> Self {
        DoorRefusal { status, code, error: error.into(), again: None }
    }

    /// Worth asking again.
    pub(super) fn busy(error: impl Into<String>) -> DoorRefusal {
        let refusal = DoorRefusal::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, error);
        DoorRefusal { again: Some(5), ..refusal }
    }

    pub(super) fn too_large(error: impl Into<String>) -> DoorRefusal {
        DoorRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge, error)
    }
}

pub(super) fn code(full: Full) -> ErrorCode {
    match full {
        Full::Each => ErrorCode::TooOften,
        Full::All => ErrorCode::Busy,
    }
}

impl From<Full> for DoorRefusal {
    fn from(full: Full) -> DoorRefusal {
        let refusal = DoorRefusal::new(full.status(), code(full), full.to_string());
        DoorRefusal { again: Some(5), ..refusal }
    }
}

impl From<TooOften> for DoorRefusal {
    fn from(often: TooOften) -> DoorRefusal {
        let status = StatusCode::TOO_MANY_REQUESTS;
        let refusal = DoorRefusal::new(status, ErrorCode::TooOften, often.to_string());
        DoorRefusal { again: Some(5), ..refusal }
    }
}

impl From<WireError> for DoorRefusal {
    fn from(error: WireError) -> DoorRefusal {
        match error {
            WireError::TooLarge { .. } => DoorRefusal::too_large(error.to_string()),
            _ => DoorRefusal::new(StatusCode::BAD_REQUEST, ErrorCode::Malformed, error.to_string()),
        }
    }
}

impl From<DoorError> for DoorRefusal {
    fn from(error: DoorError) -> DoorRefusal {
        match error {
            DoorError::UnknownToken => DoorRefusal::new(
                StatusCode::UNAUTHORIZED,
                ErrorCode::UnknownToken,
                error.to_string(),
            ),
            // What it says in full is for whoever runs it: it may name hosts and accounts.
            DoorError::Record(_) => {
                tracing::error!(%error, "a call of the record failed");
                let text = "the record of the project does not answer; please ask again later";
                DoorRefusal { code: ErrorCode::Record, ..DoorRefusal::busy(text) }
            }
        }
    }
}

/// How one is to say who one is.
const SCHEME: (HeaderName, HeaderValue) =
    (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));

impl IntoResponse for DoorRefusal {
    fn into_response(self) -> Response {
        let DoorRefusal { status, code, error, again } = self;
        let mut response = (status, Json(ErrorJson { error, code })).into_response();
        response.extensions_mut().insert(code);
        let headers = response.headers_mut();
        headers.extend(again.map(|seconds| (header::RETRY_AFTER, seconds.into())));
        headers.extend((status == StatusCode::UNAUTHORIZED).then_some(SCHEME));
        response
    }
}
