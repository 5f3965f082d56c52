//! The page itself, built into the program.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;
use serving::single;

/// A file of the page, as it is and compressed.
pub(crate) struct Asset {
    path: &'static str,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

const ABSENT: &str = "This program was built without its page. With Node.js 20 or newer and npm installed, build it \
                      again: the page is built along with it. The JSON interface works all the same.\n";

/// Whether there is a page.
pub(crate) fn is_there() -> bool {
    !ASSETS.is_empty()
}

/// A file of the page. Only names in the list are known, so no path leads out of it.
pub(crate) async fn get(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        if path == "index.html" {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            return (StatusCode::SERVICE_UNAVAILABLE, kind, ABSENT).into_response();
        }
        return Refusal::new(StatusCode::NOT_FOUND, "there is nothing here").into_response();
    };
    let takes_gzip = single(&headers, &header::ACCEPT_ENCODING)
        .is_some_and(|all| all.split(',').any(|one| one.trim() == "gzip"));
    // Names of built files hold a hash of what is in them.
    let keep = match path.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers = [
        (header::CONTENT_TYPE, kind_of(path)),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "Accept-Encoding"),
    ];
    match asset.gzip.filter(|_| takes_gzip) {
        Some(gzip) => (headers, [(header::CONTENT_ENCODING, "gzip")], gzip).into_response(),
        None => (headers, asset.bytes).into_response(),
    }
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
