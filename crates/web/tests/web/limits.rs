//! What one address may take, so that others come in all the same. Addresses of this machine stand for strangers.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use crate::client::{Host, host_with};

fn limited(limits: web::VisitorLimits) -> web::ServerOptions {
    web::ServerOptions { limits, ..web::ServerOptions::default() }
}

/// A socket at a game, as a proxy opens it for somebody.
async fn seat(
    host: &Host,
    id: &str,
    forwarded: Option<&str>,
) -> Result<crate::client::Socket, u16> {
    let origin = format!("http://{}", host.address);
    host.socket_for(id, Some(&origin), forwarded).await
}

#[tokio::test]
async fn sockets_of_one_address_have_a_limit() {
    let sockets = web::Share { each: 2, all: 100 };
    let host = host_with(limited(web::VisitorLimits { sockets, ..Default::default() })).await;
    let (id, _) = host.found("tictactoe", ["human", "human"]).await;
    let mut open = Vec::new();
    for _ in 0..2 {
        open.push(seat(&host, &id, None).await.unwrap_or_else(|status| panic!("{status}")));
    }
    assert_eq!(seat(&host, &id, None).await.err(), Some(429));
    // Who is not a proxy says nothing about where others are.
    assert_eq!(seat(&host, &id, Some("10.0.0.7")).await.err(), Some(429));
}

#[tokio::test]
async fn behind_a_proxy_its_header_says_who_asks() {
    let limits = web::VisitorLimits {
        sockets: web::Share { each: 1, all: 100 },
        connections: web::Share { each: 1, all: 100 },
        ..Default::default()
    };
    let proxies = vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::from([10, 9, 9, 9])];
    let host = host_with(web::ServerOptions { proxies, ..limited(limits) }).await;
    let (id, _) = host.found("tictactoe", ["human", "human"]).await;
    let mut open = Vec::new();
    for (forwarded, refused) in [
        ("10.0.0.7", None),
        ("10.0.0.8", None),
        ("10.0.0.7", Some(429)),
        // What stands before the last one may be made up; another proxy of ours is passed over.
        ("1.2.3.4, 10.0.0.8", Some(429)),
        ("10.0.0.8, 10.9.9.9", Some(429)),
        ("10.0.0.8, 10.0.0.9", None),
        ("fd00::1", None),
        ("[fd00::2]:4567", Some(429)),
        ("", None),
        ("somebody", Some(429)),
    ] {
        let got = seat(&host, &id, Some(forwarded)).await;
        assert_eq!(got.as_ref().err().copied(), refused, "{forwarded}");
        open.extend(got);
    }
    assert!(open.len() > 1, "connections of a proxy are not counted as those of one visitor");
}

#[cfg(target_os = "linux")]
mod addresses {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// Asks from 127.0.0.N, and says how that was answered.
    async fn ask(host: &Host, last: u8) -> crate::client::Answer {
        let head = format!("GET /api/none HTTP/1.1\r\nHost: {}\r\n", host.address);
        host.raw_over(host.connect_from(last).await, &head, "").await
    }

    /// Asks until the server has noticed that others have left.
    async fn ask_until_let_in(host: &Host, last: u8) {
        let asking = async { while ask(host, last).await.status != 404 {} };
        tokio::time::timeout(Duration::from_secs(30), asking).await.unwrap();
    }

    #[tokio::test]
    async fn connections_of_one_address_have_a_limit_and_others_come_in() {
        let connections = web::Share { each: 3, all: 5 };
        let host =
            host_with(limited(web::VisitorLimits { connections, ..Default::default() })).await;
        let mut idle: Vec<TcpStream> = Vec::new();
        for number in 0..3 {
            let mut stream = host.connect_from(2).await;
            // Half a request is no better than none.
            if number > 0 {
                stream.write_all(b"GET /api/fam").await.unwrap();
            }
            idle.push(stream);
        }
        let refused = ask(&host, 2).await;
        assert_eq!((refused.status, refused.error().contains("wait a little")), (429, true));
        assert_eq!(ask(&host, 3).await.status, 404, "others come in");
        let more = [host.connect_from(4).await, host.connect_from(5).await];
        let refused = ask(&host, 3).await;
        assert_eq!((refused.status, refused.error().contains("come back later")), (503, true));
        drop((idle, more));
        ask_until_let_in(&host, 3).await;
        ask_until_let_in(&host, 2).await;
    }

    #[tokio::test]
    async fn a_socket_keeps_the_place_of_its_connection() {
        let connections = web::Share { each: 2, all: 9 };
        let host =
            host_with(limited(web::VisitorLimits { connections, ..Default::default() })).await;
        let (id, _) = host.found("tictactoe", ["human", "human"]).await;
        let sockets = (host.sit(&id, &[]).await, host.sit(&id, &[]).await);
        assert_eq!(ask(&host, 1).await.status, 429);
        drop(sockets);
        ask_until_let_in(&host, 1).await;
    }

    /// Opens connections from one address without end, some with half a request and some that ask and never read.
    async fn besiege(host: &Host, last: u8, connections: usize) -> Vec<TcpStream> {
        let request = format!("GET /api/families HTTP/1.1\r\nHost: {}\r\n\r\n", host.address);
        let mut open = Vec::new();
        for number in 0..connections {
            let mut stream = host.connect_from(last).await;
            let said = match number % 3 {
                0 => String::new(),
                1 => "GET /api/fam".to_owned(),
                _ => request.repeat(20),
            };
            let _ = stream.write_all(said.as_bytes()).await;
            open.push(stream);
        }
        open
    }

    /// The load that `docs/web.md` promises to hold: 64 games of two people from eight addresses, played to the end
    /// while another address opens as many connections as it can.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn games_go_on_while_one_address_takes_all_it_can() {
        const GAMES: usize = 64;
        const SIEGE: usize = 300;
        let connections = web::Share { each: 64, all: 512 };
        let host =
            host_with(limited(web::VisitorLimits { connections, ..Default::default() })).await;
        let siege = besiege(&host, 99, SIEGE).await;
        let mut tables = Vec::new();
        for game in 0..GAMES {
            let last = 10 + (game % 8) as u8;
            let body = json!({ "game": "tictactoe", "seats": ["human", "human"] }).to_string();
            let head = format!(
                "POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
                host.address
            );
            let answer = host.raw_over(host.connect_from(last).await, &head, &body).await;
            assert_eq!(answer.status, 201, "{answer:?}");
            let (id, tokens) = (answer.json()["id"].clone(), answer.json()["tokens"].clone());
            let id = id.as_str().unwrap();
            let one = host.sit_from(last, id, &[&tokens["first"]]).await;
            let two = host.sit_from(last, id, &[&tokens["second"]]).await;
            tables.push((one, two));
        }
        for (version, square) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
            for (one, two) in &mut tables {
                let mover = if version % 2 == 0 { &mut *one } else { &mut *two };
                mover.play(square, version as u64).await;
                for player in [one, two] {
                    player.hear_state(|state| state["version"] == version + 1).await;
                }
            }
        }
        // Of the siege no more than its share was let in; the rest was told so and closed.
        let mut refused = 0;
        for mut stream in siege {
            let mut head = [0; 12];
            let read = tokio::time::timeout(Duration::from_millis(5), stream.read_exact(&mut head));
            refused +=
                usize::from(read.await.is_ok_and(|read| read.is_ok()) && &head == b"HTTP/1.1 429");
        }
        assert!((1..=SIEGE - 64).contains(&refused), "{refused}");
    }
}
