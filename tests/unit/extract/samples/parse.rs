//! Numbers out of text.
use std::collections::HashMap;
use std::fmt::{
    self, Display,
};

/// The most digits of a number.
pub const MOST: usize = 64;

#[derive(Debug, Clone)]
pub struct Reader<'a, T> {
    text: &'a str,
    /// Where it is.
    at: usize,
    found: Vec<T>,
}

#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    Empty,
    TooLong { length: usize },
}

pub trait Source {
    fn next(&mut self) -> Option<char>;

    fn skip(&mut self, count: usize) -> usize {
        (0..count).filter(|_| self.next().is_some()).count()
    }
}

impl<'a, T: Clone> Reader<'a, T> {
    #[inline]
    pub fn new(
        text: &'a str,
        first: T,
    ) -> Self {
        Reader { text, at: 0, found: vec![first.clone(), first] }
    }
}

impl<'a, T> Source for Reader<'a, T> {
    fn next(&mut self) -> Option<char> {
        let found = self.text[self.at..]
            .chars()
            .next();
        match found {
            Some(sign) => {
                self.at += sign.len_utf8();
            }
            None => println!("the end of {}, at {}", self.text, self.at), /* no more */
        }
        found
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"a "fault""#)
    }
}

macro_rules! twice {
    ($e:expr) => {
        ($e, $e)
    };
}

mod tests {
    use super::*;

    pub(crate) async fn counts(names: &[&str]) -> Result<HashMap<char, usize>, Fault> {
        let counted = names.iter().map(|name| {
            name.len()
        });
        if names.is_empty() { return Err(Fault::Empty); }
        Ok(gather(counted, MOST, "names").await?)
    }
}
