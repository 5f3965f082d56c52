//! [`Relay`]: an HTTP proxy of a client's own, which calls the server from an address of its own.
//! Users from one network count as one, and all clients of these tests are on one machine: each gets
//! a network out of 127.0.0.0/8.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// See the module. Dropping it closes it.
pub(crate) struct Relay {
    pub(crate) port: u16,
    over: Arc<AtomicBool>,
}

impl Relay {
    /// To this port of this machine, from 127.0.`network`.1.
    pub(crate) fn start(to: u16, network: u8) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, over) =
            (listener.local_addr().unwrap().port(), Arc::new(AtomicBool::new(false)));
        listener.set_nonblocking(true).unwrap();
        let is_over = Arc::clone(&over);
        thread::spawn(move || {
            while !is_over.load(Relaxed) {
                match listener.accept() {
                    Ok((client, _)) => {
                        thread::spawn(move || pass_on(client, to, network));
                    }
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        });
        Relay { port, over }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}

/// A server that is away closes the connection, as if it had not been there.
fn pass_on(client: TcpStream, to: u16, network: u8) -> io::Result<()> {
    client.set_nonblocking(false)?;
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((Ipv4Addr::new(127, 0, network, 1), 0)).into())?;
    socket.connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, to)).into())?;
    let server = TcpStream::from(socket);
    let (client_too, server_too) = (client.try_clone()?, server.try_clone()?);
    let back = thread::spawn(move || copy(server_too, client_too));
    copy(client, server)?;
    let _ = back.join();
    Ok(())
}

fn copy(mut from: TcpStream, mut to: TcpStream) -> io::Result<()> {
    let mut bytes = [0; 16 << 10];
    loop {
        match from.read(&mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(read) => to.write_all(&bytes[..read])?,
        }
    }
    let _ = to.shutdown(Shutdown::Write);
    Ok(())
}
