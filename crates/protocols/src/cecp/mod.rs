//! CECP, the Chess Engine Communication Protocol of xboard (Mann and Muller 2009): only the front's side, to drive engines that
//! speak nothing else.

mod client;
mod codec;

pub(crate) use client::CecpDriver;
