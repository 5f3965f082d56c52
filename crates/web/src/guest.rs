//! [`Guest`]: whoever asks, and what is done for them: work in its turn, and answers that are not left lying about.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use serving::{AdminRefusal, Client, Taken};

use crate::guard::Door;
use crate::house::House;
use crate::refusal::Refusal;

/// Somebody who asks.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) door: Door,
    /// From where: an address, or the network of one.
    pub(crate) from: IpAddr,
    /// Whether it is the admin, or why not.
    pub(crate) admin: Result<(), AdminRefusal>,
}

impl FromRequestParts<Door> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Guest, Infallible> {
        let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let client = parts.extensions.get::<Client>().copied();
        let client = client.unwrap_or(Client { address: nowhere, network: nowhere });
        let admin = door.admin.check(&parts.method, &parts.headers, client);
        Ok(Guest { door: door.clone(), from: client.network, admin })
    }
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, String)>,
    pub(crate) body: Vec<u8>,
}

/// An answer in JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Answer, Refusal> {
    let body = serde_json::to_vec(value).map_err(|_| wrong())?;
    let headers = vec![(header::CONTENT_TYPE, "application/json".to_owned())];
    Ok(Answer { status: StatusCode::OK, headers, body })
}

/// The bytes of an answer, with the room that they take until the last of them is sent.
struct Waiting {
    bytes: Vec<u8>,
    _room: Taken,
}

impl AsRef<[u8]> for Waiting {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Guest {
    /// Whether it may have programs started that are not ours: where others come in they are for the admin,
    /// since nothing here bounds what they take.
    pub(crate) fn may_start_engines(&self) -> Result<(), AdminRefusal> {
        if self.door.guest_engines { Ok(()) } else { self.admin }
    }

    /// Answers with what some work finds; it is refused while too much waits to be taken by the same address.
    pub(crate) async fn ask(
        &self,
        work: impl FnOnce(&Arc<House>) -> Result<Answer, Refusal> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let Answer { status, headers, body } = self.work(work).await?;
        let room = self.door.rooms.kilobytes.try_take(self.from, kilobytes(body.len()))?;
        let bytes = Bytes::from_owner(Waiting { bytes: body, _room: room });
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = status;
        for (name, value) in headers {
            let value = HeaderValue::from_str(&value).map_err(|_| wrong())?;
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }

    /// Work that takes a while or waits for the disk: in its turn, or refused if too much of the same address waits.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<House>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _waiting = self.door.rooms.waiting.try_take(self.from, 1)?;
        self.work_in_turn(work).await
    }

    /// The same for those who ask one thing after the other, as sockets do: they wait.
    pub(crate) async fn work_in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<House>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.door.rooms.work.take(self.from, 1).await.ok_or_else(wrong)?;
        let house = Arc::clone(&self.door.house);
        // It goes on when nobody waits for it any more, and so does its turn.
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&house)
        });
        done.await.map_err(|_| wrong())?
    }
}

/// At least one.
pub(crate) fn kilobytes(bytes: usize) -> usize {
    bytes.div_ceil(1024).max(1)
}

fn wrong() -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, ServerOptions, Share, VisitorLimits};

    async fn door(limits: VisitorLimits) -> Door {
        let options = ServerOptions { port: Some(0), limits, ..ServerOptions::default() };
        Server::bind(options).await.unwrap().door
    }

    fn guest(door: &Door, last: u8) -> Guest {
        Guest { door: door.clone(), from: IpAddr::from([10, 0, 0, last]), admin: Ok(()) }
    }

    #[tokio::test]
    async fn one_who_asks_for_much_work_leaves_the_others_theirs() {
        let limits = VisitorLimits {
            work: Share { each: 1, all: 2 },
            waiting: Share { each: 2, all: 9 },
            ..VisitorLimits::default()
        };
        let door = door(limits).await;
        let (release, held) = std::sync::mpsc::channel::<()>();
        let one = guest(&door, 1);
        let long = tokio::spawn(async move { one.work(move |_| Ok(held.recv().is_ok())).await });
        let one = guest(&door, 1);
        let next = tokio::spawn(async move { one.work(|_| Ok(())).await });
        // Both are under way once there is no room for a third.
        while door.rooms.waiting.try_take(IpAddr::from([10, 0, 0, 1]), 1).is_ok() {
            tokio::task::yield_now().await;
        }
        let refused = guest(&door, 1).work(|_| Ok(())).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.to_string().contains("wait a little"), "{refused}");
        assert_eq!(guest(&door, 2).work(|_| Ok(7)).await, Ok(7));
        assert!(!next.is_finished(), "its turn comes after the first");
        release.send(()).unwrap();
        assert_eq!(long.await.unwrap(), Ok(true));
        assert_eq!(next.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn answers_that_nobody_takes_are_not_piled_up() {
        let kilobytes = Share { each: 100, all: 150 };
        let door = door(VisitorLimits { kilobytes, ..VisitorLimits::default() }).await;
        let (one, two) = (guest(&door, 1), guest(&door, 2));
        let large = async |guest: &Guest| guest.ask(|_| json(&"x".repeat(60_000))).await;
        let kept = large(&one).await.unwrap();
        let refused = large(&one).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(large(&two).await.is_ok());
        // What is taken apart is still there until its last byte is gone.
        let bytes = axum::body::to_bytes(kept.into_body(), usize::MAX).await.unwrap();
        let rest = bytes.slice(1000..);
        drop(bytes);
        assert!(large(&one).await.is_err());
        drop(rest);
        assert!(large(&one).await.is_ok());
    }
}
