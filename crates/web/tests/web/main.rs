//! The server met from outside: over real connections, by well-behaved and by bad clients.

mod bad_clients;
mod client;
mod games;
