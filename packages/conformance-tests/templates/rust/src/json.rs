//! JSON, so that the client needs no crate. Replace this file by `serde_json` where you have that.

use std::fmt;

/// Deeper nesting than this is no JSON for us.
const MAX_DEPTH: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// The digits as they were written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns None for anything that is no JSON.
    pub fn parse(text: &str) -> Option<Json> {
        let mut parser = Parser { text, at: 0 };
        let value = parser.value(0)?;
        parser.blanks();
        (parser.at == text.len()).then_some(value)
    }

    /// The member of an object, or null where there is none.
    pub fn get(&self, name: &str) -> &Json {
        let Json::Object(members) = self else { return &Json::Null };
        members.iter().rev().find(|(key, _)| key == name).map_or(&Json::Null, |(_, value)| value)
    }

    pub fn has(&self, name: &str) -> bool {
        matches!(self, Json::Object(members) if members.iter().any(|(key, _)| key == name))
    }

    pub fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The members of a list; none where this is no list.
    pub fn list(&self) -> &[Json] {
        if let Json::List(list) = self {
            list
        } else {
            &[]
        }
    }

    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// True, and behind it, if this word comes next.
    fn takes(&mut self, word: &str) -> bool {
        self.blanks();
        let comes = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if comes { word.len() } else { 0 };
        comes
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blanks();
        match self.next()? {
            _ if depth > MAX_DEPTH => None,
            b'n' => self.takes("null").then_some(Json::Null),
            b't' => self.takes("true").then_some(Json::Bool(true)),
            b'f' => self.takes("false").then_some(Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => self.members("[", "]", |parser| parser.value(depth + 1)).map(Json::List),
            b'{' => self
                .members("{", "}", |parser| {
                    let name = parser.string()?;
                    parser.takes(":").then_some(())?;
                    Some((name, parser.value(depth + 1)?))
                })
                .map(Json::Object),
            _ => self.number(),
        }
    }

    fn members<T>(
        &mut self,
        open: &str,
        close: &str,
        member: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut members = Vec::new();
        self.takes(open).then_some(())?;
        if self.takes(close) {
            return Some(members);
        }
        loop {
            members.push(member(self)?);
            if self.takes(close) {
                return Some(members);
            }
            self.takes(",").then_some(())?;
        }
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        while matches!(self.next(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        digits.parse::<f64>().ok().map(|_| Json::Number(digits.to_string()))
    }

    fn string(&mut self) -> Option<String> {
        self.takes("\"").then_some(())?;
        let mut units = String::new();
        loop {
            let run = self.text[self.at..].find(['"', '\\'])?;
            units.push_str(&self.text[self.at..self.at + run]);
            self.at += run + 1;
            if self.text.as_bytes()[self.at - 1] == b'"' {
                return Some(units);
            }
            self.at += 1;
            units.push(match self.text.as_bytes().get(self.at - 1)? {
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => self.escaped()?,
                other @ (b'"' | b'\\' | b'/') => *other as char,
                _ => return None,
            });
        }
    }

    /// The character of `\u` escapes, two of which may make one. A lone surrogate is U+FFFD.
    fn escaped(&mut self) -> Option<char> {
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) || !self.text[self.at..].starts_with("\\u") {
            return Some(char::from_u32(high).unwrap_or('\u{fffd}'));
        }
        let back = self.at;
        self.at += 2;
        let low = self.unit()?;
        if (0xdc00..0xe000).contains(&low) {
            return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        }
        self.at = back;
        Some('\u{fffd}')
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(digits) => write!(f, "{digits}"),
            Json::Text(text) => quoted(text, f),
            Json::List(list) => {
                write!(f, "[")?;
                for (index, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if index > 0 { "," } else { "" })?;
                }
                write!(f, "]")
            }
            Json::Object(members) => {
                write!(f, "{{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}", if index > 0 { "," } else { "" })?;
                    quoted(name, f)?;
                    write!(f, ":{value}")?;
                }
                write!(f, "}}")
            }
        }
    }
}

/// Writes a text, with the characters as escapes that some readers take for the end of a line.
fn quoted(text: &str, f: &mut fmt::Formatter) -> fmt::Result {
    write!(f, "\"")?;
    for char in text.chars() {
        match char {
            '"' | '\\' => write!(f, "\\{char}")?,
            '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", char as u32)?,
            _ => write!(f, "{char}")?,
        }
    }
    write!(f, "\"")
}
