//! Files that clients download: programs and units, whole or in part.

use std::sync::{Mutex, PoisonError};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serving::{Client, single};

use super::door::{BoincDoor, Inside, plain};
use super::reply::unit_of_file;
use crate::record::RecordError;

/// Programs that were asked for lately.
#[derive(Debug, Default)]
pub(super) struct FileCache(Mutex<Vec<(String, Bytes)>>);

/// So many are kept.
const MOST_FILES: usize = 6;

impl Inside {
    fn file(&self, name: &str) -> Result<Option<Bytes>, RecordError> {
        if let Some(unit) = unit_of_file(name) {
            return Ok(self.scheduler.record.unit_bytes(unit)?.map(Bytes::from));
        }
        let known = || self.files.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = known().iter().find(|(file, _)| file == name) {
            return Ok(Some(bytes.clone()));
        }
        let Some(bytes) = self.scheduler.record.app_file(name)?.map(Bytes::from) else {
            return Ok(None);
        };
        let mut known = known();
        known.insert(0, (name.to_owned(), bytes.clone()));
        known.truncate(MOST_FILES);
        Ok(Some(bytes))
    }
}

pub(super) async fn download(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    file: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let missing = || plain(StatusCode::NOT_FOUND, "there is no such file");
    let Ok(Path(file)) = file else { return missing() };
    if file.len() > 250 {
        return missing();
    }
    match door.call(client, move |inside, _| inside.file(&file)).await {
        Some(Ok(Some(bytes))) => part(bytes, single(&headers, &header::RANGE)),
        Some(Ok(None)) => missing(),
        Some(Err(error)) => {
            tracing::warn!(%error, "a file cannot be had");
            plain(StatusCode::SERVICE_UNAVAILABLE, "please come back later")
        }
        None => plain(StatusCode::SERVICE_UNAVAILABLE, "too many ask at once; please come back"),
    }
}

/// What of a file was asked for.
fn part(bytes: Bytes, range: Option<&str>) -> Response {
    let kind = (header::CONTENT_TYPE, "application/octet-stream".to_owned());
    let ranges = (header::ACCEPT_RANGES, "bytes".to_owned());
    let length = bytes.len();
    match range.map(|range| read_range(range, length)) {
        None | Some(Wanted::All) => ([kind, ranges], bytes).into_response(),
        Some(Wanted::Part(first, last)) => {
            let told = (header::CONTENT_RANGE, format!("bytes {first}-{last}/{length}"));
            let part = bytes.slice(first..=last);
            (StatusCode::PARTIAL_CONTENT, [kind, ranges, told], part).into_response()
        }
        Some(Wanted::Nothing) => {
            let told = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
            (StatusCode::RANGE_NOT_SATISFIABLE, told).into_response()
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    All,
    Part(usize, usize),
    Nothing,
}

/// One range; what is not understood asks for all, as HTTP says.
fn read_range(range: &str, length: usize) -> Wanted {
    let Some((first, last)) = range.trim().strip_prefix("bytes=").and_then(|r| r.split_once('-'))
    else {
        return Wanted::All;
    };
    let (first, last) = (first.trim(), last.trim());
    let number = |text: &str| text.parse::<usize>().ok();
    match (number(first), number(last)) {
        (Some(first), _) if first >= length => Wanted::Nothing,
        (Some(first), Some(last)) if last >= first => Wanted::Part(first, last.min(length - 1)),
        (Some(first), None) if last.is_empty() => Wanted::Part(first, length - 1),
        (None, Some(count)) if first.is_empty() && count > 0 && length > 0 => {
            Wanted::Part(length.saturating_sub(count), length - 1)
        }
        _ => Wanted::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_http_has_them() {
        for (range, right) in [
            ("bytes=0-", Wanted::Part(0, 9)),
            ("bytes=4-", Wanted::Part(4, 9)),
            ("bytes=4-6", Wanted::Part(4, 6)),
            ("bytes=4-600", Wanted::Part(4, 9)),
            ("bytes=-3", Wanted::Part(7, 9)),
            ("bytes=-300", Wanted::Part(0, 9)),
            ("bytes=10-", Wanted::Nothing),
            ("bytes=99999999999999999999-", Wanted::All),
            ("bytes=6-4", Wanted::All),
            ("bytes=0-1,3-4", Wanted::All),
            ("lines=0-1", Wanted::All),
            ("bytes=--", Wanted::All),
        ] {
            assert_eq!(read_range(range, 10), right, "{range}");
        }
        assert_eq!(read_range("bytes=0-", 0), Wanted::Nothing);
        assert_eq!(read_range("bytes=-3", 0), Wanted::All);
    }
}
