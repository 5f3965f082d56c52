//! Taking connections in within limits: so many and no more, each address its share, at its rate,
//! and none for longer than it makes use of; over TLS or not. Whoever serves something to strangers
//! brings a router and says how much it grants; [`Admin`] says who may do more than that.

mod admin;
mod clients;
mod connections;
mod impatient;
mod platform;
mod rates;
mod shares;
mod tls;

pub use admin::{Admin, AdminError, AdminOptions, AdminRefusal, AdminToken, make_admin_token};
pub use clients::{Client, Ends, Proxies, network, single};
pub use connections::{Intake, serve};
pub use platform::{open_files, wish_to_end};
pub use rates::{Bucket, Rate, Rates, TooOften};
pub use shares::{Full, Room, Share, Taken};
pub use tls::{Tls, TlsError};
