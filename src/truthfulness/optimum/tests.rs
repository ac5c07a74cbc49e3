use super::*;
use crate::refute::Watch;
use num_rational::BigRational;

fn nature(text: &str) -> OutcomeTree {
    let p: Vec<BigRational> = text.split(',').map(|p| p.parse().expect("a rational")).collect();
    OutcomeTree::product(&p).expect("probabilities")
}

#[test]
fn speed() {
    for text in ["1/4,1/2", "1/4,1/2,1/3", "1/2,1/2,1/2", "1/3,1/3,1/3", "1/6,5/12,2/3"] {
        for m in [Measure::StepCeSub, Measure::StepCe, Measure::VCalSub] {
            let t = nature(text);
            let start = std::time::Instant::now();
            let o = exact(&t, m, &Watch::silent()).expect("found");
            let d = start.elapsed();
            let start = std::time::Instant::now();
            check(&t, m, &o).expect("accepted");
            let lines: usize = o.certificate.cases.iter().map(|c| c.bounds.len()).sum();
            let f: Vec<_> = (0..t.rounds()).flat_map(outcomes).map(|p| o.forecaster.prediction(&p).to_string()).collect();
            println!("{text} {m}: {} truth {} {:?} check {:?} lines {lines} {f:?}", o.value, t.penalty(&TreeForecaster::truthful(&t), m), d, start.elapsed());
        }
    }
}
