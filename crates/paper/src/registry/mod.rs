//! What the registry is made of: claims with their checks, what a check finds, and the status that
//! follows. The rows themselves are in [`claims`](crate::claims).

mod status;
mod survey;

pub use status::{Control, Correction, Counterexample, Finding, Status, Strength};
pub use survey::Survey;

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
    /// Where the reading departs from the paper, and why; empty if it does not.
    pub departs: &'static str,
    /// The claims that its proof rests on.
    pub uses: &'static [&'static str],
    /// The claims to read with it: the statement of a refuted step, the erratum of a false one.
    pub see: &'static [&'static str],
    /// The best constant and where it is attained; empty without one.
    pub tight: &'static str,
    /// Why there is no machine check; empty if there is one.
    pub stated: &'static str,
    /// What is run.
    pub checks: &'static [Check],
}

/// A row to start from: `Claim { id: …, ..ROW }`.
pub(crate) const ROW: Claim = Claim {
    id: "",
    section: Section::Introduction,
    kind: Kind::Prose,
    lines: "",
    reading: "",
    departs: "",
    uses: &[],
    see: &[],
    tight: "",
    stated: "",
    checks: &[],
};

/// The parts of the paper, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Section {
    /// Abstract and introduction.
    Introduction,
    /// Measures, completeness, soundness, truthfulness.
    Preliminaries,
    /// The technical overview.
    Overview,
    /// U-calibration is not truthful.
    UCalibration,
    /// Step calibration and what it implies.
    StepCalibration,
    /// Truthfulness of step calibration: the first bounds.
    WarmUp,
    /// The lower bound for smoothed natures.
    LowerBound,
    /// The main theorem.
    MainTheorem,
    /// Product distributions.
    Product,
    /// The forecasting algorithm.
    Algorithm,
    /// The deferred proofs.
    Appendix,
    /// Best constants, which go beyond the paper.
    Tight,
    /// What the truthfulness lab computes.
    Lab,
    /// What the program itself must get right.
    Program,
}

impl Section {
    /// All of them, in order.
    pub const ALL: [Section; 14] = [
        Section::Introduction,
        Section::Preliminaries,
        Section::Overview,
        Section::UCalibration,
        Section::StepCalibration,
        Section::WarmUp,
        Section::LowerBound,
        Section::MainTheorem,
        Section::Product,
        Section::Algorithm,
        Section::Appendix,
        Section::Tight,
        Section::Lab,
        Section::Program,
    ];

    /// The name on the command line and in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Section::Introduction => "introduction",
            Section::Preliminaries => "preliminaries",
            Section::Overview => "overview",
            Section::UCalibration => "ucal",
            Section::StepCalibration => "step",
            Section::WarmUp => "warmup",
            Section::LowerBound => "lower",
            Section::MainTheorem => "main",
            Section::Product => "product",
            Section::Algorithm => "algorithm",
            Section::Appendix => "appendix",
            Section::Tight => "tight",
            Section::Lab => "lab",
            Section::Program => "program",
        }
    }
}

/// The heading in reports.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Section::Introduction => "Abstract and introduction (L177-295)",
            Section::Preliminaries => "Preliminaries (L296-393)",
            Section::Overview => "Technical overview (L394-490)",
            Section::UCalibration => "Non-truthfulness of U-calibration (L492-956)",
            Section::StepCalibration => "Step calibration (L958-1071)",
            Section::WarmUp => "Truthfulness, first bounds (L1073-1164)",
            Section::LowerBound => "Lower bound for smoothed natures (L1170-1274)",
            Section::MainTheorem => "The main theorem (L1276-1710)",
            Section::Product => "Product distributions (L1712-1774)",
            Section::Algorithm => "The algorithm (L1776-1897)",
            Section::Appendix => "Deferred proofs (L1909-2194)",
            Section::Tight => "Best constants (beyond the paper)",
            Section::Lab => "The truthfulness lab (beyond the paper)",
            Section::Program => "The program itself (beyond the paper)",
        })
    }
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
    Survey(SurveyCheck),
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
pub(crate) const fn law(law: &'static str) -> LawCheck {
    LawCheck { law, attained: &[], mistake: None, correction: None }
}

impl LawCheck {
    /// Names sequences where the law is tight.
    pub(crate) const fn attained(self, attained: &'static [Sequence]) -> Self {
        LawCheck { attained, ..self }
    }

    /// Gives the wrong variant explicitly: for identities, and for constants that are not tight.
    pub(crate) const fn mistake(self, law: &'static str) -> Self {
        LawCheck { mistake: Some(law), ..self }
    }

    /// Gives what holds instead of a false law.
    pub(crate) const fn correction(self, law: &'static str) -> Self {
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

/// See [`Check::Survey`].
#[derive(Clone, Copy)]
pub struct SurveyCheck {
    /// What is computed, in a few words.
    pub title: &'static str,
    /// How much it shows if nothing fails.
    pub strength: Strength,
    /// The cases, such as `T <= 8, all outcomes`.
    pub covers: &'static str,
    /// The computation.
    pub run: fn(&mut Survey),
    /// The name of the claim in [`truecal_check::aggregated`] whose certificate proves what is
    /// computed here.
    pub proof: Option<&'static str>,
}

impl Check {
    /// A computation of what a certificate proves.
    pub(crate) const fn proved_by(self, name: &'static str) -> Check {
        match self {
            Check::Survey(survey) => Check::Survey(SurveyCheck { proof: Some(name), ..survey }),
            other => other,
        }
    }
}

impl fmt::Debug for SurveyCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.covers)
    }
}
