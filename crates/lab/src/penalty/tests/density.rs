//! Where p* has a density.

use super::*;

fn known(nature: &dyn Nature, measure: Measure) -> BigRational {
    let penalty = exact(nature, &Truthful, measure, 1 << 22).expect("few rounds");
    penalty.exact().expect("short fractions").clone()
}

#[test]
fn the_truth_is_integrated() {
    // One round: |x - p|, on average 2 ∫ p(1-p) dp; VCal is twice that, averages over subsets are
    // half of it.
    let one = Blocks::new([(1, uniform("0", "1"))]);
    for measure in [Measure::Ece, Measure::StepCe, Measure::SignCe, Measure::IntervalCe] {
        assert_eq!(known(&one, measure), r("1/3"), "{measure}");
    }
    assert_eq!(known(&one, Measure::VCal), r("2/3"));
    assert_eq!(known(&one, Measure::StepCeSub), r("1/6"));
    assert_eq!(known(&Blocks::new([(1, uniform("1/4", "1/2"))]), Measure::StepCe), r("11/24"));
    // Two rounds p < q, by hand: stepCE is p + q, 2 - p - q, max(p, 1-p-q) or max(1-p, p+q-1) for
    // the outcomes 00, 11, 01 and 10; twice the sum of the integrals with the weights (1-p)(1-q),
    // pq, (1-p)q, p(1-q).
    let two = Blocks::new([(2, uniform("0", "1"))]);
    assert_eq!(known(&two, Measure::StepCe), r("43/80"));
    // Every prediction is made once, for every T: T/3.
    let many = Blocks::new([(1000, uniform("0", "1"))]);
    assert_eq!(known(&many, Measure::Ece), r("1000/3"));
    // Subsets of independent rounds: by how many are kept.
    let three = Blocks::new([(3, uniform("0", "1"))]);
    let by_size =
        (r("3/8") * r("1/3")) + r("3/8") * r("43/80") + r("1/8") * known(&three, Measure::StepCe);
    assert_eq!(known(&three, Measure::StepCeSub), by_size);
}

/// A density is the same however it is divided into pieces, though they overlap with others then.
#[test]
fn pieces_of_a_density_change_nothing() {
    let piece = |low, high, mass| Piece { low: r(low), high: r(high), mass: r(mass) };
    let parts = vec![piece("0", "1/3", "1/3"), piece("1/3", "1", "2/3")];
    let divided = Chance::Spread(Spread::new(parts).expect("a density"));
    let whole = uniform("0", "1");
    for measure in Measure::ALL.into_iter().filter(|measure| is_piecewise_affine(*measure)) {
        let alike = known(&Blocks::new([(2, whole.clone())]), measure);
        let nature = Blocks::new([(1, whole.clone()), (1, divided.clone())]);
        assert_eq!(known(&nature, measure), alike, "{measure}");
    }
    let three = Blocks::new([(3, whole.clone())]);
    let nature = Blocks::new([(1, whole), (2, divided)]);
    assert_eq!(known(&nature, Measure::StepCe), known(&three, Measure::StepCe));
}

/// Who remembers p* itself cannot be followed by pieces; and what cannot be integrated is not
/// followed to its end.
#[test]
fn densities_that_are_not_integrated_are_given_up_at_once() {
    struct Attentive;
    impl Forecaster for Attentive {
        fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
            Rule::Truth
        }
    }
    let error = exact(&natures::uniform(1), &Attentive, Measure::StepCe, 1 << 20);
    assert_eq!(error.expect_err("a continuum"), PenaltyError::Continuous);
    let asked = AtomicU64::new(0);
    let nature = Adaptive::new(30, |_: &[bool]| {
        asked.fetch_add(1, Ordering::Relaxed);
        uniform("0", "1")
    });
    let error = exact(&nature, &Truthful, Measure::StepCe, 1 << 20);
    assert_eq!(error.expect_err("thirty dimensions"), PenaltyError::Steps { steps: 1 << 20 });
    assert!(asked.load(Ordering::Relaxed) < 64, "five or six rounds");
}

/// Two rounds whose densities are put into the middles of so many equal parts each: for an even
/// number and the next one, no two middles are equal.
fn pointwise(parts: i64, measure: Measure) -> BigRational {
    let middle = |index: i64, of: i64| BigRational::new((2 * index + 1).into(), (2 * of).into());
    let mut total = BigRational::zero();
    for (i, j) in (0..parts).flat_map(|i| (0..=parts).map(move |j| (i, j))) {
        let truths = [middle(i, parts), middle(j, parts + 1)];
        let at = |past: &[bool]| truths[past.len()].clone();
        total += literal(2, &at, &at, measure);
    }
    total / int(parts * (parts + 1))
}

#[test]
fn integrals_are_limits_of_sums() {
    let nature = Blocks::new([(2, uniform("0", "1"))]);
    for measure in Measure::ALL.into_iter().filter(|measure| is_piecewise_affine(*measure)) {
        let off = |parts| {
            let off = pointwise(parts, measure) - known(&nature, measure);
            if off < BigRational::zero() { -off } else { off }
        };
        assert!(off(8) < r("1/100"), "{measure}: {}", off(8));
    }
}

/// A law after each past: pieces that overlap, and a point among them.
#[test]
fn integrals_agree_with_samples() {
    let pieces = |ends: [[&str; 2]; 2]| {
        let piece = |[low, high]: [&str; 2]| Piece { low: r(low), high: r(high), mass: r("1/2") };
        Chance::Spread(Spread::new(ends.map(piece).into()).expect("a density"))
    };
    let nature = Adaptive::new(3, move |past: &[bool]| match past {
        [] => uniform("1/4", "7/8"),
        [false] => uniform("0", "1/2"),
        [true] => pieces([["0", "3/8"], ["1/2", "1"]]),
        [_, false] => uniform("1/3", "2/3"),
        _ => Chance::Point(p("1/2")),
    });
    for measure in Measure::ALL {
        let Ok(penalty) = exact(&nature, &Truthful, measure, 1 << 22) else {
            assert!(!is_piecewise_affine(measure));
            continue;
        };
        let drawn =
            sample(&nature, &Truthful, measure, 1500, 5, &truecal::Watch::silent()).expect("short");
        let off = (drawn.mean - penalty.to_f64()) / drawn.standard_error;
        assert!(off.abs() < 4.5, "{measure}: {} against {}", drawn.mean, penalty.to_f64());
    }
    // Points only but for one round: different pieces are the same function of it, and count once.
    let points =
        [(1, Chance::Point(p("1/4"))), (2, Chance::Point(p("1/2"))), (1, uniform("1/4", "1"))];
    let nature = Blocks::new(points);
    for measure in [Measure::StepCe, Measure::SignCe, Measure::IntervalCe, Measure::VCal] {
        let drawn =
            sample(&nature, &Truthful, measure, 1500, 5, &truecal::Watch::silent()).expect("short");
        let off = (drawn.mean - nearest_f64(&known(&nature, measure))) / drawn.standard_error;
        assert!(off.abs() < 4.5, "{measure}: {}", drawn.mean);
    }
    // More rounds than can be integrated are given up before they are begun.
    let long = Blocks::new([(12, uniform("0", "1"))]);
    assert_eq!(
        exact(&long, &Truthful, Measure::StepCe, 1 << 20).expect_err("twelve dimensions"),
        PenaltyError::Steps { steps: 1 << 20 }
    );
}
