//! The file upload handler: an XML header that ends in `<data>`, and then the bytes of a file.
//!
//! A file is taken if it has a certificate of ours for its very name and size, and its result is
//! under way. The header is looked at before the bytes are read.

use std::pin::Pin;

use axum::Extension;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serving::Client;

use super::LARGEST_LEMMA_FILE;
use super::door::{BoincDoor, Inside, xml};
use super::keys::md5_text;
use super::reply::{certificate, result_of_file};
use super::xml::{XmlElement, XmlError, XmlText};
use crate::record::UploadState;

/// What a client wants of the handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UploadRequest {
    /// How much of a file is there.
    Size(String),
    /// A piece of a file, which begins at this byte of the request.
    Piece(UploadHeader, usize),
}

/// What stands before the bytes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadHeader {
    /// Its name.
    pub name: String,
    /// How large it may be.
    pub most: u64,
    /// Our signature of both.
    pub signature: String,
    /// How large it is.
    pub size: u64,
    /// Where the piece begins.
    pub offset: u64,
    /// The MD5 of the whole.
    pub md5: String,
}

/// No header has more bytes.
const LARGEST_HEADER: usize = 16 << 10;
const MARK: &[u8] = b"<data>\n";

impl UploadRequest {
    /// Reads the beginning of a request; `None` if more of it is needed.
    ///
    /// # Errors
    /// If it is no such message.
    pub fn read(bytes: &[u8], is_all: bool) -> Result<Option<UploadRequest>, XmlError> {
        let start = &bytes[..bytes.len().min(LARGEST_HEADER)];
        let mark = start.windows(MARK.len()).position(|window| window == MARK);
        if mark.is_none() && !is_all && bytes.len() < LARGEST_HEADER {
            return Ok(None);
        }
        let (text, data) = match mark {
            Some(at) => {
                let closed = b"</data></file_upload></data_server_request>";
                ([&start[..at + MARK.len()], closed].concat(), at + MARK.len())
            }
            None => (start.to_vec(), 0),
        };
        let top = XmlElement::read_message(&text, "data_server_request")?;
        if let Some(upload) = top.child("file_upload").filter(|_| mark.is_some()) {
            return Ok(Some(UploadRequest::Piece(header(upload), data)));
        }
        match top.child("get_file_size") {
            Some(size) => Ok(Some(UploadRequest::Size(size.text.clone()))),
            None => Err(XmlError::Other("file_upload or get_file_size")),
        }
    }
}

fn header(upload: &XmlElement) -> UploadHeader {
    let info = upload.child("file_info").cloned().unwrap_or_default();
    let number = |of: &XmlElement, name: &str| {
        of.whole_of(name).and_then(|number| u64::try_from(number).ok()).unwrap_or(u64::MAX)
    };
    UploadHeader {
        name: info.text_of("name").to_owned(),
        most: number(&info, "max_nbytes"),
        signature: info.text_of("xml_signature").to_owned(),
        size: number(upload, "nbytes"),
        offset: number(upload, "offset"),
        md5: upload.text_of("md5_cksum").to_owned(),
    }
}

/// What the handler says: done, try again, or never.
enum Said {
    Done,
    Size(u64),
    Again(&'static str),
    Never(&'static str),
}

pub(super) async fn handle(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let most = LARGEST_HEADER + LARGEST_LEMMA_FILE as usize;
    let room = match door.room(client, &headers, most) {
        Ok(room) => room,
        Err(refusal) => return refusal.into_response(),
    };
    let taking = taken(&door, client, body);
    let said = match tokio::time::timeout(door.body_time(), taking).await {
        Ok(said) => said,
        Err(_) => Said::Again("the upload took too long"),
    };
    drop(room);
    let mut text = XmlText::new("data_server_reply");
    match said {
        Said::Done => text.value("status", 0),
        Said::Size(size) => text.value("status", 0).value("file_size", size),
        Said::Again(why) => text.value("status", 1).value("message", why),
        Said::Never(why) => {
            tracing::info!(%why, from = %client.address, "an upload is refused");
            text.value("status", -1).value("message", why)
        }
    };
    xml(text.finish("data_server_reply"))
}

async fn taken(door: &BoincDoor, client: Client, mut body: Body) -> Said {
    let mut bytes = Vec::new();
    let mut is_all = false;
    let (header, data) = loop {
        match UploadRequest::read(&bytes, is_all) {
            Ok(Some(UploadRequest::Size(name))) => {
                let size = move |inside: &Inside, _| inside.scheduler.record.upload_size(&name);
                return match door.call(client, size).await {
                    Some(Ok(size)) => Said::Size(size),
                    _ => Said::Again("the project is busy"),
                };
            }
            Ok(Some(UploadRequest::Piece(header, data))) => break (header, data),
            Ok(None) => is_all = !more(&mut body, &mut bytes).await,
            Err(_) => return Said::Never("this is no upload"),
        }
    };
    let checked = header.clone();
    let check = move |inside: &Inside, _| inside.check_certificate(&checked);
    match door.call(client, check).await {
        Some(Ok(())) => {}
        Some(Err(why)) => return Said::Never(why),
        None => return Said::Again("the project is busy"),
    }
    let wanted = data + (header.size - header.offset) as usize;
    while bytes.len() < wanted {
        if !more(&mut body, &mut bytes).await {
            return Said::Again("the upload was cut off");
        }
    }
    if bytes.len() > wanted {
        return Said::Never("there is more than was announced");
    }
    bytes.drain(..data);
    let take = move |inside: &Inside, _| inside.take(&header, &bytes);
    door.call(client, take).await.unwrap_or(Said::Again("the project is busy"))
}

/// Whether there was more.
async fn more(body: &mut Body, bytes: &mut Vec<u8>) -> bool {
    loop {
        let frame = std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await;
        match frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    bytes.extend_from_slice(data);
                    return true;
                }
            }
            Some(Err(_)) | None => return false,
        }
    }
}

impl Inside {
    fn check_certificate(&self, header: &UploadHeader) -> Result<(), &'static str> {
        let UploadHeader { name, most, signature, size, offset, .. } = header;
        let key = self.scheduler.upload_key.public();
        if *most > LARGEST_LEMMA_FILE || !key.verify(certificate(name, *most).as_bytes(), signature)
        {
            return Err("the certificate is not ours");
        }
        if size > most || offset > size {
            return Err("the file is too large");
        }
        Ok(())
    }

    fn take(&self, header: &UploadHeader, piece: &[u8]) -> Said {
        let record = &self.scheduler.record;
        let Some(result) = result_of_file(&header.name) else {
            return Said::Never("this is no file of a result");
        };
        let &UploadHeader { ref name, size, offset, ref md5, .. } = header;
        let is_whole = offset == 0 && piece.len() as u64 == size;
        if is_whole && !md5.is_empty() && md5_text(piece) != *md5 {
            return Said::Again("the file was changed on the way");
        }
        match record.take_upload(name, result, size, offset, piece) {
            Ok(UploadState::Has(there)) if there == size => Said::Done,
            Ok(UploadState::Has(_)) => Said::Again("there is more to come"),
            Ok(UploadState::Elsewhere(_)) => Said::Again("the piece does not fit"),
            // It is answered already, or gone: the client need not keep it.
            Ok(UploadState::Unwanted) => Said::Done,
            Err(error) => {
                tracing::warn!(%error, "an upload is not taken yet");
                Said::Again("the project is busy")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "<data_server_request>\n    <core_client_major_version>7\
        </core_client_major_version>\n<file_upload>\n<file_info>\n<name>r_1_r0</name>\n\
        <xml_signature>\nabcd\n.\n</xml_signature>\n<max_nbytes>100000.000000</max_nbytes>\n\
        </file_info>\n<nbytes>9.000000</nbytes>\n<md5_cksum>00</md5_cksum>\n<offset>0</offset>\n\
        <data>\n";

    #[test]
    fn headers_are_read() {
        let bytes = format!("{REAL}<data>\n12");
        let read = UploadRequest::read(bytes.as_bytes(), false).unwrap().unwrap();
        let UploadRequest::Piece(header, at) = read else { panic!("{read:?}") };
        assert_eq!(at, REAL.len());
        assert_eq!(
            (&*header.name, header.most, header.size, header.offset),
            ("r_1_r0", 100_000, 9, 0)
        );
        assert_eq!(header.signature, "abcd\n.");
        assert_eq!(UploadRequest::read(&REAL.as_bytes()[..200], false), Ok(None));
        assert!(UploadRequest::read(&REAL.as_bytes()[..200], true).is_err());
        let size = b"<data_server_request><get_file_size>x</get_file_size></data_server_request>";
        assert_eq!(UploadRequest::read(size, true), Ok(Some(UploadRequest::Size("x".to_owned()))));
        assert!(UploadRequest::read(&vec![b'x'; LARGEST_HEADER], false).is_err());
    }

    #[test]
    fn damaged_headers_are_read_or_refused() {
        let mut rng = game::Rng::new(26);
        for _ in 0..20_000 {
            let mut bytes = REAL.as_bytes().to_vec();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = rng.next_u64() as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b"<>&/"[rng.below(4)]),
                }
            }
            if let Ok(Some(UploadRequest::Piece(_, at))) = UploadRequest::read(&bytes, true) {
                assert!(at <= bytes.len());
            }
        }
    }
}
