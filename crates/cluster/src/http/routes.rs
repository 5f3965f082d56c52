//! The paths of the protocol.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{get, post, put};
use axum::{Json, Router, middleware};
use solve::message::UnitId;
use solve::store::Receipt;

use super::guest::{Guest, Reception, pass};
use super::refusal::DoorRefusal;
use crate::door::{Handed, Refused, Visitor, WorkDoor};
use crate::wire::{
    AboutJson, DeliverRequest, ErrorCode, LARGEST_JSON, LARGEST_LEMMA, LeaseAnswer, LeaseRequest,
    PROTOCOL, ReceiptJson, ReleaseAnswer, ReleaseRequest, RenewAnswer, RenewRequest, UnitIdText,
    read,
};

/// Who finds no work waits here for so many milliseconds before each further look: for a worker that
/// asks, the coordinator makes a unit at once.
const LOOKS: [u64; 4] = [100, 200, 300, 400];

type Answer<T> = Result<Json<T>, DoorRefusal>;

/// The protocol, and whatever else there is.
pub(super) fn router(reception: Reception, more: Router) -> Router {
    let protocol = Router::new()
        .route("/about", get(about))
        .route("/lease", post(lease))
        .route("/renew", post(renew))
        .route("/release", post(release))
        .route("/deliver", post(deliver))
        .route("/lemma/{unit}/{attempt}", put(lemma))
        .method_not_allowed_fallback(wrong_method)
        .fallback(nothing_here);
    let doors = Router::new().nest("/api/v1", protocol).with_state(reception.clone());
    // Whoever brings a fallback of its own keeps it.
    let all = match more.has_routes() {
        true => doors.merge(more),
        false => doors.fallback(nothing_here),
    };
    all.layer(middleware::from_fn_with_state(reception, pass))
}

async fn about(State(reception): State<Reception>) -> Json<AboutJson> {
    Json((*reception.about).clone())
}

async fn lease(guest: Guest, headers: HeaderMap, body: Body) -> Answer<LeaseAnswer> {
    let sent = guest.read(&headers, body, LARGEST_JSON).await?;
    let asked: LeaseRequest = read(&sent.bytes)?;
    drop(sent);
    let versions: Vec<_> =
        asked.versions.into_iter().map(|(family, version)| (family, version.0)).collect();
    let megabytes = asked.megabytes;
    let problems = guest.problems();
    let mut looks = LOOKS.into_iter();
    let (handed, position) = loop {
        let (versions, problems) = (versions.clone(), Arc::clone(&problems));
        let lease = move |door: &dyn WorkDoor, who: &Visitor| {
            let handed = door.lease(who, &versions, megabytes)?;
            let position = match &handed {
                Handed::Unit(lease, _) => problems.position(&lease.unit),
                _ => None,
            };
            Ok((handed, position))
        };
        let answer = guest.call(lease).await?;
        match (&answer.0, looks.next()) {
            (Handed::Later(_), Some(milliseconds)) => {
                tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            }
            _ => break answer,
        }
    };
    guest.counters().leased(match &handed {
        Handed::Unit(..) => "unit",
        Handed::Later(_) => "later",
        Handed::Refused(Refused::OtherVersion(_)) => "other_version",
        Handed::Refused(Refused::TooMany(_)) => "too_many",
        Handed::Refused(Refused::Quota(_)) => "quota",
        Handed::Refused(Refused::Memory(_)) => "memory",
        Handed::Refused(Refused::Banned) => "banned",
        Handed::Refused(Refused::Over) => "over",
    });
    Ok(Json(match handed {
        Handed::Unit(lease, seconds) => LeaseAnswer::unit(&lease, position, seconds),
        Handed::Later(seconds) => LeaseAnswer::Later { seconds },
        Handed::Refused(refused) => LeaseAnswer::refused(&refused, guest.upgrade()),
    }))
}

async fn renew(guest: Guest, headers: HeaderMap, body: Body) -> Answer<RenewAnswer> {
    let sent = guest.read(&headers, body, LARGEST_JSON).await?;
    let asked: RenewRequest = read(&sent.bytes)?;
    asked.check()?;
    let units: Vec<(UnitId, u32)> =
        asked.units.iter().map(|known| (known.unit.0, known.attempt)).collect();
    let wanted = guest.call(move |door, who| door.renew(who, &units)).await?;
    Ok(Json(RenewAnswer { wanted }))
}

async fn release(guest: Guest, headers: HeaderMap, body: Body) -> Answer<ReleaseAnswer> {
    let sent = guest.read(&headers, body, LARGEST_JSON).await?;
    let ReleaseRequest { unit, attempt } = read(&sent.bytes)?;
    guest.call(move |door, who| door.release(who, unit.0, attempt)).await?;
    Ok(Json(ReleaseAnswer {}))
}

async fn deliver(guest: Guest, headers: HeaderMap, body: Body) -> Answer<ReceiptJson> {
    let sent = guest.read(&headers, body, LARGEST_JSON).await?;
    let delivered: DeliverRequest = read(&sent.bytes)?;
    let (report, error) = delivered.check()?;
    let error = error.map(str::to_owned);
    if let Some(error) = &error {
        let (unit, error) = (report.unit, game::shown(error));
        tracing::warn!(%unit, %error, "a worker tells of a fault");
    }
    let receipt = guest.call(move |door, who| {
        let receipt = door.deliver(who, &report.encode())?;
        if let (Some(error), Receipt::Taken) = (error, &receipt) {
            door.explain(who, report.unit, report.attempt, &error)?;
        }
        Ok(receipt)
    });
    Ok(counted(&guest, receipt.await?))
}

async fn lemma(
    guest: Guest,
    place: Result<Path<(String, u32)>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Answer<ReceiptJson> {
    let Ok(Path((unit, attempt))) = place else { return Err(missing()) };
    let UnitIdText(unit) = unit.parse()?;
    // What is large is only read from those who are let in.
    guest.call(|_, _| Ok(())).await?;
    let sent = guest.read(&headers, body, LARGEST_LEMMA).await?;
    let kept =
        move |door: &dyn WorkDoor, who: &Visitor| door.keep_lemma(who, unit, attempt, &sent.bytes);
    Ok(counted(&guest, guest.call(kept).await?))
}

fn counted(guest: &Guest, receipt: Receipt) -> Json<ReceiptJson> {
    guest.counters().delivered(receipt == Receipt::Taken);
    Json(receipt.into())
}

/// What is wrong with a path of an older or a newer protocol.
pub(super) fn other_version(path: &str) -> Option<DoorRefusal> {
    let version = path.strip_prefix("/api/v")?.split('/').next()?.parse::<u32>().ok()?;
    let right = format!("this server speaks version {PROTOCOL} of the protocol");
    let (status, error) = match version.cmp(&PROTOCOL) {
        Ordering::Equal => return None,
        Ordering::Less => {
            (StatusCode::UPGRADE_REQUIRED, format!("{right}; please get a newer worker"))
        }
        Ordering::Greater => {
            let error = format!("{right}; please use an older worker, or a newer server");
            (StatusCode::BAD_REQUEST, error)
        }
    };
    Some(DoorRefusal::new(status, ErrorCode::Protocol, error))
}

pub(crate) async fn nothing_here() -> DoorRefusal {
    missing()
}

async fn wrong_method(method: Method) -> DoorRefusal {
    let error = format!("this path does not take {}", game::shown(method.as_str()));
    DoorRefusal::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::Malformed, error)
}

fn missing() -> DoorRefusal {
    let error = "there is nothing here; docs/worker-protocol.md lists what there is";
    DoorRefusal::new(StatusCode::NOT_FOUND, ErrorCode::NotFound, error)
}
