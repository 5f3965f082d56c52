//! Signing in and out.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Extension, FromRequest, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::sessions::{cookie, set_cookie};
use super::{Admin, AdminRefusal, RefusalJson, file, is_of_other_site};
use crate::clients::{Client, single};

/// A token, with room.
const LARGEST: usize = 1024;
/// A body must be there by then.
const PATIENCE: Duration = Duration::from_secs(15);

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

#[derive(Deserialize)]
struct SignIn {
    token: String,
}

#[derive(Serialize)]
struct SessionJson {
    /// Whether whoever asks is the admin.
    admin: bool,
    /// Whether others than the machine's own users can come in.
    open: bool,
}

impl Admin {
    /// `/admin`, a page to sign in at, and `/api/admin/session` behind it: GET tells, POST signs in,
    /// DELETE signs out. Requests have their [`Client`] as an extension.
    pub fn routes<S: Clone + Send + Sync + 'static>(self: &Arc<Self>) -> Router<S> {
        let page = |kind: &'static str, text: &'static str| {
            get(move || async move {
                let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
                (headers, [(header::CONTENT_SECURITY_POLICY, POLICY)], text)
            })
        };
        let session = get(tell).post(sign_in).delete(sign_out);
        Router::new()
            .route("/admin", page("text/html; charset=utf-8", PAGE))
            .route("/admin.js", page("text/javascript; charset=utf-8", SCRIPT))
            .route("/api/admin/session", session.layer(DefaultBodyLimit::max(LARGEST)))
            .with_state(Arc::clone(self))
    }
}

const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn tell(
    State(admin): State<Arc<Admin>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Response {
    let told = match admin.check(&Method::GET, &headers, client) {
        Ok(()) => SessionJson { admin: true, open: admin.is_open() },
        Err(AdminRefusal::Missing) => SessionJson { admin: false, open: admin.is_open() },
        Err(refusal) => return refusal.into_response(),
    };
    ([(header::CACHE_CONTROL, "no-store")], Json(told)).into_response()
}

async fn sign_in(
    State(admin): State<Arc<Admin>>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Response> {
    let headers = request.headers();
    if is_of_other_site(headers) {
        return Err(AdminRefusal::OtherSite.into_response());
    }
    // That it must say so keeps forms of other pages out as well.
    let kind = single(headers, &header::CONTENT_TYPE).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(bad(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be application/json"));
    }
    admin.wrong.take(client.network).map_err(|often| AdminRefusal::from(often).into_response())?;
    let read = tokio::time::timeout(PATIENCE, Bytes::from_request(request, &())).await;
    let slow = |_| bad(StatusCode::REQUEST_TIMEOUT, "the body did not come");
    let bytes = read.map_err(slow)?.map_err(IntoResponse::into_response)?;
    let wrong = |_| bad(StatusCode::BAD_REQUEST, "{\"token\": \"…\"} is right");
    let SignIn { token } = serde_json::from_slice(&bytes).map_err(wrong)?;
    let hash = admin.hash();
    let Some(hash) = hash.filter(|hash| file::is_equal(hash, &file::hash_of(token.trim()))) else {
        return Err(AdminRefusal::Wrong.into_response());
    };
    let failed = |_| bad(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here");
    let value = file::random_text().map_err(failed)?;
    admin.sessions().enter(&value, hash);
    tracing::info!(from = %client.address, "the admin has signed in");
    Ok(with_cookie(Some(&value), admin.options.is_encrypted))
}

async fn sign_out(
    State(admin): State<Arc<Admin>>,
    headers: HeaderMap,
) -> Result<Response, AdminRefusal> {
    if is_of_other_site(&headers) {
        return Err(AdminRefusal::OtherSite);
    }
    if let Some(cookie) = cookie(&headers) {
        admin.sessions().forget(&cookie);
    }
    Ok(with_cookie(None, admin.options.is_encrypted))
}

fn with_cookie(value: Option<&str>, is_encrypted: bool) -> Response {
    let cookie = [(header::SET_COOKIE, set_cookie(value, is_encrypted))];
    (StatusCode::NO_CONTENT, [(header::CACHE_CONTROL, "no-store")], cookie).into_response()
}

fn bad(status: StatusCode, error: &str) -> Response {
    (status, Json(RefusalJson { error: error.to_owned() })).into_response()
}
