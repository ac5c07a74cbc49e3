//! The smoothed constructions.

use num_rational::BigRational;
use num_traits::Pow;

use super::LAB;
use crate::claims::lower::Instance;
use crate::claims::tools::{finite, int, r};
use truecal::Measure;
use truecal_lab::constructions::strong_upper_bound;
use truecal_lab::enclosure::Enclosure;
use truecal_lab::natures::{Epochs, Strategist};
use truecal_lab::penalty::exact;
use truecal_lab::{Forecaster, Nature, Truthful, forecasters, natures};
use truecal_verify::registry::{Claim, Evidence, Kind, Scope};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:smoothed-hedging",
        kind: Kind::Expectation,
        reading: "With p* uniform within 1/20 of 1/5 and 4/5, the expected VCal of the hedging \
            forecaster is exactly that without noise, and that of the truth at least 0.17 \
            T^(1/3).",
        uses: &["lab:expectations", "smooth-marginal", "smooth-constants"],
        see: &["prop:subsampsmooth", "E46", "E47"],
        checks: &[finite!(
            "hedging by binomial laws, the truth by integrals",
            Scope::Cases,
            "even T <= 60, T = 64, 216; truth: T = 2, 4",
            smoothed_hedging,
        )],
        ..LAB
    },
    Claim {
        id: "lab:epochs-truthful",
        kind: Kind::Expectation,
        reading: "On the epochs of the lower bound with k = 4, at T = 20, 60, 180 and 540, the \
            expected stepCE of the truth is at least what its rounds below w_(k+1) add, exactly: \
            at least 0.157 sqrt(Tk/5), and 1.4 to 1.74 times as much when T triples. The \
            strategist pays less than 0.157 sqrt(Tk/5) at T = 20 and 60.",
        scope: Scope::Instance,
        uses: &["epoch-bias", "last-epoch-zero"],
        see: &["prop:soundlowerbound", "lab:epochs"],
        checks: &[finite!("exact penalties", Scope::Instance, "T = 20, 60, 180, 540", epochs)],
        ..LAB
    },
    Claim {
        id: "lab:main-bound",
        kind: Kind::Expectation,
        reading: "Where the explicit bound of the main theorem says something: stepCE^sub is at \
            most T/2, and for 2 <= T <= 2^17 the bound is more than that, for every nature and c. \
            For uniform p* (c = 1), with sqrt(T/6) for E sqrt(Var_T), it is more up to T = 2^20, \
            and less for every T >= 2^21.",
        see: &["thm:strongupperbound"],
        checks: &[finite!("the bound against T/2", Scope::All, "all T >= 2", main_bound)],
        ..LAB
    },
];

/// The truth from T = 8 to 512 is `smooth-constants`.
fn smoothed_hedging(evidence: &mut Evidence) {
    let noise = r(natures::USUAL_NOISE.0, natures::USUAL_NOISE.1);
    for rounds in (2..=60).step_by(2).chain([64, 216]) {
        let [smoothed, plain] =
            [natures::smoothed_hedging(rounds, &noise), natures::hedging(rounds)];
        let [with_noise, without] = [&smoothed, &plain].map(|nature| {
            let hedger = forecasters::named("hedging", nature, Measure::VCal).expect("its name");
            exact_value(nature, &*hedger)
        });
        let text = |value: &BigRational| {
            format!("T = {rounds}\nE VCal with noise {with_noise}, without or else {value}")
        };
        evidence.case(with_noise == without, || text(&without));
        if rounds <= 4 {
            let truth = exact_value(&smoothed, &Truthful);
            // The cube against that of 0.17 T^(1/3).
            let at_least = |hundredths: i64| {
                truth.clone().pow(3)
                    >= r(hundredths, 100).pow(3) * BigRational::from_integer(rounds.into())
            };
            evidence.case(at_least(17), || text(&truth));
            evidence.mistake("0.6 T^(1/3)", at_least(60), || text(&truth));
            evidence.mistake("the truth is as good", truth <= with_noise, || text(&truth));
        }
    }
}

fn exact_value(nature: &dyn Nature, forecaster: &dyn Forecaster) -> BigRational {
    let penalty = exact(nature, forecaster, Measure::VCal, 1 << 20);
    penalty.ok().and_then(|penalty| penalty.exact().cloned()).expect("within the usual steps")
}

/// 2 truthful_at_least is the sum over the epochs of the means of epoch-bias, over all searches;
/// the later rounds add 0 (last-epoch-zero). The strategist's penalty is by states, which are many
/// for larger T.
fn epochs(evidence: &mut Evidence) {
    let mut before: Option<BigRational> = None;
    for rounds in [20, 60, 180, 540_u32] {
        let nature = Epochs::usual(rounds.into()).expect("a multiple of 20");
        let instance = Instance { epochs: 4, length: rounds / 20, c: nature.c() };
        let truth = instance.truthful_at_least() * int(2);
        // (0.157)² Tk/5
        let square = r(157 * 157, 1_000_000) * int(rounds) * r(4, 5);
        let text = || format!("T = {rounds}: truth at least {:.6}", Enclosure::exact(&truth));
        evidence.case(&truth * &truth >= square, text);
        let more = &square * r(16, 9);
        evidence.mistake("4/3 of 0.157 sqrt(Tk/5)", &truth * &truth >= more, text);
        if rounds <= 60 {
            let strategist = strategist(&nature);
            let text = || format!("{}, strategist {:.6}", text(), Enclosure::exact(&strategist));
            evidence.case(&strategist * &strategist < square, text);
            evidence.mistake("honesty costs less", truth <= strategist, text);
        }
        if let Some(before) = before.replace(truth.clone()) {
            let growth = &truth / before;
            evidence.case(r(14, 10) <= growth && growth <= r(174, 100), text);
            evidence.mistake("T^(1/3)", Pow::pow(&growth, 3_u32) <= int(3), text);
        }
    }
}

/// The expected stepCE of the strategist.
fn strategist(nature: &Epochs) -> BigRational {
    let penalty = exact(nature, &Strategist::new(nature), Measure::StepCe, 1 << 20);
    penalty.ok().and_then(|penalty| penalty.exact().cloned()).expect("few states")
}

/// stepCE^sub <= T/2, since a random half of the steps contributes at most 1 each. The bound grows
/// with T, with 1/c and with the variance. So for T in [a, b] it is enough that at a, c = 1 (and
/// without variance, or with sqrt(a/6): p(1-p) has the mean 1/6) it is more than b/2. And over T it
/// falls from 2^21 on: 1/sqrt(T) does, and log2(T)^j/T with j <= 3 as soon as ln T > 3; so T = 2^21
/// is the worst.
fn main_bound(evidence: &mut Evidence) {
    let bound = |rounds: u64, variance: i64| {
        let deviation = Enclosure::ratio(variance * rounds.cast_signed(), 6).sqrt();
        strong_upper_bound(rounds, &int(1), &deviation)
    };
    let mut more = |from: u64, to: u64, variance: i64| {
        let (most, value) = (Enclosure::ratio(to.cast_signed(), 2), bound(from, variance));
        let text = || format!("T from {from} to {to}: the bound is {value:.3}, T/2 <= {most:.3}");
        evidence.case(most.below(&value) == Some(true), text);
    };
    (1..=16).for_each(|j| more(1 << j, 2 << j, 0));
    (1..=18).for_each(|j| more(1 << j, 2 << j, 1));
    (4..8).for_each(|j| more(j << 17, (j + 1) << 17, 1));
    let less =
        |power: u32| bound(1 << power, 1).below(&Enclosure::from(1 << (power - 1))) == Some(true);
    evidence.case(less(21), || format!("T = 2^21: {:.3}", bound(1 << 21, 1)));
    evidence
        .mistake("less from 2^20 on", less(20), || format!("T = 2^20: {:.3}", bound(1 << 20, 1)));
}
