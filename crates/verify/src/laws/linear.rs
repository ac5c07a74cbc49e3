//! Judging linear laws, by the million.

use std::cmp::Ordering;

use truecal_check::law::{Law, LinearForm, LinearLaw, Quantity, Relation};

use super::judge::Verdict;

/// A law whose two sides are linear in the quantities, made ready to be judged some ten times
/// faster than by [`judge`](super::judge()).
///
/// ```
/// use truecal::Measure;
/// use truecal_check::law::Quantity;
/// use truecal_verify::laws::{LinearJudge, Verdict};
/// let law = LinearJudge::of(&"stepce >= ucal/8".parse()?).expect("linear");
/// let mut numerators = [0; Quantity::ALL.len()];
/// numerators[Quantity::Measure(Measure::StepCe).index()] = 1; // 1/4
/// numerators[Quantity::Measure(Measure::UCal).index()] = 8; // 8/4
/// assert_eq!(law.judge(&numerators, 4), Verdict::Holds { equality: true });
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearJudge {
    hypothesis: Option<Form>,
    conclusion: Form,
}

/// A [`LinearForm`] with quantities by their [index](Quantity::index).
#[derive(Clone, Debug)]
struct Form {
    terms: Vec<(usize, i64)>,
    constant: i64,
    relation: Relation,
}

impl LinearJudge {
    /// `None` if the law has no [linear form](LinearLaw::of).
    pub fn of(law: &Law) -> Option<LinearJudge> {
        let LinearLaw { hypothesis, conclusion } = LinearLaw::of(law)?;
        let hypothesis = hypothesis.as_ref().map(Form::from);
        Some(LinearJudge { hypothesis, conclusion: Form::from(&conclusion) })
    }

    /// Judges the law where each quantity, by its [index](Quantity::index), is its numerator over
    /// `denominator`, which is positive.
    #[inline]
    pub fn judge(&self, numerators: &[i64; Quantity::ALL.len()], denominator: i64) -> Verdict {
        if let Some(form) = &self.hypothesis
            && !form.relation.admits(form.sign(numerators, denominator))
        {
            return Verdict::Inapplicable;
        }
        let sign = self.conclusion.sign(numerators, denominator);
        match self.conclusion.relation.admits(sign) {
            true => Verdict::Holds { equality: sign.is_eq() },
            false => Verdict::Fails,
        }
    }
}

impl From<&LinearForm> for Form {
    fn from(form: &LinearForm) -> Self {
        let terms = form.terms.iter().map(|(quantity, number)| (quantity.index(), *number));
        Form { terms: terms.collect(), constant: form.constant, relation: form.relation }
    }
}

impl Form {
    /// Coefficients have 32 bits, so that a sum of products with 64-bit numbers fits 128 bits.
    #[inline]
    fn sign(&self, numerators: &[i64; Quantity::ALL.len()], denominator: i64) -> Ordering {
        let product = |coefficient: i64, number: i64| i128::from(coefficient) * i128::from(number);
        let constant = product(self.constant, denominator);
        let sum = self.terms.iter().fold(constant, |sum, (index, coefficient)| {
            sum + product(*coefficient, numerators[*index])
        });
        sum.cmp(&0)
    }
}
