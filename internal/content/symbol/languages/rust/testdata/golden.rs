//! A crate.
use std::fmt;
pub use crate::other::Thing;
/// Doc.
#[derive(Debug)]
pub struct Reader<'a> { pub path: &'a str, secret: u8 }
pub struct Pair(pub u8, u16);
struct Hidden;
pub enum Color { Red = 1, Green { a: u8 } }
impl<'a> Reader<'a> {
    pub const LIMIT: usize = 10;
    pub fn new(path: &'a str) -> Self { fn local() {} Reader { path, secret: 1 } }
    pub(crate) fn inner(&self) {}
    fn hidden(&self) {}
}
impl fmt::Display for Reader<'_> { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }
impl Hidden { pub fn m(&self) {} }
pub trait Walk: Sized { type Item; fn walk(&self) -> Self::Item; fn n(&self) -> u8 { 1 } }
pub fn parse<T: Walk>(text: &str, t: T) -> Result<(), String> where T: Clone { Ok(()) }
pub(crate) fn crate_only() {}
pub mod inner { pub fn f() {} fn g() {} }
#[macro_export]
macro_rules! shout { ($x:expr) => { $x } }
pub type Alias = Vec<u8>;
pub static S: &str = "s";
