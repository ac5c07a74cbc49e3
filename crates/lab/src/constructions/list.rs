//! The list of constructions.

use super::theory::{self, best_zeros};
use super::{Construction, Setting};
use crate::chance::Chance;
use crate::forecaster::{Constant, Forecaster, PatchUp, RoundedTruth, Scheduled, Truthful};
use crate::nature::{Blocks, Nature};
use crate::natures::{self, BinarySearch, Epochs, Strategist, p, r};
use truecal::Measure;
use truecal::Prediction;

fn setting(
    nature: impl Nature + 'static,
    one: impl Forecaster + 'static,
    other: impl Forecaster + 'static,
) -> Setting {
    Setting { nature: Box::new(nature), forecasters: [Box::new(one), Box::new(other)] }
}

/// Predicts 2/5 in the first half and 3/5 in the second.
fn hedger(rounds: u64) -> Scheduled {
    Scheduled::new([(rounds / 2, p(2, 5)), (rounds - rounds / 2, p(3, 5))])
}

/// All of them, in the order of the paper.
pub const ALL: &[Construction] = &[
    Construction {
        name: "patch-up",
        title: "UCal: what went wrong with fair coins is patched up by certain events",
        about: "T/2 fair coins, then T/2 events that are certain. The truthful forecaster is left \
            with the luck of the coins, about sqrt(T). \
                The other one predicts 5/8 for the coins and goes on with it, though events are \
                certain, until as many have happened as predicted.",
        claims: &["prop:HQYZ24-UCal", "lab:patch-up"],
        contestants: ["truthful", "patching up"],
        measures: &[Measure::UCal],
        rounds: &[10, 20, 40, 80, 160, 320, 640],
        multiple: 2,
        most: 2000,
        setting: |t| {
            let patch_up = PatchUp { first_rounds: t / 2, first: p(5, 8), then: Prediction::ONE };
            setting(natures::patch_up(t), Truthful, patch_up)
        },
        theory: theory::patch_up,
    },
    Construction {
        name: "discontinuity",
        title: "UCal jumps: predictions 1/8 away from 1/2 in the wrong direction, against 1/2",
        about: "T/2 events, predicted 3/8, then T/2 that do not happen, predicted 5/8. Moving all \
            predictions to 1/2, however near they are, takes UCal from more than T to 0: no \
            measure that bounds UCal and is 0 for calibrated forecasts is continuous.",
        claims: &["prop-disc", "ex1-discontinuity", "lab:discontinuity"],
        contestants: ["3/8 and 5/8", "1/2"],
        measures: &[Measure::UCal, Measure::SmCe],
        rounds: &[10, 20, 40, 80, 160, 320, 640],
        multiple: 2,
        most: 1_000_000,
        setting: |t| {
            let half = t / 2;
            let nature = Blocks::new([
                (half, Chance::Point(Prediction::ONE)),
                (half, Chance::Point(Prediction::ZERO)),
            ]);
            setting(nature, Scheduled::new([(half, p(3, 8)), (half, p(5, 8))]), Constant(p(1, 2)))
        },
        theory: theory::discontinuity,
    },
    Construction {
        name: "binary-search",
        title: "VCal and UCal, subsampled or not: a nature that finds the threshold",
        about: "p* starts at 1/2 and moves up after an event and down otherwise, by steps that \
            halve. In the end a threshold separates all events from all \
                others, so that the truth costs T/4 whatever happens, while always predicting 1/2 \
                costs about sqrt(T). (eps = 1/(8 ceil(sqrt(T))).)",
        claims: &["prop:subsamptruth", "prop:completedecisionlowerbound", "lab:binary-search"],
        contestants: ["truthful", "always 1/2"],
        measures: &[Measure::VCal, Measure::VCalSub],
        rounds: &[4, 8, 12, 25, 50, 100],
        multiple: 1,
        most: 2000,
        setting: |t| setting(BinarySearch::usual(t), Truthful, Constant(p(1, 2))),
        theory: theory::binary_search,
    },
    Construction {
        name: "hidden-bias",
        title: "UCal does not see a bias of T/e",
        about: "n zeros, predicted 0, then T - n ones, predicted j/(n + j) for j = 1, 2, ...: UCal \
            is 0, yet the predictions are too low by n (H_T - H_n) \
                in all, T/e for the best n. stepCE sees it. (The truth is 0 and 1.)",
        claims: &["prop-hedging-bias", "TIGHT-hedging-bias", "lab:hidden-bias"],
        contestants: ["truthful", "too low"],
        measures: &[Measure::UCal, Measure::StepCe],
        rounds: &[2, 3, 4, 10, 30, 100, 300],
        multiple: 1,
        most: 1000,
        setting: |t| {
            let zeros = best_zeros(t);
            let nature = Blocks::new([
                (zeros, Chance::Point(Prediction::ZERO)),
                (t - zeros, Chance::Point(Prediction::ONE)),
            ]);
            let rising = (1..=t - zeros).map(|j| (1, p(j, zeros + j)));
            let start = (zeros, Prediction::ZERO);
            setting(nature, Truthful, Scheduled::new(std::iter::once(start).chain(rising)))
        },
        theory: theory::hidden_bias,
    },
    Construction {
        name: "hedging",
        title: "VCal and UCal: 2/5 and 3/5 instead of 1/5 and 4/5",
        about: "T/2 events of probability 1/5, then T/2 of 4/5. The truth costs about sqrt(T): the \
            luck of either half. Who predicts 2/5 and 3/5 is wrong in both halves in ways that no \
            decision notices, and pays only if luck is exponentially bad.",
        claims: &["prop:simplesubsamptruth", "lab:hedging"],
        contestants: ["truthful", "hedging"],
        measures: &[Measure::VCal, Measure::UCal],
        rounds: &[10, 20, 40, 80, 120, 160, 200, 300, 400],
        multiple: 2,
        most: 2000,
        setting: |t| setting(natures::hedging(t), Truthful, hedger(t)),
        theory: theory::hedging,
    },
    Construction {
        name: "smoothed-hedging",
        title: "VCal and UCal with noise: the truth still costs T^(1/3)",
        about: "The same with p* uniform within 1/20 of 1/5, then of 4/5. Now every truthful \
            prediction is different, but a threshold just above the lowest ones finds a bias of \
            T^(1/3). The hedging forecaster does not look at p*, and pays as before.",
        claims: &["prop:subsampsmooth", "lab:smoothed-hedging"],
        contestants: ["truthful", "hedging"],
        measures: &[Measure::VCal],
        rounds: &[8, 64, 216, 512, 1000],
        multiple: 2,
        most: 10_000,
        setting: |t| {
            let (a, b) = natures::USUAL_NOISE;
            setting(natures::smoothed_hedging(t, &r(a, b)), Truthful, hedger(t))
        },
        theory: theory::smoothed_hedging,
    },
    Construction {
        name: "epochs",
        title: "stepCE is not truthful: a search in epochs, and a strategist who undoes its bias",
        about: "Four epochs in which p* is near a point that a binary search moves, then 2T/5 \
            rounds with p* in [0, c] and 2T/5 in [1 - c, 1], c = 1/128. The truth \
                costs sqrt(T log(1/c)). The strategist predicts 1/2 during the search, and then \
                abuses the easy rounds until the bias at 1/2 is 0. With subsampling \
                that does not help much: stepCE^sub is truthful up to such factors.",
        claims: &["prop:soundlowerbound", "E11", "lab:epochs"],
        contestants: ["truthful", "strategist"],
        measures: &[Measure::StepCe, Measure::StepCeSub],
        rounds: &[20, 40, 80, 160, 320],
        multiple: 20,
        most: 10_000,
        setting: |t| {
            let nature = Epochs::usual(t).expect("a multiple of 20");
            setting(nature, Truthful, Strategist::new(&nature))
        },
        theory: theory::epochs,
    },
    Construction {
        name: "distinct",
        title: "ECE is not truthful: with distinct predictions it counts noise",
        about: "Independent events of probability 1/(T+1), 2/(T+1), ..., T/(T+1). The ECE of the \
            truth is T/3, since every prediction is made once; that of always \
                predicting 1/2 is at most sqrt(T)/2.",
        claims: &["stepCE-vs-ECE", "lab:trichotomy"],
        contestants: ["truthful", "always 1/2"],
        measures: &[Measure::Ece],
        rounds: &[2, 4, 8, 16, 50, 100, 200],
        multiple: 1,
        most: 2000,
        setting: |t| {
            let nature = Blocks::product((1..=t).map(|j| p(j, t + 1)));
            setting(nature, Truthful, Constant(p(1, 2)))
        },
        theory: theory::distinct,
    },
    Construction {
        name: "uniform",
        title: "the main theorem at c = 1: p* uniform on [0, 1]",
        about: "The only 1-smoothed nature. The bound of the main theorem holds with room to \
            spare: how much is shown. Rounding p* to multiples of 1/sqrt(T), as in the \
                overview, makes little difference.",
        claims: &["thm:strongupperbound", "lab:main-bound"],
        contestants: ["truthful", "rounded"],
        measures: &[Measure::StepCeSub],
        rounds: &[10, 30, 100, 300, 1000],
        multiple: 1,
        most: 10_000,
        setting: |t| setting(natures::uniform(t), Truthful, rounded(t)),
        theory: theory::uniform,
    },
    Construction {
        name: "edges",
        title: "the main theorem at c = 1/16: p* near 0 or near 1",
        about: "p* is uniform on [0, 1/32] or on [31/32, 1]: of all natures with this c the one of \
            the least variance.",
        claims: &["thm:strongupperbound", "small-c-variance", "lab:main-bound"],
        contestants: ["truthful", "rounded"],
        measures: &[Measure::StepCeSub],
        rounds: &[10, 30, 100, 300, 1000],
        multiple: 1,
        most: 10_000,
        setting: |t| {
            let (a, b) = natures::USUAL_C;
            setting(natures::edges(t, &r(a, b)), Truthful, rounded(t))
        },
        theory: theory::edges,
    },
];

/// Rounds p* to multiples of 1/⌈√T⌉.
fn rounded(rounds: u64) -> RoundedTruth {
    let root = u32::try_from(rounds.isqrt()).expect("a small root");
    RoundedTruth::to(root + u32::from(u64::from(root).pow(2) < rounds))
}
