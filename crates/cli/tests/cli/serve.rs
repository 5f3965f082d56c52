//! The web table as users start it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::support::{command, zermelo};

/// A server that ends with its test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server and reads the line that it announces itself with.
fn start(arguments: &[&str]) -> (Served, String) {
    begin(command().args(arguments))
}

fn begin(command: &mut std::process::Command) -> (Served, String) {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Served(child), line)
}

fn get(address: &str, path: &str) -> String {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_table_is_served_with_and_without_a_word() {
    for arguments in [&[][..], &["serve"]] {
        let (_served, line) = start(arguments);
        let address = line.trim().rsplit(' ').next().unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        let answer = get(address, "/api/families");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("tictactoe"), "{answer}");
    }
}

#[test]
fn the_answer_in_json_says_where() {
    let named = ["--name", "games.example", "--proxy", "127.0.0.1", "--proxy", "fd00::1"];
    let (_served, line) = start(&[&["serve", "--port", "0", "--json"], &named[..]].concat());
    let serving: Value = serde_json::from_str(&line).unwrap();
    let address = serving["address"].as_str().unwrap();
    assert!(serving["page"].is_boolean() && serving["store"].is_string(), "{line}");
    assert!(get(address, "/api/none").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = zermelo(&["serve", "--port", &port]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains(&format!("127.0.0.1:{port}")), "{}", ran.err);
    for wrong in [
        ["--port", "99999"],
        ["--listen", "everywhere"],
        ["--proxy", "in.front"],
        ["--keep-games", "0"],
        ["--keep-days", "-1"],
    ] {
        assert_eq!(zermelo(&["serve", wrong[0], wrong[1]]).code, Some(2), "{wrong:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_kept_is_for_its_owner_alone() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let open = |mode| fs::Permissions::from_mode(mode);
    let all = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("private");
    let _ = fs::remove_dir_all(&all);
    let (new, old, shared) = (all.join("new"), all.join("old"), all.join("shared"));
    for folder in [&old, &shared] {
        fs::create_dir_all(folder).unwrap();
        fs::set_permissions(folder, open(0o755)).unwrap();
        fs::write(folder.join("table.db"), "").unwrap();
        fs::write(folder.join("engines.txt"), "Zermelo engines 1\n").unwrap();
    }
    fs::write(shared.join("of somebody else"), "").unwrap();
    let serve = ["serve", "--port", "0"];
    for (folder, expected) in [(&new, 0o700), (&old, 0o700), (&shared, 0o755)] {
        let (_served, line) = begin(command().env("ZERMELO_HOME", folder).args(serve));
        assert!(line.contains("http://"), "{line}");
        assert_eq!(mode(folder), expected, "{}", folder.display());
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if !file.ends_with("of somebody else") {
                assert_eq!(mode(&file), 0o600, "{}", file.display());
            }
        }
    }
}
