//! smCE: a function that attains it and a flow that no function beats, both from the formula, and
//! the sums that show so.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Ledger;
use super::text::{columns, equation, joined, operand, wrap};
use truecal::Levels;
use truecal::measures;

/// The largest Σ f(v_j) b_j
pub(super) fn sm_ce(ledger: &Ledger) -> BigRational {
    attained(ledger, &function_and_flow(ledger).0)
}

pub(super) fn sm_ce_lines(ledger: &Ledger) -> Vec<String> {
    let m = ledger.len();
    let (function, flow) = function_and_flow(ledger);
    let value = attained(ledger, &function);
    if m == 0 {
        return vec![format!("smCE = sum f(v_j) b_j = {value}")];
    }
    // φ_0 = φ_m = 0
    let phi = |j: usize| if j == 0 { None } else { flow.get(j - 1) }.cloned().unwrap_or_default();
    let stays = |j: usize| &ledger.biases[j] + phi(j) - phi(j + 1);
    let product = |j: usize| &function[j] * &ledger.biases[j];

    let mut lines = vec!["f in [-1, 1] with |f(v_(j+1)) - f(v_j)| <= v_(j+1) - v_j:".to_owned()];
    let header =
        ["j", "v_j", "b_j", "f(v_j)", "f(v_j) b_j", "phi_j", "r_j = b_j + phi_(j-1) - phi_j"];
    lines.extend(columns(&header, m, None, |j| {
        let numbers = [
            &ledger.levels[j].value,
            &ledger.biases[j],
            &function[j],
            &product(j),
            &phi(j + 1),
            &stays(j),
        ];
        let numbers = numbers.into_iter().map(BigRational::to_string);
        std::iter::once((j + 1).to_string()).chain(numbers).collect()
    }));
    let products = joined(m, " + ", None, |j| operand(&product(j)));
    lines.extend(equation("sum f(v_j) b_j", &products, &value));

    lines.push("no f has more, for sum f(v_j) b_j".to_owned());
    lines.push("  = sum f(v_j) r_j + sum (f(v_j) - f(v_(j+1))) phi_j".to_owned());
    let gap = |j: usize| &ledger.levels[j + 1].value - &ledger.levels[j].value;
    let flows = m - 1;
    let bound = (0..m).map(|j| stays(j).abs()).sum::<BigRational>()
        + (0..flows).map(|j| gap(j) * phi(j + 1).abs()).sum::<BigRational>();
    let stay = joined(m, " + ", None, |j| stays(j).abs().to_string());
    let flow = joined(flows, " + ", None, |j| format!("{} · {}", gap(j), phi(j + 1).abs()));
    let terms = if flows == 0 { stay } else { format!("{stay} + {flow}") };
    lines.extend(equation("  <= sum |r_j| + sum (v_(j+1) - v_j) |phi_j|", &terms, &bound));
    lines.extend(wrap(&format!("smCE = sum f(v_j) b_j = {value}")));
    lines
}

/// Function and flow at every level. The table of a ledger has unit 1, so they are not scaled.
fn function_and_flow(ledger: &Ledger) -> (Vec<BigRational>, Vec<BigRational>) {
    let levels = Levels::new(BigRational::one(), ledger.levels.clone());
    let levels = levels.expect("the levels of a table");
    let smooth = measures::sm_ce(levels.table());
    (smooth.heights(levels.table()), smooth.flow(levels.table()))
}

/// Σ f(v_j) b_j
fn attained(ledger: &Ledger, function: &[BigRational]) -> BigRational {
    let products = function.iter().zip(&ledger.biases).map(|(height, bias)| height * bias);
    products.fold(BigRational::zero(), |sum, product| sum + product)
}
