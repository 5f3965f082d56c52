//! Numbers, texts and lists as bytes; a frame with version and checksum around them.
//!
//! Numbers are varints (LEB128) in their shortest form, signed ones folded (0, -1, 1, -2, …).

use certificate::crc32;

use super::MessageError;

/// What a kind of message has in common.
pub(super) struct Frame {
    /// What it is called in errors.
    pub(super) what: &'static str,
    /// How it begins.
    pub(super) magic: [u8; 4],
    pub(super) version: u8,
    /// The most bytes, frame included.
    pub(super) largest: usize,
}

impl Frame {
    /// Puts the frame around a body.
    pub(super) fn seal(&self, body: &Sink) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.push(self.version);
        bytes.extend(&body.0);
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// What is inside, if the frame is whole.
    pub(super) fn open<'b>(&self, bytes: &'b [u8]) -> Result<Source<'b>, MessageError> {
        let &Frame { what, magic, version: known, largest } = self;
        if bytes.len() > largest {
            return Err(MessageError::TooLarge { what, bytes: bytes.len(), most: largest });
        }
        let Some((head, checksum)) = bytes.split_last_chunk::<4>() else {
            return Err(MessageError::Foreign(what));
        };
        match head.strip_prefix(&magic).map(<[u8]>::split_first) {
            None | Some(None) => Err(MessageError::Foreign(what)),
            Some(Some((&version, _))) if version != known => {
                Err(MessageError::OtherVersion { what, version, known })
            }
            Some(Some(_)) if crc32(head) != u32::from_le_bytes(*checksum) => {
                Err(MessageError::Damaged(what))
            }
            Some(Some(_)) => Ok(Source { bytes: head, at: magic.len() + 1 }),
        }
    }
}

/// Bytes to be.
#[derive(Debug, Default)]
pub(crate) struct Sink(pub(crate) Vec<u8>);

impl Sink {
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn signed(&mut self, number: i32) {
        self.number(u64::from((number << 1 ^ number >> 31) as u32));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// Moves by their places among the legal ones.
    pub(crate) fn places(&mut self, places: &[u16]) {
        self.number(places.len() as u64);
        places.iter().for_each(|&place| self.number(place.into()));
    }

    pub(crate) fn wide(&mut self, number: u128) {
        self.0.extend(number.to_le_bytes());
    }
}

/// Bytes and how far they have been read.
#[derive(Debug)]
pub(crate) struct Source<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) at: usize,
}

impl<'b> Source<'b> {
    /// What is wrong with something that begins here.
    pub(crate) fn wrong(&self, what: &'static str) -> MessageError {
        MessageError::Wrong { at: self.at, what }
    }

    pub(crate) fn take(
        &mut self,
        length: usize,
        what: &'static str,
    ) -> Result<&'b [u8], MessageError> {
        let taken = self.bytes[self.at..].get(..length).ok_or_else(|| self.wrong(what))?;
        self.at += length;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self, what: &'static str) -> Result<u8, MessageError> {
        Ok(self.take(1, what)?[0])
    }

    /// A number up to this one.
    pub(crate) fn number(&mut self, most: u64, what: &'static str) -> Result<u64, MessageError> {
        let wrong = self.wrong(what);
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte(what)?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                let is_shortest = byte != 0 || shift == 0;
                return if is_shortest && number <= most { Ok(number) } else { Err(wrong) };
            }
        }
        Err(wrong)
    }

    pub(crate) fn signed(&mut self, what: &'static str) -> Result<i32, MessageError> {
        let folded = self.number(u32::MAX.into(), what)? as u32;
        Ok((folded >> 1) as i32 ^ -((folded & 1) as i32))
    }

    /// Bytes with their number before them, at most so many.
    pub(crate) fn bytes(
        &mut self,
        most: usize,
        what: &'static str,
    ) -> Result<&'b [u8], MessageError> {
        let length = self.number(most as u64, what)?;
        self.take(length as usize, what)
    }

    pub(crate) fn text(&mut self, most: usize, what: &'static str) -> Result<String, MessageError> {
        let wrong = self.wrong(what);
        str::from_utf8(self.bytes(most, what)?).map(str::to_owned).map_err(|_| wrong)
    }

    pub(crate) fn places(&mut self, most: usize) -> Result<Vec<u16>, MessageError> {
        let count = self.number(most as u64, "a number of moves")?;
        let place = |_| self.number(u16::MAX.into(), "a move").map(|place| place as u16);
        (0..count).map(place).collect()
    }

    pub(crate) fn wide(&mut self, what: &'static str) -> Result<u128, MessageError> {
        let bytes = self.take(16, what)?;
        bytes.try_into().map(u128::from_le_bytes).map_err(|_| self.wrong(what))
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Result<(), MessageError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.wrong("the end")) }
    }
}
