#![expect(clippy::float_arithmetic, reason = "sums of exponentials, and tolerances")]

mod recalibrated;
mod saved;

use super::reading::Plain;
use super::tree::scale;
use super::*;
use truecal::Measure;
use truecal::rational::int;

/// What the plain reading thinks of a prediction: E C_p over the sum of all weights if it mixes two
/// points, and otherwise how far C at the point is on the wrong side of 0.
fn imbalance(biases: &[i64], scale: f64, mixture: &Mixture) -> f64 {
    let plain = Plain::new(biases, scale);
    let weights: Vec<_> = mixture.weights().collect();
    let bias = match weights[..] {
        [(0, _)] => plain.signs[0].max(0.0),
        [(bucket, _)] if bucket + 1 == biases.len() => (-plain.signs[bucket]).max(0.0),
        _ => {
            let whole = (1_u64 << PROBABILITY_BITS) as f64;
            weights.iter().map(|(j, weight)| plain.signs[*j] * *weight as f64 / whole).sum::<f64>()
        }
    };
    bias.abs()
}

/// Runs a tree beside the integers and returns the largest imbalance. The points are drawn from its
/// own predictions, unless `anywhere`.
fn largest_imbalance(
    (buckets, horizon, rounds): (usize, u64, u64),
    factor: f64,
    anywhere: bool,
    mut outcome: impl FnMut(u64, &Mixture) -> bool,
) -> f64 {
    let scale = scale(horizon, buckets);
    let mut biases = vec![0; buckets];
    let mut tree = Tree::new(&biases, factor * scale);
    let mut largest = 0.0_f64;
    for round in 0..rounds {
        let mixture = tree.mixture();
        // LogSums over all buckets are slow.
        if round % (1 + rounds / 200) == 0 {
            largest = largest.max(imbalance(&biases, scale, &mixture));
        }
        let mut random = Random::new(3, round);
        let drawn = mixture.draw(&mut random);
        let bucket = if anywhere { (random.next() % buckets as u64) as usize } else { drawn };
        let amount = change(buckets, bucket, outcome(round, &mixture));
        tree.add(bucket, amount);
        biases[bucket..].iter_mut().for_each(|bias| *bias += amount);
    }
    assert_eq!(Tree::new(&biases, factor * scale), tree, "the same integers, the same tree");
    largest
}

type Nature = fn(u64, &Mixture) -> bool;

const NATURES: [(&str, Nature); 5] = [
    ("ones", |_, _| true),
    ("zeros", |_, _| false),
    ("alternating", |round, _| round % 2 == 0),
    ("coins", |round, _| Random::new(5, round).next() >> 63 == 1),
    ("contrarian", |_, mixture| mixture.mean_to_half().is_lt()),
];

#[test]
fn long_runs_agree_with_the_plain_reading() {
    for size in
        [(2, 100, 100), (3, 2000, 2000), (7, 1000, 1000), (64, 3000, 3000), (1000, 100_000, 4000)]
    {
        for (name, nature) in NATURES {
            for anywhere in [false, true] {
                let found = largest_imbalance(size, 1.0, anywhere, nature);
                assert!(found < 1e-12, "{size:?}, {name}, anywhere: {anywhere}: {found:e}");
            }
        }
    }
}

/// The comparison would notice a learning rate that is wrong by a millionth.
#[test]
fn another_learning_rate_is_noticed() {
    let found = |factor| {
        let contrarian = NATURES[4].1;
        largest_imbalance((7, 1000, 1000), factor, false, contrarian)
    };
    assert!(found(1.0) < 1e-12 && found(1.000_001) > 1e-10 && found(2.0) > 1e-4);
}

/// The learning rate itself, which the plain reading shares, against enclosures that do not.
#[test]
fn the_learning_rate_is_that_of_the_theorem() {
    for (biases, rounds) in [(vec![2, -1, -1], 5), (vec![3, 5, -1, -1], 6), (vec![7, -5], 24)] {
        let far = |factor: &Enclosure| {
            let exact = Exact::new(&biases, rounds, factor).law().expect("signs are told");
            truecal::nearest_f64(&distance(&HedgeForecaster::law_at(&biases, rounds), &exact))
        };
        assert!(far(&Enclosure::from(1)) < 1e-14 && far(&Enclosure::ratio(101, 100)) > 1e-4);
    }
}

/// Exponents beyond all doubles: ten million rounds on one side of the truth, and walls of opposite
/// biases.
#[test]
fn exponents_may_exceed_what_doubles_hold() {
    const MILLIONS: i64 = 10_000_000;
    for buckets in [2, 5, 1000] {
        let unit = buckets as i64 - 1;
        let scale = scale(10_000_000, buckets);
        assert!(scale * (MILLIONS * unit) as f64 > 700.0);
        for (split, left, right) in [
            (1, 1, -1),
            (buckets / 2, -1, 1),
            (buckets / 2, 1, -1),
            (buckets - 1, 1, -1),
            (0, 0, -1),
            (1, -1, -1),
        ] {
            let biases: Vec<i64> = (0..buckets)
                .map(|bucket| {
                    MILLIONS * unit * if bucket < split { left } else { right } + bucket as i64
                })
                .collect();
            let mut tree = Tree::new(&vec![0; buckets], scale);
            let mut last = 0;
            for (bucket, bias) in biases.iter().enumerate() {
                tree.add(bucket, bias - last);
                last = *bias;
            }
            assert_eq!(tree, Tree::new(&biases, scale));
            let mixture = tree.mixture();
            let found = imbalance(&biases, scale, &mixture);
            assert!(found < 1e-12, "{buckets} {split} {left} {right}: {found:e}");
        }
    }
}

#[test]
fn sums_from_a_bucket_on() {
    let biases = [3, -1, 4, -1, 5, -9, 2];
    let tree = Tree::new(&biases, 0.1);
    for bucket in 0..biases.len() {
        let sums = tree.sums_from(bucket);
        let sum = |sign: f64| {
            biases[bucket..].iter().map(|b| libm::exp(sign * 0.1 * *b as f64)).sum::<f64>()
        };
        assert!((libm::exp(sums.up) - sum(1.0)).abs() < 1e-12);
        assert!((libm::exp(sums.down) - sum(-1.0)).abs() < 1e-12);
    }
}

/// The running stepCE, the next one, and the level table tell the same.
#[test]
fn what_was_said_is_recorded_exactly() {
    for mut forecaster in [
        HedgeForecaster::new(300, 6).expect("valid"),
        HedgeForecaster::doubling(None).expect("valid"),
        HedgeForecaster::doubling(Some(5)).expect("valid"),
    ] {
        for round in 0..300 {
            let outcome = round % 7 < 3;
            let bucket = forecaster.predict().draw(&mut Random::new(9, round));
            let next = forecaster.whole.largest_after(bucket, outcome);
            let unit = forecaster.buckets() as i64 - 1;
            forecaster.observe_at(bucket, outcome).expect("a round");
            assert_eq!(forecaster.step_ce(), BigRational::new(next.into(), unit.into()));
            let levels = forecaster.levels();
            assert_eq!((levels.rounds(), forecaster.rounds()), (round + 1, round + 1));
            assert_eq!(levels.evaluate(Measure::StepCe).value, forecaster.step_ce());
        }
        let apart = forecaster.predict_plainly().mean() - forecaster.predict().mean();
        assert!(truecal::nearest_f64(&apart).abs() < 1e-12);
        let tree = &forecaster.restart.tree;
        assert_eq!(*tree, Tree::new(&forecaster.biases(), tree.scale()));
    }
}

#[test]
fn restarts_double() {
    let mut forecaster = HedgeForecaster::doubling(None).expect("valid");
    let mut seen = vec![];
    for round in 0..100 {
        if forecaster.restart.done == 0 {
            seen.push((round, forecaster.restart.horizon, forecaster.buckets()));
            assert!(forecaster.biases().iter().all(|bias| *bias == 0));
        }
        forecaster.sample(&mut Random::new(1, round));
        forecaster.observe(round % 2 == 0).expect("a round");
        let t = (round + 1) as f64;
        let known = 0.1716 * libm::sqrt(t)
            + libm::sqrt(2.0 * t * libm::log(2.0 * forecaster.buckets() as f64));
        let bound = truecal::nearest_f64(&forecaster.bound());
        assert!(bound < 3.4143 * known, "{t}: {bound} {known}");
        assert!(forecaster.step_ce() < forecaster.bound());
    }
    let expected =
        [(0, 1, 2), (1, 2, 3), (3, 4, 3), (7, 8, 5), (15, 16, 5), (31, 32, 9), (63, 64, 9)];
    assert_eq!(seen, expected);
}

/// At its last round the bound of a run is the bound of the theorem; the paper's constant gives
/// more.
#[test]
fn bounds() {
    let mut forecaster = HedgeForecaster::new(50, 8).expect("valid");
    let mut last = int(0);
    for _ in 0..50 {
        forecaster.observe_at(3, true).expect("a round");
        assert!(forecaster.bound() > last);
        last = forecaster.bound();
    }
    let apart = truecal::nearest_f64(&(&last - bound(50, 8)));
    assert!(apart.abs() < 1e-30, "{apart:e}");
    let value = |bound: BigRational| truecal::nearest_f64(&bound);
    assert!((value(bound(50, 8)) - (0.171_572_875_25 * 50.0 / 7.0 + 16.651_092_2)).abs() < 1e-6);
    assert!((value(paper_bound(50, 8)) - (50.0 / 7.0 + 16.651_092_2)).abs() < 1e-6);
}

#[test]
fn buckets_by_default() {
    let buckets = [1, 2, 4, 5, 9, 10, 100, 101, 1_000_000, MAX_ROUNDS].map(default_buckets);
    assert_eq!(buckets, [2, 3, 3, 4, 4, 5, 11, 12, 1001, 1_000_001]);
    assert!(buckets.iter().all(|buckets| HedgeForecaster::new(1, *buckets).is_ok()));
}

#[test]
fn misuse_is_refused() {
    let new = |rounds, buckets| HedgeForecaster::new(rounds, buckets).map(|_| ());
    assert_eq!(new(0, 2), Err(HedgeError::Rounds(0)));
    assert_eq!(new(MAX_ROUNDS + 1, 2), Err(HedgeError::Rounds(MAX_ROUNDS + 1)));
    assert_eq!(new(1, 1), Err(HedgeError::Buckets(1)));
    assert_eq!(new(1, MAX_BUCKETS + 1), Err(HedgeError::Buckets(MAX_BUCKETS + 1)));
    let mut forecaster = HedgeForecaster::new(1, 3).expect("valid");
    assert_eq!(forecaster.observe(true), Err(HedgeError::NothingDrawn));
    assert_eq!(forecaster.observe_at(3, true), Err(HedgeError::Point { bucket: 3, buckets: 3 }));
    assert_eq!(forecaster.observe_at(2, true), Ok(()));
    assert_eq!(forecaster.observe_at(2, true), Err(HedgeError::Over(1)));
}

/// 53 bits decide, and those alone.
#[test]
fn draws_are_as_likely_as_stated() {
    for weight in [1, 1 << 52, (1 << 53) - 1] {
        let mixture = Mixture::pair(4, 1, weight);
        let (mut low, draws) = (0, 2000);
        for number in 0..draws {
            let bits = Random::new(1, number).next() >> 11;
            let drawn = mixture.draw(&mut Random::new(1, number));
            assert_eq!(drawn, if bits < weight { 1 } else { 2 });
            low += u64::from(drawn == 1);
        }
        let expected = (weight as f64 / (1_u64 << 53) as f64) * draws as f64;
        assert!((low as f64 - expected).abs() < 150.0);
    }
    // At the very edge: the point is drawn if the bits are less than its weight.
    let bits = Random::new(1, 0).next() >> 11;
    let drawn = |weight| Mixture::pair(4, 1, weight).draw(&mut Random::new(1, 0));
    assert_eq!((drawn(bits), drawn(bits + 1)), (2, 1));
    let points: Vec<_> = Mixture::pair(4, 1, 0).weights().collect();
    assert_eq!(points, [(2, 1 << 53)]);
    let points: Vec<_> = Mixture::pair(4, 1, 1 << 53).weights().collect();
    assert_eq!(points, [(1, 1 << 53)]);
}

#[test]
fn every_name_is_an_adversary() {
    for (name, _) in adversary::NAMES {
        let name = name.replace('Q', "1/3");
        assert_eq!(adversary::named(&name, 4, 3).expect("a name").name(), name);
    }
    let error = |name: &str| adversary::named(name, 9, 3).expect_err("no adversary").to_string();
    assert!(error("potentail").contains("did you mean potential? the names are greedy, potential"));
    assert!(error("xyzzy").starts_with("there is no adversary \"xyzzy\"; the names are"));
    assert!(error("biased:7").starts_with("biased:7: greater than 1"));
    assert!(error("optimal").contains("9 rounds with 3 buckets"));
}

/// The outcome of `greedy` is never worse for the forecaster one round ahead than the other.
#[test]
fn greedy_looks_one_round_ahead() {
    struct Always(bool);
    impl adversary::Adversary for Always {
        fn name(&self) -> String {
            "always".to_owned()
        }
        fn next(&mut self, _: &adversary::View<'_>, _: &mut Random) -> bool {
            self.0
        }
    }
    let mut forecaster = HedgeForecaster::new(200, 8).expect("valid");
    for round in 0..200 {
        let after = |x| expectation(&forecaster, &mut Always(x), 1);
        let mut greedy = adversary::named("greedy", 200, 8).expect("a name");
        assert_eq!(expectation(&forecaster, &mut *greedy, 1), after(false).max(after(true)));
        let bucket = forecaster.predict().draw(&mut Random::new(2, round));
        forecaster.observe_at(bucket, round % 3 == 0).expect("a round");
    }
}

/// An adversary that looks at the potential does more harm than coins.
#[test]
fn the_potential_shows_the_way() {
    let mean = |name: &str| -> f64 {
        let of_seed = |seed| {
            let mut forecaster = HedgeForecaster::new(256, 17).expect("valid");
            let mut adversary = adversary::named(name, 256, 17).expect("a name");
            let all = duel(&mut forecaster, &mut *adversary, 256, seed, &truecal::Watch::silent())
                .expect("rounds");
            let rounds: Vec<u64> = all.iter().map(|checkpoint| checkpoint.round).collect();
            assert_eq!(rounds, [1, 2, 4, 8, 16, 32, 64, 128, 256]);
            truecal::nearest_f64(&all[8].step_ce)
        };
        (0..20).map(of_seed).sum::<f64>() / 20.0
    };
    assert!(mean("potential") > 1.1 * mean("random"));
}

#[test]
fn a_duel_stops_when_it_is_asked_to() {
    let mut forecaster = HedgeForecaster::doubling(None).expect("valid");
    let mut adversary = adversary::named("random", 10_000, 17).expect("a name");
    let played = std::sync::atomic::AtomicU64::new(0);
    let tell = |news: truecal::Progress<'_>| {
        if let truecal::Progress::Done(more) = news {
            played.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let go_on = || played.load(std::sync::atomic::Ordering::Relaxed) < 512;
    let watch = truecal::Watch::new(&go_on, &tell);
    let all = duel(&mut forecaster, &mut *adversary, 10_000, 1, &watch);
    assert_eq!(all.expect("rounds").last().map(|last| last.round), Some(512));
}
