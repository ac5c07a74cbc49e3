//! What a harness rests on, as a number that changes when it does.
//!
//! A record of Kani's is about the harness and the code under proof as they were. So both are
//! followed by name, from the body on: each function, type, constant and macro that is named, in
//! the proofs, in the package and in those below it. Names that merely look alike are followed too,
//! which makes a record look older than it is, never younger. Comments, spaces and tests do not
//! count. Not followed are other crates, and a function that is neither called nor given as the
//! only or the last argument of a call, but assigned: no code under proof does that.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The words and signs of a source, without comments and spaces.
fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let at = |place: usize| characters.get(place).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<String> = vec![];
    let mut place = 0;
    while place < characters.len() {
        let start = place;
        match at(place) {
            '/' if at(place + 1) == '/' => {
                while place < characters.len() && at(place) != '\n' {
                    place += 1;
                }
                continue;
            }
            '/' if at(place + 1) == '*' => {
                while place < characters.len() && (at(place), at(place + 1)) != ('*', '/') {
                    place += 1;
                }
                place += 2;
                continue;
            }
            c if c.is_whitespace() => {
                place += 1;
                continue;
            }
            '"' => {
                place += 1;
                while place < characters.len() && at(place) != '"' {
                    place += if at(place) == '\\' { 2 } else { 1 };
                }
                place += 1;
            }
            // A character, not a lifetime.
            '\'' if at(place + 1) == '\\' || at(place + 2) == '\'' => {
                place += if at(place + 1) == '\\' { 3 } else { 2 };
                while place < characters.len() && at(place) != '\'' {
                    place += 1;
                }
                place += 1;
            }
            c if is_word(c) => {
                while is_word(at(place)) {
                    place += 1;
                }
            }
            _ => place += 1,
        }
        let token: String = characters[start..place.min(characters.len())].iter().collect();
        // A comma before a closing bracket comes and goes with the width of lines.
        if matches!(&*token, ")" | "]" | "}") && found.last().is_some_and(|last| last == ",") {
            found.pop();
        }
        found.push(token);
    }
    found
}

/// What is named by some tokens.
#[derive(Default)]
struct Names {
    /// Types and constants, which begin with a capital, and functions and macros that are called.
    items: BTreeSet<String>,
    /// All that is called, methods too.
    calls: BTreeSet<String>,
}

impl Names {
    /// Of an import only what has another name here.
    fn add_import(&mut self, tokens: &[String]) {
        let renamed = tokens.windows(2).filter(|pair| pair[1] == "as");
        self.items.extend(renamed.map(|pair| pair[0].clone()));
    }

    fn add(&mut self, tokens: &[String]) {
        let handed_on = handed_on(tokens);
        for (place, token) in tokens.iter().enumerate() {
            let at = |offset: usize| tokens.get(place + offset).map_or("", |token| token);
            let before = place.checked_sub(1).map_or("", |place| &*tokens[place]);
            let with_types = (at(1), at(2), at(3)) == (":", ":", "<");
            let is_called = (with_types || matches!(at(1), "(" | "!")) && before != "fn"
                || handed_on.contains(token);
            let first = token.chars().next().unwrap_or_default();
            if first.is_uppercase() || is_called && before != "." && first.is_lowercase() {
                self.items.insert(token.clone());
            }
            if is_called || before == ":" {
                self.calls.insert(token.clone());
            }
        }
    }
}

/// The functions that are handed on by their names alone: words that stand as the only or the last
/// argument of a call and nowhere else, which no variable does, since it is bound somewhere.
fn handed_on(tokens: &[String]) -> BTreeSet<String> {
    let (mut handed, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
    let is_lower = |token: &str| token.starts_with(|c: char| c.is_lowercase());
    for (place, token) in tokens.iter().enumerate().filter(|(_, token)| is_lower(token)) {
        let back = |offset: usize| place.checked_sub(offset).map_or("", |place| &*tokens[place]);
        let closes = tokens.get(place + 1).is_some_and(|after| after == ")");
        let argument = back(1) == "(" && is_lower(back(2)) || back(1) == ",";
        if closes && argument { &mut handed } else { &mut elsewhere }.insert(token.clone());
    }
    &handed - &elsewhere
}

/// A function, a type, an implementation or a macro.
#[derive(Clone, Debug)]
struct Item {
    /// By what it is named elsewhere: it counts if this is.
    name: Option<String>,
    /// A method of this name, which counts if it is called, too.
    method: Option<String>,
    is_import: bool,
    file: usize,
    tokens: Vec<String>,
}

/// The items of a file that are not for tests. A macro, a call of one and an import have no name:
/// they count if anything else in their file does.
fn items(tokens: &[String], file: usize) -> Vec<Item> {
    let mut found = vec![];
    let (mut start, mut depth) = (0, 0_u32);
    for (place, token) in tokens.iter().enumerate() {
        depth += u32::from(matches!(&**token, "(" | "[" | "{"));
        depth = depth.saturating_sub(u32::from(matches!(&**token, ")" | "]" | "}")));
        if depth == 0 && matches!(&**token, ";" | "}") {
            item(&tokens[start..=place], file, &mut found);
            start = place + 1;
        }
    }
    found
}

/// Adds the item in these tokens, unless it is for tests; of a module and of the methods of a type
/// each one.
fn item(tokens: &[String], file: usize, found: &mut Vec<Item>) {
    // Behind its attributes and what else comes before the word that says what it is.
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        let beyond = |close: &str| after.iter().position(|t| t == close).map_or(0, |end| end + 1);
        rest = match &**first {
            "#" => &after[beyond("]")..],
            "pub" if after.first().is_some_and(|token| token == "(") => &after[beyond(")")..],
            "pub" => after,
            "const" if after.first().is_some_and(|token| token == "fn") => after,
            _ => break,
        };
    }
    let [word, next, ..] = rest else { return };
    if tokens[..tokens.len() - rest.len()].join(" ").contains("# [ cfg ( test ) ]") {
        return;
    }
    let is_import = word == "use";
    let whole = |name: Option<String>| {
        let tokens = tokens.to_vec();
        Item { name, method: None, is_import, file, tokens }
    };
    match (&**word, &**next) {
        ("use", _) => found.push(whole(None)),
        ("harnesses", _) => {}
        ("mod", _) => {
            let open = rest.iter().position(|token| token == "{").map_or(rest.len(), |at| at + 1);
            found.extend(items(rest.get(open..rest.len() - 1).unwrap_or_default(), file));
        }
        ("fn" | "struct" | "enum" | "trait" | "const" | "static" | "type", _) => {
            found.push(whole(Some(next.clone())));
        }
        ("impl", _) => {
            let (name, of_a_trait) = implemented(rest);
            let open = rest.iter().position(|token| token == "{").map_or(rest.len(), |at| at + 1);
            if of_a_trait {
                return found.push(whole(name));
            }
            // What is said of all methods is said of each.
            let head = &tokens[..tokens.len() - rest.len() + open];
            for inner in items(&rest[open..rest.len() - 1], file) {
                let tokens = [head, &inner.tokens].concat();
                found.push(Item { method: inner.name, name: name.clone(), tokens, ..inner });
            }
        }
        (_, "!") => found.push(whole(None)),
        _ => panic!("not an item: {}", tokens.join(" ")),
    }
}

/// The type of an implementation, or the trait if the type is one of the language's own, and
/// whether it is of a trait.
fn implemented(tokens: &[String]) -> (Option<String>, bool) {
    let head = tokens.iter().skip(1).take_while(|token| *token != "{" && *token != "where");
    let (mut depth, mut parts) = (0_u32, vec![None]);
    for token in head {
        match &**token {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "for" if depth == 0 => parts.push(None),
            word if depth == 0 && word.starts_with(|c: char| c.is_alphabetic()) => {
                *parts.last_mut().expect("there is one") = Some(token.clone());
            }
            _ => {}
        }
    }
    let of_a_trait = parts.len() > 1;
    let kind = parts.pop().flatten().filter(|name| name.starts_with(|c: char| c.is_uppercase()));
    (kind.or_else(|| parts.pop().flatten()), of_a_trait)
}

/// All sources of some packages and of the proofs.
pub struct Sources {
    items: Vec<Item>,
    /// The tokens of the files of harnesses.
    harnesses: Vec<Vec<String>>,
    /// What holds for all: how the modules are put together, and how Kani builds them.
    wiring: String,
}

impl Sources {
    /// Reads the folders of packages, these files of proofs, and what holds for all of them.
    pub fn read(folders: &[PathBuf], proofs: &[PathBuf], wiring: String) -> Sources {
        let mut files = vec![];
        for folder in folders {
            collect(folder, &mut files);
        }
        let text = |path: &PathBuf| fs::read_to_string(path).expect("a source");
        let texts = |paths: &[PathBuf]| paths.iter().map(text).collect::<Vec<_>>();
        Sources { wiring, ..Sources::of(&texts(&files), &texts(proofs)) }
    }

    /// The texts of packages, and of proofs.
    fn of(code: &[String], proofs: &[String]) -> Sources {
        let harnesses: Vec<_> = proofs.iter().map(|text| tokens(text)).collect();
        let files = code.iter().map(|text| tokens(text)).chain(harnesses.iter().cloned());
        let items = files.enumerate().flat_map(|(file, tokens)| items(&tokens, file)).collect();
        Sources { items, harnesses, wiring: String::new() }
    }

    /// The number of a harness, in sixteen digits.
    pub fn fingerprint(&self, harness: &str) -> String {
        // FNV-1a, of every item in an order of their own: where they stand does not matter.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.reached(harness).join("\n").bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{hash:016x}")
    }

    /// All that a harness rests on.
    fn reached(&self, harness: &str) -> Vec<String> {
        let body = self.harnesses.iter().find_map(|file| entry(file, harness));
        let body = body.expect("a harness");
        let mut names = Names::default();
        names.add(&body);
        let (mut reached, mut files) = (BTreeSet::new(), BTreeSet::new());
        loop {
            let before = reached.len();
            for (number, item) in self.items.iter().enumerate() {
                let wanted = match (&item.name, &item.method) {
                    (None, _) => files.contains(&item.file),
                    (Some(name), None) => names.items.contains(name),
                    (Some(name), Some(method)) => {
                        names.items.contains(name) && names.calls.contains(method)
                    }
                };
                if wanted && reached.insert(number) {
                    files.insert(item.file);
                    match item.is_import {
                        true => names.add_import(&item.tokens),
                        false => names.add(&item.tokens),
                    }
                }
            }
            if reached.len() == before {
                break;
            }
        }
        let mut texts: Vec<_> = reached.iter().map(|n| self.items[*n].tokens.join(" ")).collect();
        texts.push(body.join(" "));
        texts.push(self.wiring.clone());
        texts.sort();
        texts
    }
}

/// The loops and bodies of a harness, and not what is said of it: its entry from `unwind` on.
fn entry(tokens: &[String], harness: &str) -> Option<Vec<String>> {
    let start = tokens.windows(2).position(|pair| pair[0] == harness && pair[1] == "/")?;
    let mut depth = 0;
    let mut found = vec![];
    for token in &tokens[start..] {
        depth += i32::from(matches!(&**token, "(" | "[" | "{"));
        depth -= i32::from(matches!(&**token, ")" | "]" | "}"));
        if token == "unwind" || !found.is_empty() {
            found.push(token.clone());
        }
        if depth == 0 && token == "}" {
            break;
        }
    }
    // How long it should take changes nothing.
    let seconds = found.iter().position(|token| token == "seconds")?;
    found.drain(seconds..seconds + 4);
    Some(found)
}

/// Every file that is not for tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "tests" {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !["tests", "testing"].contains(&name)
        {
            files.push(path);
        }
    }
}

/// A package with one function and one type under proof, and all that must not matter.
#[cfg(test)]
mod tests {
    use super::*;

    const PROOFS: &str = "harnesses! {
        /// Words.
        holds / fails {
            claims: [\"a\"], domain: \"b\", cases: \"3\", unwind: 2, seconds: 10,
            proof: body(1), fault: \"c\" => body(2),
        }
        other / others { unwind: 3, seconds: 10, proof: idle(), fault: \"c\" => idle(), }
    }
    fn body(factor: i16) {
        assert!(Pair::new(turbo::<3>(factor)).sum() == Some(LIMIT).map(handed));
    }
    fn idle() {}";

    const CODE: &str = "use crate::nothing;
    pub const LIMIT: i16 = 3;
    #[derive(Clone)]
    pub(crate) struct Pair<'a> { low: &'a i16 }
    impl<'a> Pair<'a> {
        pub const fn new(low: i16) -> Self { made(low, ';', \"}\") }
        fn sum(&self) -> i16 { self.low /* plain */ }
        fn unused(&self) -> i16 { 0 }
    }
    impl Drop for Pair<'_> { fn drop(&mut self) {} }
    macro_rules! many { ($a:ident) => { struct $a; } }
    many!(Few);
    fn made(low: i16) -> Pair { Pair { low } }
    fn sum() {}
    fn turbo<const N: usize>(x: i16) -> i16 { x + 1 }
    mod inner { pub fn deep(x: i16) -> i16 { x - 5 } }
    fn handed(x: i16) -> i16 { inner::deep(x) + { x * 3 } }
    #[cfg(test)]
    mod tests { fn made() {} }";

    fn fingerprint(proofs: &str, code: &str, harness: &str) -> String {
        Sources::of(&[code.to_owned()], &[proofs.to_owned()]).fingerprint(harness)
    }

    #[test]
    fn what_matters_changes_the_number() {
        let before = fingerprint(PROOFS, CODE, "holds");
        for (from, to) in [
            ("body(1)", "body(3)"),
            ("body(2)", "body(3)"),
            ("unwind: 2", "unwind: 4"),
            ("== Some", "<= Some"),
        ] {
            let changed = PROOFS.replacen(from, to, 1);
            assert!(changed != PROOFS && fingerprint(&changed, CODE, "holds") != before, "{from}");
        }
        for (from, to) in [
            ("i16 = 3", "i16 = 4"),
            ("derive(Clone)", "derive(Clone, Copy)"),
            ("low: &'a i16", "low: &'a i32"),
            ("self.low ", "self.low + 1 "),
            ("';'", "'}'"),
            ("\"}\"", "\"{\""),
            ("fn drop(&mut self) {}", "fn drop(&mut self) { done() }"),
            ("{ low } }", "{ low: -low } }"),
            ("struct $a;", "struct $a();"),
            ("many!(Few)", "many!(Some)"),
            ("use crate::nothing;", "use crate::something as nothing;"),
            ("impl<'a> Pair<'a> {", "#[inline] impl<'a> Pair<'a> {"),
            ("{ x + 1 }", "{ x + 2 }"),
            ("{ x * 3 }", "{ x * 4 }"),
            ("{ x - 5 }", "{ x - 6 }"),
        ] {
            let changed = CODE.replacen(from, to, 1);
            assert!(changed != CODE && fingerprint(PROOFS, &changed, "holds") != before, "{from}");
        }
    }

    #[test]
    fn what_does_not_matter_does_not() {
        let before = fingerprint(PROOFS, CODE, "holds");
        for (from, to) in [
            ("/// Words.", "/// Other words."),
            ("seconds: 10", "seconds: 60"),
            ("claims: [\"a\"]", "claims: [\"b\"]"),
            ("proof: idle()", "proof: idle(1)"),
            ("fn idle() {}", "fn idle() { loop {} }"),
            ("body(1), ", "body(\n    1,\n    ),\n"),
        ] {
            let changed = PROOFS.replacen(from, to, 1);
            assert!(changed != PROOFS && fingerprint(&changed, CODE, "holds") == before, "{from}");
        }
        for (from, to) in [
            ("/* plain */", "// plain\n"),
            ("fn unused(&self) -> i16 { 0 }", "fn unused(&self) -> i16 { 1 }"),
            ("fn sum() {}", "fn total() {}"),
            ("mod tests { fn made() {} }", "mod tests { fn made() { panic!() } }"),
        ] {
            let changed = CODE.replacen(from, to, 1);
            assert!(changed != CODE && fingerprint(PROOFS, &changed, "holds") == before, "{from}");
        }
        assert_ne!(fingerprint(PROOFS, CODE, "other"), before);
    }
}
