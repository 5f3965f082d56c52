//! A server of its own for each test, and clients as plain as can be: what is sent is what the test says.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// What a test waits for something that should come.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Host {
    pub(crate) address: String,
}

pub(crate) async fn host() -> Host {
    host_with(web::ServerOptions::default()).await
}

pub(crate) async fn host_with(options: web::ServerOptions) -> Host {
    let options = web::ServerOptions { port: Some(0), searches: 2, ..options };
    let server = web::Server::bind(options).await.unwrap();
    let address = server.address().unwrap().to_string();
    tokio::spawn(server.run());
    Host { address }
}

/// An answer: its status, its headers in small letters, its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The one line that says why not.
    pub(crate) fn error(&self) -> String {
        let error = self.json()["error"].as_str().unwrap().to_owned();
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        error
    }
}

impl Host {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.address), "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
            self.address
        );
        self.raw(&head, &body.to_string()).await
    }

    /// Sends these lines and this body, and reads until the other side closes.
    pub(crate) async fn raw(&self, head: &str, body: &str) -> Answer {
        self.raw_over(TcpStream::connect(&self.address).await.unwrap(), head, body).await
    }

    /// A connection from another address of this machine, 127.0.0.N.
    #[cfg(target_os = "linux")]
    pub(crate) async fn connect_from(&self, last: u8) -> TcpStream {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(std::net::SocketAddr::from(([127, 0, 0, last], 0))).unwrap();
        socket.connect(self.address.parse().unwrap()).await.unwrap()
    }

    /// Asks over this connection.
    pub(crate) async fn raw_over(&self, mut stream: TcpStream, head: &str, body: &str) -> Answer {
        let length = body.len();
        let text = format!("{head}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        // Who is refused early may find the door shut before all is said.
        let _ = stream.write_all(text.as_bytes()).await;
        let mut bytes = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("no answer: {text}")),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    /// Sets up a game: its id, and the tokens of host, first and second.
    pub(crate) async fn found(&self, game: &str, seats: [&str; 2]) -> (String, Value) {
        self.found_as(&json!({ "game": game, "seats": seats })).await
    }

    /// The same with all that can be said of a game.
    pub(crate) async fn found_as(&self, wanted: &Value) -> (String, Value) {
        let answer = self.post("/api/games", wanted).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let founded = answer.json();
        (founded["id"].as_str().unwrap().to_owned(), founded["tokens"].clone())
    }

    /// A socket, if the server opens one; else the status it answers with.
    pub(crate) async fn socket(&self, id: &str, origin: Option<&str>) -> Result<Socket, u16> {
        self.socket_for(id, origin, None).await
    }

    /// The same as a proxy opens it for somebody.
    pub(crate) async fn socket_for(
        &self,
        id: &str,
        origin: Option<&str>,
        forwarded: Option<&str>,
    ) -> Result<Socket, u16> {
        let url = format!("ws://{}/api/games/{id}/socket", self.address);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in [("Origin", origin), ("X-Forwarded-For", forwarded)] {
            if let Some(value) = value {
                request.headers_mut().insert(name, value.parse().unwrap());
            }
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((stream, _)) => Ok(Socket { stream }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Sits down from another address of this machine, 127.0.0.N.
    #[cfg(target_os = "linux")]
    pub(crate) async fn sit_from(&self, last: u8, id: &str, tokens: &[&Value]) -> Socket {
        let url = format!("ws://{}/api/games/{id}/socket", self.address);
        let mut request = url.into_client_request().unwrap();
        let origin = format!("http://{}", self.address);
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        let stream = MaybeTlsStream::Plain(self.connect_from(last).await);
        let (stream, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        let mut socket = Socket { stream };
        socket.say(&json!({ "type": "hello", "tokens": tokens })).await;
        socket.hear("state").await;
        socket
    }

    /// Sits down with these tokens, and hears what may be done and how the game stands.
    pub(crate) async fn sit(&self, id: &str, tokens: &[&Value]) -> (Socket, Value, Value) {
        let origin = format!("http://{}", self.address);
        let mut socket = self.socket(id, Some(&origin)).await.unwrap();
        socket.say(&json!({ "type": "hello", "tokens": tokens })).await;
        let welcome = socket.hear("welcome").await;
        let state = socket.hear("state").await;
        (socket, welcome, state)
    }
}

pub(crate) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub(crate) async fn say(&mut self, message: &Value) {
        self.send(message.to_string()).await;
    }

    pub(crate) async fn send(&mut self, text: String) {
        let _ = self.stream.send(Message::text(text)).await;
    }

    pub(crate) async fn play(&mut self, text: &str, version: u64) {
        self.say(&json!({ "type": "play", "move": text, "version": version })).await;
    }

    /// The next message of any kind; `None` once the connection is closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.stream.next()).await.unwrap()?;
            match next {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of one kind.
    pub(crate) async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed before {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The next state that is so.
    pub(crate) async fn hear_state(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.hear("state").await;
            if wanted(&state) {
                return state;
            }
        }
    }

    /// The reason of the next refusal.
    pub(crate) async fn refusal(&mut self) -> String {
        self.hear("refused").await["error"].as_str().unwrap().to_owned()
    }
}
