//! [`Impatient`]: a connection with somebody who may be slow.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::shares::Taken;

/// So much of what waits must be taken at a time, or all of it, for a connection to be still in
/// use.
const LEAST_TAKEN: usize = 16 * 1024;

/// A connection that is broken off when what is written to it is not taken.
pub(crate) struct Impatient {
    stream: TcpStream,
    patience: Duration,
    /// Since it had to wait, if it has.
    waiting: Option<Pin<Box<Sleep>>>,
    /// What was taken since.
    taken: usize,
    /// Its place among all connections; a WebSocket keeps it.
    _place: Taken,
}

impl Impatient {
    pub(crate) fn new(stream: TcpStream, patience: Duration, place: Taken) -> Impatient {
        Impatient { stream, patience, waiting: None, taken: 0, _place: place }
    }

    /// What became of `length` bytes to write; an error if too little was taken for too long.
    fn judge(
        &mut self,
        context: &mut Context<'_>,
        length: usize,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = written {
            self.taken += count;
            if count == length || self.taken >= LEAST_TAKEN {
                self.waiting = None;
            }
        }
        if written.is_pending() {
            let waiting = self.waiting.get_or_insert_with(|| {
                self.taken = 0;
                Box::pin(sleep(self.patience))
            });
            if waiting.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        written
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, bytes.len(), written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length = slices.iter().map(|slice| slice.len()).sum();
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, length, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
