//! Arrows between modules point in one direction, in every crate and at every depth: among the
//! children of one module none uses another that comes back to it.
//!
//! What a file uses is read off its `use` lines and off paths that begin with `crate` or `super`. A
//! name that a module only passes on (`pub use child::Name`) counts as its child's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::tidy::{code, files, is_test, root};

/// The crates, and what stands beside them.
const CRATES: [&str; 7] = [
    "src",
    "crates/check/src",
    "crates/lab/src",
    "crates/verify/src",
    "crates/paper/src",
    "crates/cli/src",
    "benches/src",
];

/// The names from the root of a crate to a module.
type ModulePath = Vec<String>;

/// Each module, with its code.
type Modules = BTreeMap<ModulePath, String>;

/// Which children of a module each of them uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn names(path: &str) -> Vec<String> {
    path.split("::").map(|name| name.trim().to_owned()).collect()
}

/// The modules of a crate, without tests.
fn modules(folder: &str) -> Modules {
    let mut modules = Modules::new();
    for (path, text) in files(folder, &["rs"]) {
        let within = path.strip_prefix(root().join(folder)).expect("below the folder");
        if !is_test(within) {
            modules.insert(module_of(within), code(&text));
        }
    }
    modules
}

/// The module in a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module_of(file: &Path) -> ModulePath {
    let file = file.with_extension("");
    let mut path: ModulePath = file.iter().map(|part| part.to_string_lossy().into()).collect();
    if ["mod", "lib", "main"].contains(&path.last().map_or("", String::as_str)) {
        path.pop();
    }
    path
}

/// The paths of a `use` line, one for each name: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().to_owned()];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("one at least").push(c);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{before}{}", part.trim()))).collect()
}

/// Everything that a text names after `use`, and after `crate::` or `super::` elsewhere.
fn named(code: &str) -> Vec<ModulePath> {
    let starts = |place: usize| {
        !code[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    };
    let mut found = vec![];
    for (place, word) in code.match_indices("use ").filter(|(place, _)| starts(*place)) {
        let tree = code[place + word.len()..].split(';').next().unwrap_or_default();
        found.extend(expanded(tree).iter().map(|path| names(path)));
    }
    for start in ["crate::", "super::"] {
        for (place, _) in code.match_indices(start).filter(|(place, _)| starts(*place)) {
            let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let path: String = code[place..].chars().take_while(|c| is_path(*c)).collect();
            found.push(names(path.trim_end_matches(':')));
        }
    }
    found
}

/// The module that a path leads to from a module, as far as it leads to one of the crate.
fn resolved(modules: &Modules, from: &ModulePath, path: &[String]) -> Option<ModulePath> {
    let (mut here, mut rest) = (from.clone(), path);
    match rest.first()?.as_str() {
        "crate" => (here, rest) = (vec![], &rest[1..]),
        "super" => {
            while let Some(("super", after)) = rest.split_first().map(|(a, b)| (a.as_str(), b)) {
                here.pop();
                rest = after;
            }
        }
        "self" => rest = &rest[1..],
        child => {
            let child = [here.as_slice(), &[child.to_owned()]].concat();
            modules.contains_key(&child).then_some(())?;
        }
    }
    for name in rest {
        let child = [here.as_slice(), std::slice::from_ref(name)].concat();
        if modules.contains_key(&child) {
            here = child;
            continue;
        }
        // A name that is only passed on from a child.
        let passed = named(&modules[&here]).into_iter().find_map(|path| {
            let child = [here.as_slice(), &path[..1]].concat();
            let from_child = path.len() > 1 && path.last() == Some(name);
            (from_child && modules.contains_key(&child)).then_some(child)
        });
        here = passed.unwrap_or(here);
        break;
    }
    Some(here)
}

/// For each module, which of its children use which.
fn uses(modules: &Modules) -> BTreeMap<ModulePath, Uses> {
    let mut uses = BTreeMap::<ModulePath, Uses>::new();
    for (module, code) in modules {
        for path in named(code) {
            let Some(target) = resolved(modules, module, &path) else { continue };
            let common = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(own), Some(other)) = (module.get(common), target.get(common)) {
                let parent = uses.entry(module[..common].to_vec()).or_default();
                parent.entry(own.clone()).or_default().insert(other.clone());
            }
        }
    }
    uses
}

/// A cycle among modules that use one another, if there is one.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    // Modules that use only what is done are done; what never is lies on a cycle or above one.
    let mut left: Uses = uses.clone();
    loop {
        let done = left.iter().find(|(_, used)| !used.iter().any(|name| left.contains_key(name)));
        let Some(done) = done.map(|(module, _)| module.clone()) else { break };
        left.remove(&done);
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let used = &left[path.last().expect("a start")];
        let next = used.iter().find(|name| left.contains_key(*name)).expect("on it goes").clone();
        if let Some(start) = path.iter().position(|module| *module == next) {
            return Some(path.split_off(start));
        }
        path.push(next);
    }
}

/// The first cycle of a crate, and where it is.
fn first_cycle(modules: &Modules) -> Option<(ModulePath, Vec<String>)> {
    uses(modules).into_iter().find_map(|(parent, uses)| Some((parent, cycle(&uses)?)))
}

/// All that a module of a crate uses, at once or through others.
fn reached(uses: &Uses, module: &str) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![module.to_owned()]);
    while let Some(module) = open.pop() {
        let used = uses.get(&module).into_iter().flatten();
        open.extend(used.filter(|name| reached.insert((*name).clone())).cloned());
    }
    reached
}

#[test]
fn modules_do_not_use_one_another_in_circles() {
    for folder in CRATES {
        let modules = modules(folder);
        assert!(modules.len() >= 2, "{folder}");
        assert_eq!(first_cycle(&modules), None, "{folder}");
    }
}

#[test]
fn a_circle_would_be_found() {
    let crate_of = |texts: &[(&str, &str)]| -> Modules {
        let module = |path: &str| if path.is_empty() { vec![] } else { names(path) };
        texts.iter().map(|(path, code)| (module(path), (*code).to_owned())).collect()
    };
    let plain = [("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "struct B;")];
    assert_eq!(first_cycle(&crate_of(&plain)), None);
    let circles = [
        // Between modules of the crate, and below one of them.
        vec![("a", "use crate::b::B;"), ("b", "fn f() { crate::a::g() }")],
        vec![("m", ""), ("m::a", "use super::b::B;"), ("m::b", "use super::{a::A, c};")],
        // From a grandchild, and by a name that the parent passes on.
        vec![
            ("m", ""),
            ("m::a", ""),
            ("m::a::x", "super::super::b::f()"),
            ("m::b", "use super::a::A;"),
        ],
        vec![("m", "pub use a::{A, X};"), ("m::a", "use super::b::B;"), ("m::b", "use super::X;")],
        vec![("a", "use super::b;"), ("b", "use super::c;"), ("c", "use crate::{x, a::A};")],
    ];
    for texts in circles {
        let modules = crate_of(&[&[("", "")], &texts[..]].concat());
        assert!(first_cycle(&modules).is_some(), "{texts:?}");
    }
}

/// Agreement between two readings means something only if neither borrows from the other.
#[test]
fn readings_are_independent() {
    let uses = uses(&modules("src")).remove(&vec![]).expect("the modules of the crate");
    let formulas = ["measures", "any_levels", "evaluation", "number"];
    let all = |module: &str| reached(&uses, module);
    for (module, used, foreign) in [
        ("definitions", all("definitions"), &["levels", "witness", "measures", "any_levels"][..]),
        ("check", uses["check"].clone(), &["measures", "any_levels", "evaluation", "number"]),
        ("witness", all("witness"), &formulas),
        // The descriptions of measures lead to their definitions.
        ("measures", uses["measures"].clone(), &["definitions", "witness", "forecasts", "check"]),
    ] {
        let borrowed: Vec<_> = foreign.iter().filter(|name| used.contains(**name)).collect();
        assert!(borrowed.is_empty(), "{module} uses {borrowed:?}");
    }
    assert!(all("check").is_disjoint(&["measures", "evaluation"].map(str::to_owned).into()));
    // It can fail: the value with its witness comes from a formula.
    assert!(all("evaluation").contains("measures") && all("evaluation").contains("witness"));
}
