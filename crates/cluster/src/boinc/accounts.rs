//! The master page, and what managers ask about projects and accounts.

use std::collections::HashMap;

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serving::Client;

use super::door::{BoincDoor, Inside, plain, xml};
use super::xml::{XmlText, escaped};
use crate::record::{AccountError, Authenticator, RecordError};

type Asked = Query<HashMap<String, String>>;

/// BOINC's numbers of errors.
const NOT_FOUND: i32 = -136;
const NOT_UNIQUE: i32 = -137;
const BAD_PASSWORD: i32 = -206;
const BAD_EMAIL: i32 = -205;
const BAD_NAME: i32 = -188;
const CLOSED: i32 = -208;
const PROJECT_DOWN: i32 = -183;

/// Where the scheduler is, each time at the start of a short line; and which machines there is a
/// program for, before anybody attaches in vain.
pub(super) async fn master(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
) -> Response {
    let platforms = door.call(client, |inside, _| inside.platforms()).await;
    let options = &door.0.scheduler.options;
    let machines = machines(&platforms.unwrap_or_default());
    let (url, name) = (escaped(&options.url), escaped(&options.name));
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{name}</title>\n\
         <link rel=\"boinc_scheduler\" href=\"{url}cgi\">\n\
         <link rel=\"alternate\" type=\"application/rss+xml\" href=\"{url}notices.rss\">\n\
         </head>\n<body>\n<!--\n<scheduler>{url}cgi</scheduler>\n-->\n<h1>{name}</h1>\n\
         <p>To take part, add this project to your BOINC client: {url}</p>\n\
         <p>{machines}</p>\n</body>\n</html>\n"
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

fn machines(platforms: &[(String, String)]) -> String {
    let mut names: Vec<&str> = platforms.iter().map(|(platform, _)| &**platform).collect();
    names.dedup();
    match &names[..] {
        [] => "There is no program for any machine yet.".to_owned(),
        names if names.iter().all(|name| name.contains("linux")) => {
            format!("Linux only: there are programs for {}.", escaped(&names.join(", ")))
        }
        names => format!("There are programs for {}.", escaped(&names.join(", "))),
    }
}

/// What managers want to know before anybody attaches.
pub(super) async fn project_config(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
) -> Response {
    let platforms = door.call(client, |inside, _| inside.platforms()).await;
    let options = &door.0.scheduler.options;
    let mut text = XmlText::new("project_config");
    text.value("name", &options.name).value("master_url", &options.url);
    text.value("web_rpc_url_base", &options.url).value("local_revision", 1);
    text.value("web_stopped", 0).value("sched_stopped", u8::from(options.maintenance));
    text.value("min_passwd_length", 6).value("rpc_prefix", "");
    let (major, minor, _) = options.min_client;
    text.value("min_client_version", major * 100 + minor);
    if options.closed {
        text.flag("account_creation_disabled");
    }
    text.open("platforms");
    for (platform, plan_class) in platforms.unwrap_or_default() {
        text.open("platform").value("platform_name", &platform);
        text.value("user_friendly_name", &platform);
        if !plan_class.is_empty() {
            text.value("plan_class", plan_class);
        }
        text.close("platform");
    }
    text.close("platforms");
    xml(text.finish("project_config"))
}

impl Inside {
    fn platforms(&self) -> Vec<(String, String)> {
        let versions = self.scheduler.record.app_versions().unwrap_or_default();
        let mut platforms: Vec<_> = versions
            .into_iter()
            .filter(|version| !version.superseded && !version.signature.is_empty())
            .map(|version| (version.platform, version.plan_class))
            .collect();
        platforms.sort();
        platforms.dedup();
        platforms
    }
}

/// Opens an account, or gives the one that is there to whoever has its password.
pub(super) async fn create(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    Query(asked): Asked,
) -> Response {
    if door.0.scheduler.options.closed {
        return error(CLOSED, "Nobody new may open an account here");
    }
    if door.0.creations.take(client.network).is_err() {
        tracing::warn!(from = %client.address, "too many accounts from one address");
        return plain(StatusCode::TOO_MANY_REQUESTS, "too many accounts from your address");
    }
    let [email, password, name] = values(&asked, ["email_addr", "passwd_hash", "user_name"]);
    if !is_password_hash(&password) {
        return error(BAD_PASSWORD, "passwd_hash is the MD5 of password and address");
    }
    let name = if name.trim().is_empty() { "volunteer".to_owned() } else { name };
    let made = door.call(client, move |inside, _| {
        inside.scheduler.record.create_account(&email, Some(&password), &name)
    });
    answer(made.await)
}

/// The authenticator of an account, for whoever has its password.
pub(super) async fn look_up(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    Query(asked): Asked,
) -> Response {
    let [email, password] = values(&asked, ["email_addr", "passwd_hash"]);
    if door.0.guesses.take(client.network).is_err() {
        tracing::warn!(from = %client.address, "too many look-ups from one address");
        return plain(StatusCode::TOO_MANY_REQUESTS, "too many tries from your address");
    }
    let found = door
        .call(client, move |inside, _| inside.scheduler.record.look_up_account(&email, &password));
    answer(found.await)
}

fn values<const N: usize>(asked: &HashMap<String, String>, names: [&str; N]) -> [String; N] {
    names.map(|name| asked.get(name).cloned().unwrap_or_default())
}

fn is_password_hash(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn answer(found: Option<Result<Authenticator, RecordError>>) -> Response {
    match found {
        Some(Ok(authenticator)) => {
            let mut text = XmlText::new("account_out");
            text.value("authenticator", authenticator.reveal());
            xml(text.finish("account_out"))
        }
        Some(Err(RecordError::Account(account))) => {
            let number = match account {
                AccountError::Unknown => NOT_FOUND,
                AccountError::Exists => NOT_UNIQUE,
                AccountError::Password => BAD_PASSWORD,
                AccountError::Address => BAD_EMAIL,
                _ => BAD_NAME,
            };
            error(number, &account.to_string())
        }
        Some(Err(failed)) => {
            tracing::warn!(error = %failed, "the record does not answer about an account");
            error(PROJECT_DOWN, "the project is down for maintenance")
        }
        None => error(PROJECT_DOWN, "too many ask at once; please come back"),
    }
}

fn error(number: i32, words: &str) -> Response {
    let mut text = XmlText::new("error");
    text.value("error_num", number).value("error_msg", words);
    xml(text.finish("error"))
}
