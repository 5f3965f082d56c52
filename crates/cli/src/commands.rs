//! The commands, one file each.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod dxp;
pub(crate) mod engine;
pub(crate) mod engines;
pub(crate) mod games;
pub(crate) mod generate;
pub(crate) mod manual;
pub(crate) mod matches;
pub(crate) mod measure;
pub(crate) mod overview;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
mod strong;
pub(crate) mod talk;
pub(crate) mod tournament;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod weights;
