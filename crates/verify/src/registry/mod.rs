//! What a registry is made of: claims with their checks, what a check finds, and the status that
//! follows. Whoever has statements to check writes rows of these types, as `truecal_paper` does.

mod finding;
mod finite;
mod status;

pub use crate::scope::{Scope, ScopeError};
pub use finding::{Control, Correction, Counterexample, Finding};
pub use finite::Evidence;
pub use status::Status;
pub(crate) use status::settle;

use std::fmt;

/// How much a run does.
// Exhaustive on purpose: whoever repeats a run must know how far it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// A few seconds.
    Quick,
    /// Under a minute.
    #[default]
    Usual,
    /// Minutes to hours.
    Full,
}

/// One statement.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The paper's label where it has one, otherwise a name; `E01` for an erratum.
    pub id: &'static str,
    /// Where it stands.
    pub section: Section,
    /// What sort of statement it is.
    pub kind: Kind,
    /// The lines of the paper's source, such as `985, 2059-2137`; empty for what is not in the
    /// paper.
    pub lines: &'static str,
    /// What we take it to say: quantifiers, domain, explicit constants.
    pub reading: &'static str,
    /// For what the reading states it.
    pub scope: Scope,
    /// Where the reading departs from the paper, and why; empty if it does not.
    pub departs: &'static str,
    /// The claims that state parts of it: it is as weak as the weakest of them. A claim without
    /// checks may be all parts: an announcement, or a statement in which something is wrong.
    pub parts: &'static [&'static str],
    /// The claims that its proof rests on: until each of them is proved, it is conditional.
    pub uses: &'static [&'static str],
    /// The claims to read with it: the statement of a refuted step, the erratum of a false one.
    pub see: &'static [&'static str],
    /// The best constant and where it is attained; empty without one.
    pub tight: &'static str,
    /// What is wrong in the paper, for a row that says so.
    pub defect: Option<Defect>,
    /// Why there is no machine check; empty if there is one.
    pub stated: &'static str,
    /// What is run.
    pub checks: &'static [Check],
}

/// A row to start from: `Claim { id: …, ..ROW }`.
pub const ROW: Claim = Claim {
    id: "",
    section: Section { key: "", title: "" },
    kind: Kind::Prose,
    lines: "",
    reading: "",
    // What says nothing of its scope must be shown in full.
    scope: Scope::All,
    departs: "",
    parts: &[],
    uses: &[],
    see: &[],
    tight: "",
    defect: None,
    stated: "",
    checks: &[],
};

/// Something that is wrong where it stands: each has one row, however many statements it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// How bad it is.
    pub severity: Severity,
    /// What to write instead, and what becomes of the results that rest on it.
    pub repair: &'static str,
}

/// How bad a defect is, worst first.
// Exhaustive on purpose: whoever counts defects must count a new sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A statement, or what the text builds on, is false and has to be changed.
    Consequence,
    /// A step of a proof is false, and another one takes its place: the result stands.
    Step,
    /// A special case was overlooked: an end of a range, a tie, a parity, a rounding.
    Boundary,
    /// Not what was meant: a sign, an index, a name.
    Slip,
}

impl Severity {
    /// All of them, worst first.
    pub const ALL: [Severity; 4] =
        [Severity::Consequence, Severity::Step, Severity::Boundary, Severity::Slip];

    /// The name in reports and JSON.
    pub fn key(self) -> &'static str {
        match self {
            Severity::Consequence => "false with consequence",
            Severity::Step => "repairable step",
            Severity::Boundary => "boundary case",
            Severity::Slip => "slip",
        }
    }
}

/// A part of a registry, such as a section of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// The name on the command line and in JSON.
    pub key: &'static str,
    /// The heading in reports.
    pub title: &'static str,
}

/// The sorts of statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// What a word means.
    Definition,
    /// An inequality for all sequences.
    Inequality,
    /// An equation for all sequences or parameters.
    Identity,
    /// A particular sequence, family or nature with stated properties.
    Construction,
    /// A statement about an expectation or a probability.
    Expectation,
    /// An inequality between explicit numbers or functions of a few parameters.
    Numeric,
    /// A statement about the algorithm.
    Algorithm,
    /// Taken from another paper.
    Cited,
    /// Words: announcements, notation, slips of the pen.
    Prose,
}

impl Kind {
    /// The name in reports and JSON.
    pub fn key(self) -> &'static str {
        match self {
            Kind::Definition => "definition",
            Kind::Inequality => "inequality",
            Kind::Identity => "identity",
            Kind::Construction => "construction",
            Kind::Expectation => "expectation",
            Kind::Numeric => "numeric",
            Kind::Algorithm => "algorithm",
            Kind::Cited => "cited",
            Kind::Prose => "prose",
        }
    }
}

/// One way to look for a counterexample, or to show one.
// Exhaustive on purpose: whoever lists or proves checks must notice a new one.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// A law, for all level tables of a grid and for sampled long sequences.
    Law(LawCheck),
    /// Facts about one sequence, in the language of laws.
    Example(Example),
    /// A law of the paper that fails at a given sequence.
    Refutation(Refutation),
    /// A computation of its own.
    Finite(FiniteCheck),
}

/// A sequence as text: `("1,0", "1/2,1")` are the outcomes and the predictions.
pub type Sequence = (&'static str, &'static str);

/// See [`Check::Law`].
#[derive(Clone, Copy, Debug)]
pub struct LawCheck {
    /// The law (see [`truecal_check::law`]).
    pub law: &'static str,
    /// Sequences where its two sides are equal.
    pub attained: &'static [Sequence],
    /// A wrong variant that must be refuted on the same domain, if not the law with 99/100 of its
    /// larger side.
    pub mistake: Option<&'static str>,
    /// What holds instead, on the same domain, for a law that is expected to fail.
    pub correction: Option<&'static str>,
}

/// A law; its controls are the same law with its larger side multiplied by 99/100.
pub const fn law(law: &'static str) -> LawCheck {
    LawCheck { law, attained: &[], mistake: None, correction: None }
}

impl LawCheck {
    /// Names sequences where the law is tight.
    pub const fn attained(self, attained: &'static [Sequence]) -> Self {
        LawCheck { attained, ..self }
    }

    /// Gives the wrong variant explicitly: for identities, and for constants that are not tight.
    pub const fn mistake(self, law: &'static str) -> Self {
        LawCheck { mistake: Some(law), ..self }
    }

    /// Gives what holds instead of a false law.
    pub const fn correction(self, law: &'static str) -> Self {
        LawCheck { correction: Some(law), ..self }
    }
}

/// See [`Check::Example`].
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Where.
    pub sequence: Sequence,
    /// Laws that hold there; equations state values.
    pub facts: &'static [&'static str],
}

/// See [`Check::Refutation`].
#[derive(Clone, Copy, Debug)]
pub struct Refutation {
    /// What the paper says.
    pub law: &'static str,
    /// Where it fails.
    pub sequence: Sequence,
    /// The values there.
    pub facts: &'static [&'static str],
    /// What holds instead, there and (by a check of another row) elsewhere.
    pub correction: &'static str,
}

/// See [`Check::Finite`].
#[derive(Clone, Copy)]
pub struct FiniteCheck {
    /// What is computed, in a few words.
    pub title: &'static str,
    /// How far it reaches if nothing fails.
    pub scope: Scope,
    /// The cases in words, such as `T <= 8, all outcomes`.
    pub covers: &'static str,
    /// The computation.
    pub run: fn(&mut Evidence),
    /// The path of that function, where it says why its cases are enough; empty if it does not.
    pub place: &'static str,
    /// The theorems in [`kernel`](crate::kernel) that together say what is computed here of all
    /// cases.
    pub proofs: &'static [&'static str],
}

impl Check {
    /// A computation of what theorems say of all cases.
    pub const fn proved_by(self, proofs: &'static [&'static str]) -> Check {
        match self {
            Check::Finite(evidence) => Check::Finite(FiniteCheck { proofs, ..evidence }),
            other => other,
        }
    }
}

impl fmt::Debug for FiniteCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.covers)
    }
}
