//! Who is the admin, and who is not.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Extension, Request, State};
use axum::http::{HeaderMap, Method};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serving::{
    Admin, AdminOptions, AdminRefusal, Client, Ends, Intake, Proxies, Room, Share,
    make_admin_token, network,
};

/// A server with one path that needs the admin; it ends with its runtime.
struct Guarded {
    _runtime: tokio::runtime::Runtime,
    at: SocketAddr,
}

async fn secret(
    State(admin): State<Arc<Admin>>,
    Extension(client): Extension<Client>,
    method: Method,
    headers: HeaderMap,
) -> Result<&'static str, AdminRefusal> {
    admin.check(&method, &headers, client).map(|()| "granted")
}

async fn pass(ConnectInfo(ends): ConnectInfo<Ends>, mut request: Request, next: Next) -> Response {
    // Each caller is somebody else, as far as rates go, who says so.
    let named = request.headers().get("x-from").map(|from| from.to_str().unwrap().parse().unwrap());
    let address: IpAddr = named.unwrap_or(ends.remote.ip());
    request.extensions_mut().insert(Client { address, network: network(address) });
    next.run(request).await.into_response()
}

fn serve(options: AdminOptions) -> Guarded {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let admin = Arc::new(Admin::new(options));
    let router = axum::Router::new()
        .route("/secret", any(secret))
        .with_state(Arc::clone(&admin))
        .merge(admin.routes())
        .layer(middleware::from_fn(pass));
    let intake = Intake {
        connections: Arc::new(Room::new(Share { each: 100, all: 100 })),
        proxies: Proxies::default(),
        head: Duration::from_secs(15),
        stuck: Duration::from_secs(15),
        turned_away: |full| full.to_string(),
        tls: None,
        grace: Duration::ZERO,
    };
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let at = listener.local_addr().unwrap();
    runtime.spawn(serving::serve(listener, router, intake, std::future::pending()));
    Guarded { _runtime: runtime, at }
}

impl Guarded {
    /// The status, the head and the body of an answer.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String, String) {
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.at)
        };
        let length = body.len();
        let text = format!(
            "{request} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    fn status(&self, request: &str, headers: &str) -> u16 {
        self.ask(request, headers, "").0
    }

    /// Signs in; the cookie, and how it was set.
    fn sign_in(&self, token: &str) -> Option<(String, String)> {
        let body = format!("{{\"token\": \"{token}\"}}");
        let (status, head, _) =
            self.ask("POST /api/admin/session", "Content-Type: application/json\r\n", &body);
        let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: "))?.to_owned();
        assert_eq!(status, 204);
        Some((line.split(';').next().unwrap().to_owned(), line))
    }
}

fn open(folder: &Path) -> AdminOptions {
    AdminOptions { file: Some(folder.join("admin-token")), is_open: true, is_encrypted: false }
}

fn made(folder: &Path, replace: bool) -> String {
    let file = folder.join("admin-token");
    make_admin_token(&file, replace).unwrap().unwrap().reveal().to_owned()
}

#[test]
fn a_token_is_made_once_and_kept_as_a_hash() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("new/home");
    let token = make_admin_token(&home.join("admin-token"), false).unwrap().unwrap();
    assert_eq!(token.reveal().len(), 64);
    assert!(!format!("{token:?}").contains(token.reveal()));
    let kept = std::fs::read_to_string(home.join("admin-token")).unwrap();
    assert!(kept.starts_with("sha256:") && !kept.contains(token.reveal()), "{kept}");
    assert_eq!(make_admin_token(&home.join("admin-token"), false).unwrap(), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = home.join("admin-token");
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        // One that was copied carelessly is closed again.
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        make_admin_token(&file, false).unwrap();
        assert_eq!(mode(), 0o600);
    }
}

#[test]
fn a_token_opens_and_an_old_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = made(folder.path(), false);
    let server = serve(open(folder.path()));
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let (status, head, body) = server.ask("GET /secret", "", "");
    assert_eq!(status, 401);
    assert!(head.to_lowercase().contains("www-authenticate: bearer"), "{head}");
    assert!(body.contains("Authorization: Bearer TOKEN"), "{body}");
    assert_eq!(server.ask("GET /secret", &bearer(&first), "").2, "granted");
    assert_eq!(
        server.status("POST /secret", &bearer(&first)),
        200,
        "pages cannot send that header"
    );
    for wrong in
        [&first[1..], &first.to_uppercase(), "", &made(&folder.path().join("other"), false)]
    {
        let (status, _, body) = server.ask("GET /secret", &bearer(wrong), "");
        assert_eq!(status, 401);
        assert!(wrong.is_empty() || !body.contains(wrong), "it is not sent back");
    }
    let basic = format!("Authorization: Basic {first}\r\n");
    assert_eq!(server.status("GET /secret", &basic), 401);
    assert_eq!(server.status(&format!("GET /secret?token={first}"), ""), 401);
    // Another server of the same user replaces it: this one hears of it, and its cookies end.
    let (cookie, _) = server.sign_in(&first).unwrap();
    let with_cookie = format!("Cookie: {cookie}\r\n");
    assert_eq!(server.status("GET /secret", &with_cookie), 200);
    let second = made(folder.path(), true);
    assert_eq!(server.status("GET /secret", &bearer(&first)), 401);
    assert_eq!(server.status("GET /secret", &with_cookie), 401);
    assert_eq!(server.status("GET /secret", &bearer(&second)), 200);
    std::fs::remove_file(folder.path().join("admin-token")).unwrap();
    assert_eq!(server.status("GET /secret", &bearer(&second)), 401, "without a file nobody is");
}

#[test]
fn a_cookie_is_for_pages_of_this_site() {
    let folder = tempfile::tempdir().unwrap();
    let token = made(folder.path(), false);
    let server = serve(open(folder.path()));
    let (cookie, line) = server.sign_in(&token).unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(line.contains(part), "{line}");
    }
    assert!(!line.contains("Secure") && !line.contains(&token), "{line}");
    let own = format!("Cookie: other=1; {cookie}\r\n");
    let from = |site: &str| format!("{own}Origin: {site}\r\n");
    let here = format!("http://{}", server.at);
    for (request, headers, status) in [
        ("GET /secret", own.clone(), 200),
        ("POST /secret", from(&here), 200),
        ("POST /secret", format!("{own}Sec-Fetch-Site: same-origin\r\n"), 200),
        ("POST /secret", own.clone(), 403),
        ("GET /secret", from("https://evil.example"), 403),
        ("POST /secret", from("https://evil.example"), 403),
        ("POST /secret", from("null"), 403),
        ("GET /secret", format!("{own}Sec-Fetch-Site: cross-site\r\n"), 403),
        ("GET /secret", format!("{own}Sec-Fetch-Site: same-site\r\n"), 403),
        ("GET /secret", "Cookie: zermelo-admin=guess\r\n".to_owned(), 401),
        ("GET /secret", "Cookie: zermelo-admin=\r\n".to_owned(), 401),
    ] {
        assert_eq!(server.status(request, &headers), status, "{request} {headers}");
    }
    let (_, _, told) = server.ask("GET /api/admin/session", &own, "");
    assert_eq!(told, r#"{"admin":true,"open":true}"#);
    // Signing out is for the own page, too; afterwards the cookie is worth nothing.
    let evil = from("https://evil.example");
    assert_eq!(server.status("DELETE /api/admin/session", &evil), 403);
    assert_eq!(server.status("GET /secret", &own), 200);
    let (status, head, _) = server.ask("DELETE /api/admin/session", &own, "");
    assert!(status == 204 && head.contains("zermelo-admin=; Path=/; Max-Age=0"), "{head}");
    assert_eq!(server.status("GET /secret", &own), 401);
    let encrypted = AdminOptions { is_encrypted: true, ..open(folder.path()) };
    let (_, line) = serve(encrypted).sign_in(&token).unwrap();
    assert!(line.starts_with("__Host-zermelo-admin=") && line.ends_with("; Secure"), "{line}");
}

#[test]
fn who_guesses_is_told_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let token = made(folder.path(), false);
    let server = serve(open(folder.path()));
    let json = "Content-Type: application/json\r\n";
    let post = |headers: &str, body: &str| server.ask("POST /api/admin/session", headers, body).0;
    for (headers, body, status) in [
        (json, "{}", 400),
        (json, "{\"token\": 7}", 400),
        (json, "\u{1b}[2J", 400),
        ("", "token=x", 415),
        ("Content-Type: text/plain\r\n", "{\"token\": \"x\"}", 415),
        ("Content-Type: application/json\r\nOrigin: http://evil.example\r\n", "{}", 403),
    ] {
        assert_eq!(post(headers, body), status, "{headers} {body}");
    }
    let long = format!("{{\"token\": \"{}\"}}", "x".repeat(5000));
    assert_eq!(post(json, &long), 413);
    let wrong = "{\"token\": \"x\"}";
    let heard: Vec<u16> = (0..20).map(|_| post(json, wrong)).collect();
    assert_eq!(heard.last(), Some(&429), "{heard:?}");
    assert!(heard.starts_with(&[401]), "{heard:?}");
    // Others are not kept out, and whoever has the token is not either.
    let other = format!("{json}X-From: 192.0.2.7\r\n");
    let right = format!("{{\"token\": \" {token}\"}}");
    assert_eq!(post(&other, &right), 204);
    let guess = |from: &str| format!("X-From: {from}\r\nAuthorization: Bearer guess\r\n");
    let heard: Vec<u16> =
        (0..20).map(|_| server.status("GET /secret", &guess("192.0.2.9"))).collect();
    assert_eq!((heard[0], heard[19]), (401, 429));
    let bearer = format!("X-From: 192.0.2.9\r\nAuthorization: Bearer {token}\r\n");
    assert_eq!(server.status("GET /secret", &bearer), 200);
}

/// Where only the machine's own users come in, no token is needed; other pages are kept out.
#[test]
fn a_private_server_has_no_need_of_a_token() {
    let server = serve(AdminOptions::default());
    for (headers, status) in [
        ("", 200),
        ("Host: localhost\r\n", 200),
        ("Host: localhost:8610\r\n", 200),
        ("Host: [::1]:8610\r\n", 200),
        ("Host: evil.example\r\n", 403),
        ("Host: localhost.evil.example:8610\r\n", 403),
        ("Host: 192.0.2.1\r\n", 403),
        ("Origin: http://evil.example\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\n", 403),
        ("Authorization: Bearer wrong\r\n", 401),
    ] {
        assert_eq!(server.status("GET /secret", headers), status, "{headers}");
    }
    let (status, _, page) = server.ask("GET /admin", "", "");
    assert!(status == 200 && page.contains("/admin.js"));
    assert!(server.ask("GET /admin.js", "", "").2.contains("/api/admin/session"));
}
