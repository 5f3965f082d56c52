//! Clients who open a connection and take their time.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Host, host_with};

/// A server that does not wait long.
async fn hasty() -> Host {
    let short = Duration::from_millis(300);
    let silence = short * 3;
    let patience =
        web::Timeouts { request: short, hello: short, ping: short, silence, stuck: short };
    host_with(web::ServerOptions { patience, ..Default::default() }).await
}

/// Says this a letter at a time for as long as the server listens, then what the server said.
async fn drip(host: &Host, text: &str) -> String {
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    let mut heard = Vec::new();
    for byte in text.bytes().chain(std::iter::repeat(b'x')) {
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        let mut buffer = [0; 4096];
        match tokio::time::timeout(Duration::from_millis(20), stream.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(length)) => heard.extend_from_slice(&buffer[..length]),
            Err(_) => {}
        }
    }
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn a_head_letter_by_letter_is_not_waited_for() {
    let host = hasty().await;
    let said = drip(&host, "GET /api/families HTTP/1.1\r\nX-Slow: ").await;
    assert!(!said.contains("200"), "{said}");
    assert_eq!(host.get("/api/families").await.status, 200);
}

#[tokio::test]
async fn a_connection_without_a_word_is_closed() {
    let host = hasty().await;
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    let closed = tokio::time::timeout(Duration::from_secs(30), stream.read(&mut [0; 16])).await;
    assert!(matches!(closed.unwrap(), Ok(0) | Err(_)));
    // And so is one after an answer.
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    let request = format!("GET /api/none HTTP/1.1\r\nHost: {}\r\n\r\n", host.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut all = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut all)).await;
    ended.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&all).starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn a_body_letter_by_letter_is_not_waited_for() {
    let host = hasty().await;
    let head = format!(
        "POST /api/preview HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
        host.address
    );
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut heard = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let _ = stream.write_all(b" ").await;
        match tokio::time::timeout(Duration::from_millis(20), stream.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(length)) => heard.extend_from_slice(&buffer[..length]),
            Err(_) => {}
        }
    }
    let said = String::from_utf8_lossy(&heard);
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("did not come"), "{said}");
}

#[tokio::test]
async fn a_socket_that_does_not_answer_pings_is_closed() {
    let host = hasty().await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    // By hand: a real client would answer.
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    let address = &host.address;
    let request = format!(
        "GET /api/games/{id}/socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let hello = br#"{"type":"hello","tokens":[]}"#;
    // A text frame, masked with zeros.
    let mut frame = vec![0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0];
    frame.extend_from_slice(hello);
    stream.write_all(&frame).await.unwrap();
    let mut all = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut all)).await;
    assert!(ended.is_ok(), "it is still open");
    let text = String::from_utf8_lossy(&all);
    assert!(text.contains("101 Switching") && text.contains("\"welcome\""), "{text}");
    assert!(all.windows(2).any(|two| two == [0x89, 0x00]), "it was asked first");
    // Who answers pings stays.
    let (mut two, ..) = host.sit(&id, &[&tokens["second"]]).await;
    two.hear("people").await;
    let waiting = tokio::time::timeout(Duration::from_millis(2500), two.next()).await;
    assert!(waiting.is_err(), "{waiting:?}");
    two.say(&json!({ "type": "resign" })).await;
    assert_eq!(two.hear("state").await["outcome"]["value"], "first");
}

/// Asks again and again and reads nothing, until the server has had enough.
async fn never_read(host: &Host, path: &str) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    // The system should not take in all the answers by itself.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(host.address.parse().unwrap()).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", host.address);
    while stream.write_all(request.as_bytes()).await.is_ok() {}
}

#[tokio::test]
async fn who_never_reads_is_closed() {
    let host = hasty().await;
    let reading = async {
        tokio::join!(never_read(&host, "/api/families"), never_read(&host, "/api/none"));
    };
    let closed = tokio::time::timeout(Duration::from_secs(60), reading).await;
    assert!(closed.is_ok(), "still open");
    assert_eq!(host.get("/api/none").await.status, 404);
}

#[tokio::test]
async fn who_reads_slowly_gets_everything() {
    let host = hasty().await;
    let mut stream = TcpStream::connect(&host.address).await.unwrap();
    let request = format!("GET /api/families HTTP/1.1\r\nHost: {}\r\n", host.address);
    for _ in 0..20 {
        stream.write_all(format!("{request}\r\n").as_bytes()).await.unwrap();
    }
    stream.write_all(format!("{request}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
    let (mut heard, mut buffer) = (Vec::new(), [0; 64 * 1024]);
    loop {
        match stream.read(&mut buffer).await.unwrap() {
            0 => break,
            length => heard.extend_from_slice(&buffer[..length]),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(String::from_utf8_lossy(&heard).matches("HTTP/1.1 200").count(), 21);
}
