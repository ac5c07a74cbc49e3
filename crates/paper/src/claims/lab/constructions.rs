//! The constructions with exact penalties.

use num_rational::BigRational;
use num_traits::Zero;

use super::LAB;
use crate::claims::lower::Instance;
use crate::claims::preliminaries::fair_bits_then_ones;
use crate::claims::tools::{finite, int, r};
use truecal::Measure;
use truecal_lab::constructions::{Construction, Duel};
use truecal_lab::enclosure::Enclosure;
use truecal_lab::natures::{Epochs, Strategist};
use truecal_lab::penalty::exact;
use truecal_lab::{Effort, Nature};
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Claim, Evidence, Kind, Scope};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:patch-up",
        kind: Kind::Expectation,
        reading: "T/2 fair coins and then T/2 certain events: the expected UCal of the truth is at \
            least sqrt(T)/2, that of \
                  predicting 5/8 until the bias is made good, then 1, at most 6/5.",
        uses: &["lab:expectations"],
        see: &["prop:HQYZ24-UCal"],
        checks: &[finite!(
            "penalties by states and by the number of heads",
            Scope::Cases,
            "even T <= 60, T = 120, 240",
            patch_up,
        )],
        ..LAB
    },
    Claim {
        id: "lab:discontinuity",
        kind: Kind::Construction,
        reading: "T/2 ones predicted 3/8 and T/2 zeros predicted 5/8 have UCal (1 + 2 eps) T = \
            5T/4, VCal 5T/8 and smCE 5T/64; predicted 1/2 they have 0.",
        see: &["prop-disc", "E22"],
        checks: &[finite!("exact values", Scope::Cases, "even T <= 40, T = 1000", discontinuity)],
        ..LAB
    },
    Claim {
        id: "lab:binary-search",
        kind: Kind::Expectation,
        reading: "On the binary search with eps = 1/(8 ceil(sqrt(T))) the truth has expected VCal \
            >= T/4 and VCal^sub >= T/8, always predicting 1/2 at most 5 sqrt(T)/4 of either; UCal \
            likewise with 5 sqrt(T)/2.",
        uses: &["lab:expectations"],
        see: &["prop:subsamptruth"],
        checks: &[finite!(
            "penalties by the outcome tree",
            Scope::Cases,
            "T <= 10; subsampled: T <= 7",
            binary_search,
        )],
        ..LAB
    },
    Claim {
        id: "lab:hidden-bias",
        kind: Kind::Construction,
        reading: "n zeros predicted 0 and T - n ones predicted j/(n + j), for the best n: UCal = \
            0, and stepCE = n (H_T - H_n) is between T/8 and T/e for T >= 2.",
        see: &["prop-hedging-bias", "TIGHT-hedging-bias"],
        checks: &[finite!("exact values", Scope::Cases, "T = 2, ..., 60, 120, 300", hidden_bias)],
        ..LAB
    },
    Claim {
        id: "lab:hedging",
        kind: Kind::Expectation,
        reading: "With probabilities 1/5 and 4/5, the truth has expected VCal >= 0.293 sqrt(T/2), \
            predicting 2/5 and 3/5 at most (8T/5)(e^(-T/25) + e^(-T/50)). It falls faster: by a \
            factor between e^(-0.032 T) and e^(-0.036 T) from T to 2T.",
        uses: &["lab:expectations"],
        see: &["prop:simplesubsamptruth", "E19"],
        checks: &[finite!(
            "penalties by binomial laws",
            Scope::Cases,
            "T = 10, 20, 50, 100, 200, 400",
            hedging,
        )],
        ..LAB
    },
    Claim {
        id: "lab:hedging-sub",
        kind: Kind::Expectation,
        reading: "The same for VCal^sub: at least 0.293 sqrt(T/2)/2 for the truth, at most \
            (8T/5)(0.951^(T/2) + 0.977^(T/2)) for 2/5 and 3/5.",
        uses: &["lab:expectations"],
        see: &["E08", "sub-hedging-symmetry", "prop:simplesubsamptruth"],
        checks: &[finite!(
            "exact averages over subsets",
            Scope::Cases,
            "even T <= 20, T = 40",
            hedging_sub,
        )],
        ..LAB
    },
    Claim {
        id: "lab:epochs",
        kind: Kind::Expectation,
        reading: "The strategist of the lower bound, with the corrected stopping time, has an \
            expected stepCE of at most 2 sqrt(cT/5) + (3T/10) e^(-T/100), computed by states; it \
            is what the laws of its three counts give. From two epochs on, the truth costs more: \
            its bias below w_(k+1) alone.",
        departs: "c = 2^-(k+3), the largest for k epochs.",
        uses: &["lab:expectations"],
        see: &["prop:soundlowerbound", "E10", "E11"],
        checks: &[finite!(
            "penalties by states and by the laws of the counts",
            Scope::Cases,
            "all (k, T) with T <= 20; k = 4, T = 40, 80",
            epochs,
        )],
        ..LAB
    },
];

/// The larger sizes, which a quick run leaves out.
fn unless_quick<T>(evidence: &Evidence, larger: impl IntoIterator<Item = T>) -> Vec<T> {
    match evidence.extent() {
        Extent::Quick => vec![],
        _ => larger.into_iter().collect(),
    }
}

fn duel(name: &str, rounds: u64, measure: Measure) -> Duel {
    let construction = Construction::named(name).expect("one of the list");
    construction.compare(rounds, measure, &Effort::default(), &truecal::Watch::silent())
}

/// The exact penalties.
fn both(duel: &Duel) -> [BigRational; 2] {
    let value = |i: usize| duel.penalties[i].exact().expect("within the usual steps").clone();
    [value(0), value(1)]
}

fn decimals(value: &BigRational) -> String {
    format!("{:.6}", Enclosure::exact(value))
}

fn shown(duel: &Duel) -> String {
    let [one, other] = both(duel);
    let Duel { rounds, measure, .. } = duel;
    format!("T = {rounds}\nE {measure}: {} and {}", decimals(&one), decimals(&other))
}

fn patch_up(evidence: &mut Evidence) {
    for rounds in (2..=60).step_by(2).chain(unless_quick(evidence, [120, 240])) {
        let duel = duel("patch-up", rounds, Measure::UCal);
        let [truthful, strategic] = both(&duel);
        let by_heads = fair_bits_then_ones(rounds, Measure::UCal);
        let square = &truthful * &truthful;
        let text = || shown(&duel);
        let same = by_heads == (truthful.clone(), strategic.clone());
        let bounds = square >= r(rounds.cast_signed(), 4) && strategic <= r(6, 5);
        evidence.case(same && bounds && duel.holds(), text);
        evidence.mistake(
            "101/200 sqrt(T)",
            square >= r(rounds.cast_signed() * 10201, 40_000),
            text,
        );
        evidence.mistake("at most 119/100", strategic <= r(119, 100), text);
        evidence.mistake("honesty is the best policy", truthful <= strategic, text);
    }
}

fn discontinuity(evidence: &mut Evidence) {
    for rounds in (2..=40).step_by(2).chain([1000]) {
        for measure in [Measure::UCal, Measure::VCal, Measure::SmCe] {
            let duel = duel("discontinuity", rounds, measure);
            let [apart, half] = both(&duel);
            let text = || shown(&duel);
            evidence.case(duel.holds() && half.is_zero(), text);
            let t = int(rounds);
            evidence.mistake(
                "UCal = (1 + eps) T",
                measure != Measure::UCal || apart == &t * r(9, 8),
                text,
            );
            evidence.mistake("VCal = T/2", measure != Measure::VCal || apart == t / int(2), text);
        }
    }
}

fn binary_search(evidence: &mut Evidence) {
    for rounds in (1..=8).chain(unless_quick(evidence, [9, 10])) {
        let sampled = [Measure::VCalSub, Measure::UCalSub];
        let sampled = sampled.into_iter().filter(|_| rounds <= 7);
        for measure in [Measure::VCal, Measure::UCal].into_iter().chain(sampled) {
            let duel = duel("binary-search", rounds, measure);
            let t = Enclosure::from(rounds.cast_signed());
            let penalty = |i: usize| match &duel.penalties[i] {
                truecal_lab::Penalty::Enclosed(enclosure) => enclosure.clone(),
                other => Enclosure::exact(other.exact().expect("not sampled")),
            };
            let [truthful, half] = [penalty(0), penalty(1)];
            let text = || format!("T = {rounds}\nE {measure}: {truthful:.6} and {half:.6}");
            evidence.case(duel.holds(), text);
            if measure == Measure::VCal {
                let much = Enclosure::ratio(3, 4) * &t;
                evidence.mistake("VCal >= 3T/4", much.at_most(&truthful) == Some(true), text);
                let little = Enclosure::ratio(3, 4) * t.sqrt();
                evidence.mistake("3 sqrt(T)/4 for 1/2", half.at_most(&little) == Some(true), text);
            }
        }
    }
}

fn hidden_bias(evidence: &mut Evidence) {
    for rounds in (2..=60).chain([120, 300]) {
        let [seen, unseen] =
            [Measure::StepCe, Measure::UCal].map(|measure| duel("hidden-bias", rounds, measure));
        let [_, bias] = both(&seen);
        let t = int(rounds);
        let limit = Enclosure::exact(&t) / Enclosure::from(1).exp();
        let text = || format!("T = {rounds}\nstepCE = {}, T/e = {limit:.6}", decimals(&bias));
        let below = Enclosure::exact(&bias).at_most(&limit) == Some(true);
        evidence.case(seen.holds() && unseen.holds() && bias >= &t / int(8) && below, text);
        evidence.mistake("at least 0.36 T", bias >= &t * r(36, 100), text);
        evidence.mistake("at most 0.365 T", bias <= &t * r(365, 1000), text);
    }
}

fn hedging(evidence: &mut Evidence) {
    let mut before: Option<(u64, BigRational)> = None;
    for rounds in [10, 20, 50, 100, 200].into_iter().chain(unless_quick(evidence, [400])) {
        let duel = duel("hedging", rounds, Measure::VCal);
        let [truthful, hedged] = both(&duel);
        let text = || shown(&duel);
        evidence.case(duel.holds(), text);
        evidence.mistake("honesty is the best policy", truthful <= hedged, text);
        let earlier = before.replace((rounds, hedged.clone()));
        if let Some((half, earlier)) = earlier.filter(|(half, _)| *half >= 100) {
            let rate =
                Enclosure::exact(&(earlier / hedged)).ln() / Enclosure::from(half.cast_signed());
            let text = || format!("from T = {half} to {rounds}: e^(-{rate:.6} T)");
            let within = |low: i64, high: i64| {
                Enclosure::ratio(low, 1000).at_most(&rate) == Some(true)
                    && rate.at_most(&Enclosure::ratio(high, 1000)) == Some(true)
            };
            evidence.case(within(32, 36), text);
            evidence.mistake("as the bound, e^(-T/50)", within(19, 21), text);
            evidence.mistake("a rate of at most 0.031", within(0, 31), text);
        }
    }
}

fn hedging_sub(evidence: &mut Evidence) {
    for rounds in (2..=20).step_by(2).chain(unless_quick(evidence, [40])) {
        let duel = duel("hedging", rounds, Measure::VCalSub);
        let [truthful, hedged] = both(&duel);
        let text = || shown(&duel);
        evidence.case(duel.holds(), text);
        evidence.mistake("hedging costs nothing", hedged.is_zero(), text);
        let root = &truthful * &truthful <= r(rounds.cast_signed(), 16);
        evidence.mistake("the truth costs at most sqrt(T)/4", root, text);
    }
}

/// All (k, n) with T = 5kn <= 20.
const SIZES: [(u32, u32); 8] = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1)];

/// T = 40 and 80.
const LONGER: [(u32, u32); 2] = [(4, 2), (4, 4)];

fn epochs(evidence: &mut Evidence) {
    let longer = unless_quick(evidence, LONGER);
    for (count, length) in SIZES.into_iter().chain(longer) {
        let nature = Epochs::new(count, length.into()).expect("a few epochs");
        let rounds = nature.rounds();
        let walked = exact(&nature, &Strategist::new(&nature), Measure::StepCe, 1 << 20);
        let walked = walked.ok().and_then(|penalty| penalty.exact().cloned()).expect("few states");
        let instance = Instance { epochs: count, length, c: nature.c() };
        let truthful = instance.truthful_at_least() * int(2);
        let text = || {
            format!(
                "k = {count}, T = {rounds}\nE stepCE: strategist {}, truthful at least {}",
                decimals(&walked),
                decimals(&truthful)
            )
        };
        // The other reading takes long beyond T = 20.
        let same = rounds > 20 || instance.strategic().step == walked;
        let spread = Enclosure::exact(&(nature.c() * r(rounds.cast_signed(), 5))).sqrt();
        let rare = Enclosure::ratio(3 * rounds.cast_signed(), 10)
            * Enclosure::ratio(-rounds.cast_signed(), 100).exp();
        let bound = Enclosure::from(2) * &spread + rare;
        let cheap = Enclosure::exact(&walked).at_most(&bound) == Some(true);
        let gap = count == 1 || walked < truthful;
        evidence.case(same && cheap && gap, text);
        let less = Enclosure::ratio(1, 5) * spread;
        let fifth = Enclosure::exact(&walked).at_most(&less) == Some(true);
        evidence.mistake("a fifth of sqrt(cT/5)", fifth, text);
        evidence.mistake(
            "the truth is ten times as dear",
            walked.clone() * int(10) <= truthful,
            text,
        );
    }
}
