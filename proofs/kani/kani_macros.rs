//! What the harnesses use of Kani's attributes: see kani.rs for why this exists.
//!
//! Each attribute leaves the function as it is, but rejects what Kani rejects, most of which Kani's
//! own macros let pass and its compiler finds later. In two places these are stricter than Kani
//! needs to be: the bound of `unwind` is a plain decimal literal, and not one that a `macro_rules`
//! fragment (`$bound:literal`) has wrapped in an invisible group.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// What `proof` leaves behind for the attributes below it, which are expanded after it is gone.
const MARK: &str = "A harness of Kani.";

const SOLVERS: [&str; 6] = ["bitwuzla", "cadical", "cvc5", "kissat", "minisat", "z3"];

/// Marks a harness: a function without parameters, not a method.
#[proc_macro_attribute]
pub fn proof(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let checked = no_arguments("proof", &arguments).and_then(|()| harness(&item));
    let Err(problem) = checked else {
        // In an `impl`, where Kani takes no harness, the nameless constant is an error.
        let head = format!("const _: () = (); #[allow(dead_code)] #[doc = {MARK:?}]");
        let head: TokenStream = head.parse().expect("these are tokens");
        return head.into_iter().chain(item).collect();
    };
    problem.report(item)
}

/// Says that the harness must panic.
#[proc_macro_attribute]
pub fn should_panic(arguments: TokenStream, item: TokenStream) -> TokenStream {
    beside_proof("should_panic", no_arguments("should_panic", &arguments), item)
}

/// Bounds the loops of the harness.
#[proc_macro_attribute]
pub fn unwind(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments: Vec<TokenTree> = arguments.into_iter().collect();
    let checked = match arguments.as_slice() {
        [TokenTree::Literal(bound)] if is_bound(&bound.to_string()) => Ok(()),
        [first, ..] => Err(Problem::at(first.span(), "`unwind` takes one plain integer")),
        [] => Err(Problem::new("`unwind` takes one plain integer")),
    };
    beside_proof("unwind", checked, item)
}

/// Names the solver of the harness.
#[proc_macro_attribute]
pub fn solver(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments: Vec<TokenTree> = arguments.into_iter().collect();
    let checked = match arguments.as_slice() {
        [TokenTree::Ident(name)] if SOLVERS.contains(&name.to_string().as_str()) => Ok(()),
        [TokenTree::Ident(name), TokenTree::Punct(equals), TokenTree::Literal(path)]
            if name.to_string() == "bin"
                && equals.as_char() == '='
                && path.to_string().starts_with('"') =>
        {
            Ok(())
        }
        [first, ..] => Err(Problem::at(first.span(), "`solver` takes one solver known to Kani")),
        [] => Err(Problem::new("`solver` takes one solver known to Kani")),
    };
    beside_proof("solver", checked, item)
}

/// Something to reject, and where.
struct Problem {
    span: Span,
    message: String,
}

impl Problem {
    fn new(message: impl Into<String>) -> Self {
        Self::at(Span::call_site(), message)
    }

    fn at(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// `compile_error! { "…" }` before the item, which stays: what names it must not be a second
    /// error.
    fn report(self, item: TokenStream) -> TokenStream {
        let message = TokenTree::from(Literal::string(&self.message));
        let error = [
            TokenTree::from(Ident::new("compile_error", self.span)),
            TokenTree::from(Punct::new('!', Spacing::Alone)),
            TokenTree::from(Group::new(Delimiter::Brace, message.into())),
        ];
        let error = error.into_iter().map(|mut token| {
            token.set_span(self.span);
            token
        });
        error.chain(item).collect()
    }
}

fn no_arguments(name: &str, arguments: &TokenStream) -> Result<(), Problem> {
    match arguments.is_empty() {
        true => Ok(()),
        false => Err(Problem::new(format!("`{name}` takes no arguments"))),
    }
}

/// A decimal integer of 32 bits without a suffix.
fn is_bound(literal: &str) -> bool {
    literal.replace('_', "").parse::<u32>().is_ok()
}

/// The item, if the arguments are right and it is a function that is a harness too, with the
/// attribute once.
fn beside_proof(name: &str, arguments: Result<(), Problem>, item: TokenStream) -> TokenStream {
    let attributes = function(&item).map(|function| function.attributes);
    let checked = arguments.and(attributes).and_then(|attributes| {
        if attributes.iter().any(|attribute| ends_with(attribute, name)) {
            return Err(Problem::new(format!("`{name}` stands here twice")));
        }
        let is_proof =
            |attribute: &Vec<TokenTree>| ends_with(attribute, "proof") || is_mark(attribute);
        match attributes.iter().any(is_proof) {
            true => Ok(()),
            false => Err(Problem::new(format!("`{name}` requires `#[kani::proof]`"))),
        }
    });
    match checked {
        Ok(()) => item,
        Err(problem) => problem.report(item),
    }
}

/// Whether the item is a function that can be a harness.
fn harness(item: &TokenStream) -> Result<(), Problem> {
    let Function { signature, .. } = function(item)?;
    match signature.as_slice() {
        [TokenTree::Ident(_), TokenTree::Group(parameters), ..]
            if parameters.delimiter() == Delimiter::Parenthesis =>
        {
            match parameters.stream().is_empty() {
                true => Ok(()),
                false => Err(Problem::at(parameters.span(), "a harness has no parameters")),
            }
        }
        [name, ..] => Err(Problem::at(name.span(), "a harness is not generic")),
        [] => Err(Problem::new("a harness has a name")),
    }
}

/// A function with a body.
struct Function {
    /// What stands between the brackets of each attribute.
    attributes: Vec<Vec<TokenTree>>,
    /// What stands after `fn`.
    signature: Vec<TokenTree>,
}

fn function(item: &TokenStream) -> Result<Function, Problem> {
    let not_a_function = || Problem::new("only a function can be a harness");
    let mut tokens = visible(item.clone()).into_iter().peekable();
    let mut attributes = vec![];
    while tokens
        .next_if(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '#'))
        .is_some()
    {
        let Some(TokenTree::Group(attribute)) = tokens.next() else { return Err(not_a_function()) };
        attributes.push(visible(attribute.stream()));
    }
    loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                "fn" => break,
                "pub" | "const" | "async" | "unsafe" | "extern" => {}
                _ => return Err(not_a_function()),
            },
            // The place of `pub(…)` and the name of `extern "…"`.
            Some(TokenTree::Group(place)) if place.delimiter() == Delimiter::Parenthesis => {}
            Some(TokenTree::Literal(_)) => {}
            _ => return Err(not_a_function()),
        }
    }
    let signature: Vec<TokenTree> = tokens.collect();
    match signature.last() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
            Ok(Function { attributes, signature })
        }
        _ => Err(not_a_function()),
    }
}

/// The tokens without the invisible groups that `macro_rules` puts around what it was given.
fn visible(tokens: TokenStream) -> Vec<TokenTree> {
    let open = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => visible(group.stream()),
        token => vec![token],
    };
    tokens.into_iter().flat_map(open).collect()
}

/// Whether the path of an attribute ends with a name.
fn ends_with(attribute: &[TokenTree], name: &str) -> bool {
    let in_path = |token: &&TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(mark) => mark.as_char() == ':',
        _ => false,
    };
    let path: Vec<String> = attribute.iter().take_while(in_path).map(ToString::to_string).collect();
    path.last().is_some_and(|last| last == name)
}

fn is_mark(attribute: &[TokenTree]) -> bool {
    let Some(TokenTree::Literal(text)) = attribute.last() else { return false };
    text.to_string() == format!("{MARK:?}")
}
