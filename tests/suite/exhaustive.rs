//! The checks of `truecal verify` on a larger domain than the command takes by default.

use truecal::Measure;
use truecal::evidence::{Domain, grid_size, verify};

/// Both readings of every measure, and every witness, on every table with up to 5 rounds in sixths; the headline
/// inequalities where each has a case that refutes a smaller constant.
#[test]
fn everything_holds_on_every_small_table() {
    let (readings, inequalities) = (Domain { rounds: 5, grid: 6 }, Domain { rounds: 4, grid: 12 });
    let size = |domain: Domain| (0..=domain.rounds).map(|t| grid_size(t, domain.grid)).sum::<u64>();
    let findings = verify(readings, inequalities, |_| ());
    for finding in &findings {
        assert!(finding.passed(), "{finding:?}");
    }
    let plain = Measure::ALL.iter().filter(|m| m.subsampled_from().is_none()).count();
    let (on_readings, on_inequalities) = findings.split_at(Measure::ALL.len() + plain);
    assert_eq!(on_inequalities.len(), 4);
    assert!(on_readings.iter().all(|finding| finding.cases == size(readings)));
    assert!(on_inequalities.iter().all(|finding| finding.cases == size(inequalities)));
    assert_eq!(size(readings), 11_628);
}
