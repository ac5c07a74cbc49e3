//! The smooth ECE against closed forms, plain integration, and relplot.
#![expect(clippy::float_arithmetic, reason = "a real number, with a stated error")]

use std::f64::consts::{PI, SQRT_2};

use proptest::prelude::*;

use super::*;
use crate::classical::SmEce;
use crate::rounding::nearest_f64;

/// f(σ) by the trapezoidal rule, with images of the kernel at 2j ± p.
fn integral(levels: &AnyLevels, sigma: f64, steps: u32) -> f64 {
    let rounds = levels.rounds() as f64;
    let rational = levels.to_rational();
    let rows = rational.table().rows().iter().map(|row| {
        let p = nearest_f64(&row.value);
        (p, (row.ones as f64 - row.count as f64 * p) / rounds)
    });
    let rows: Vec<_> = rows.collect();
    let normal = |x: f64| {
        let z = x / sigma;
        if z.abs() > 9.0 { 0.0 } else { (-z * z / 2.0).exp() / (sigma * (2.0 * PI).sqrt()) }
    };
    let smoothed = |t: f64| {
        let mut sum = 0.0;
        for (p, weight) in &rows {
            for image in -5..=5 {
                let shift = 2.0 * f64::from(image);
                sum += weight * (normal(t - p + shift) + normal(t + p + shift));
            }
        }
        f64::abs(sum)
    };
    let ends = (smoothed(0.0) + smoothed(1.0)) / 2.0;
    let inner = (1..steps).map(|i| smoothed(f64::from(i) / f64::from(steps))).sum::<f64>();
    (ends + inner) / f64::from(steps)
}

/// As f does not rise, σ* is no further from σ than f(σ) is.
fn check(levels: &AnyLevels, fineness: f64, tolerance: f64) {
    let SmEce { value, error } = levels.sm_ece();
    assert!(error <= 1e-8, "{error}");
    if value < 1e-4 {
        return;
    }
    let f = integral(levels, value, (fineness / value).ceil() as u32);
    assert!((f - value).abs() <= tolerance + 40.0 * error, "{f} is not {value}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn awkward_rounds_agree_with_plain_integration(rounds in some_rounds(8)) {
        check(&levels_of(&rounds), 500.0, 1e-6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Shares alone matter; the reflection p -> 1 - p, x -> 1 - x changes nothing.
    #[test]
    fn only_shares_matter(rounds in some_rounds(12), factor in 2..50_u64) {
        let levels = levels_of(&rounds);
        let reflected: Vec<_> = rounds.iter().map(|(x, p)| {
            let other = crate::rational::int(1) - p.to_rational();
            (!x, Prediction::try_from(other).expect("in [0, 1]"))
        }).collect();
        let mut others = at_every_width(&levels);
        others.extend([levels_of(&reflected), scaled(&levels, factor), scaled(&levels, 1 << 59)]);
        let one = levels.sm_ece();
        for other in others {
            let other = other.sm_ece();
            prop_assert!((one.value - other.value).abs() <= one.error + other.error);
        }
        let ece = nearest_f64(&levels.evaluate(crate::Measure::Ece).value);
        prop_assert!(one.value - one.error <= ece / levels.rounds().max(1) as f64);
    }
}

#[test]
fn nothing_to_smooth() {
    for levels in [table(1, &[]), table(2, &[(0, 3, 0), (1, 2, 1), (2, 4, 4)])] {
        assert_eq!(levels.sm_ece(), SmEce { value: 0.0, error: 0.0 });
    }
}

/// Biases of one sign cannot cancel: the value is their sum.
#[test]
fn one_sign_is_the_ece() {
    for (rows, ece) in [
        (vec![(0, 1, 1)], 1.0),
        (vec![(3, 10, 0)], 0.3),
        (vec![(1, 10, 2), (4, 10, 5), (10, 20, 20)], 0.05),
        (vec![(5, 1 << 40, (1 << 39) + 1)], 1.0 / (1_u64 << 40) as f64),
    ] {
        let SmEce { value, error } = table(10, &rows).sm_ece();
        assert!((value - ece).abs() <= error && error < 1e-9 && error < 1e-4 * ece, "{ece}");
    }
}

/// Weights next to the ends, where a part of them goes to the image of a node, and a weight of the
/// other sign, so that the value is less than their sum.
#[test]
fn nothing_is_lost_at_the_ends() {
    for rows in [
        [(2, 10, 10), (50_000, 10, 0)],
        [(50_000, 10, 9), (99_998, 10, 0)],
        [(1, 4, 3), (99_999, 2, 1)],
    ] {
        check(&table(100_000, &rows), 500.0, 1e-6);
    }
}

/// The σ where a decreasing f crosses it.
fn fixed_point(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if f(middle) > middle { low = middle } else { high = middle }
    }
    low
}

/// Opposite weights w at a distance d, far from the ends: f(σ) = 2w erf(d/(√8 σ)).
#[test]
fn a_pair_in_closed_form() {
    let unit: i128 = 1 << 50;
    for (log_distance, error) in [(3, 1e-8), (20, 1e-8), (28, 1e-6), (38, 4e-6)] {
        let distance: i128 = 1 << (50 - log_distance);
        let below = unit / 2 - distance / 2;
        // 1000 rounds each; those below under-forecast by about 100, those above over-forecast.
        let levels = table(unit, &[(below, 1000, 600), (below + distance, 1000, 400)]);
        let d = distance as f64 / unit as f64;
        let weight = (0.6 - below as f64 / unit as f64) / 2.0;
        let exact = fixed_point(|sigma| 2.0 * weight * libm::erf(d / (2.0 * SQRT_2 * sigma)));
        let smooth = levels.sm_ece();
        assert!(smooth.error <= error, "{log_distance}: {smooth:?}");
        assert!((smooth.value - exact).abs() <= smooth.error + 1e-15, "{exact} {smooth:?}");
        // Closer still if σ* is not too small for the grid.
        if log_distance <= 20 {
            assert!((smooth.value - exact).abs() <= 1e-9, "{exact} {smooth:?}");
        }
    }
}

/// Opposite weights w at 0 and 1: f(σ) = 2w |2F - 1|, F the mass of the kernel at 0 up to 1/2.
#[test]
fn both_ends_in_closed_form() {
    for ones in 1..=10 {
        let levels = table(1, &[(0, 10, ones), (1, 10, 10 - ones)]);
        let weight = ones as f64 / 20.0;
        let f = |sigma: f64| {
            let normal = |x: f64| libm::erf(x / (SQRT_2 * sigma)) / 2.0;
            let images = (-9..=9).map(|j| 2.0 * f64::from(j));
            let mass = images.map(|at| 2.0 * (normal(0.5 - at) - normal(-at))).sum::<f64>();
            2.0 * weight * (2.0 * mass - 1.0)
        };
        let (smooth, exact) = (levels.sm_ece(), fixed_point(f));
        assert!((smooth.value - exact).abs() <= smooth.error && smooth.error < 1e-8);
    }
}

/// Many tiny biases, as calibrated forecasts have them, and biases that alternate.
#[test]
fn many_levels_agree_with_plain_integration() {
    for (rounds, power, factor) in [(200, 1, 37), (400, 2, 171), (400, 1, 201)] {
        check(&spread(rounds, power, factor), 100.0, 1e-5);
    }
    let rows: Vec<_> = (0..300_i128).map(|k| (2 * k + 1, 1, (k % 2) as u64)).collect();
    check(&table(600, &rows), 100.0, 1e-5);
}

/// p = k/(n+1), and x = 1 if ((k-1) factor mod n + 1/2)/n < p^power.
fn spread(n: u32, power: u32, factor: u32) -> AnyLevels {
    let row = |k: u32| {
        let u = (f64::from((k - 1) * factor % n) + 0.5) / f64::from(n);
        let p = f64::from(k) / f64::from(n + 1);
        (i128::from(k), 1, u64::from(u < p.powi(power as i32)))
    };
    table(i128::from(n) + 1, &(1..=n).map(row).collect::<Vec<_>>())
}

/// relplot 1.0.3 halves an interval for the bandwidth ten times, so that its own is at most 2^-10
/// too large, and its value, which is that at its bandwidth, too small by about as much.
#[test]
fn relplot_is_close() {
    for (n, power, factor, known) in [
        (50, 1, 17, 0.109_225_865),
        (200, 2, 37, 0.174_694_238),
        (1000, 1, 389, 0.014_952_879),
        (1000, 3, 389, 0.255_763_144),
        (5000, 2, 1409, 0.166_758_719),
    ] {
        let value = spread(n, power, factor).sm_ece().value;
        assert!((value - known).abs() < 1.5e-3, "{value} is not {known}");
    }
}

/// Where relplot is not: it cuts the kernel off at a distance of 1/2, and counts a prediction of 0
/// or 1 by half, as its image is at the same place. Known values by numpy, with all images, from
/// 20001 points.
#[test]
fn relplot_is_not_close() {
    for (rows, known, relplot) in [
        (vec![(2, 2, 1), (8, 1, 0), (9, 1, 1)], 0.247_816_414, 0.256_632_443),
        (vec![(0, 1, 1), (5, 1, 1), (10, 1, 0)], 0.400_973_588, 0.498_776_868),
        (vec![(3, 2, 2), (7, 1, 0)], 0.339_104_146, 0.408_977_523),
    ] {
        let value = table(10, &rows).sm_ece().value;
        assert!((value - known).abs() < 1e-7, "{value} is not {known}");
        assert!((value - relplot).abs() > 5e-3);
    }
}
