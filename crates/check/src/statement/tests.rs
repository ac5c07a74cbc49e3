//! What the checker takes a measure to be, against the measures themselves: at every table of a
//! grid.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::table::Table;
use super::{Atom, Bounded, Case, Statement};
use crate::law::{Law, Quantity};
use crate::pattern::Pattern;
use crate::polynomial::{Poly, Ring};
use crate::rejection::Fault;
use crate::testing::{at, value_of};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::Witness;
use truecal::definitions;
use truecal::grid::grid_tables;

fn tables(rounds: u32, denominator: u32) -> impl Iterator<Item = AnyLevels> {
    (1..=rounds).flat_map(move |rounds| grid_tables(rounds, denominator)).map(AnyLevels::from)
}

/// The pattern that a table belongs to, and its predictions.
fn pattern_of(levels: &AnyLevels) -> (Pattern, Vec<BigRational>) {
    let table = levels.to_rational();
    let rows = table.table().rows();
    let levels = rows.iter().map(|row| (row.ones as u32, row.count as u32)).collect();
    let values: Vec<_> = rows.iter().map(|row| row.value.clone()).collect();
    (Pattern { levels }, values)
}

fn literal(levels: &AnyLevels, atom: Atom) -> BigRational {
    let rounds = levels.to_rational().to_rounds();
    match atom {
        Atom::Measure(Measure::Ece) => definitions::ece(&rounds),
        Atom::Measure(Measure::SmCe) => definitions::sm_ce(&rounds),
        Atom::Measure(Measure::StepCe) => definitions::step_ce(&rounds),
        Atom::Measure(Measure::SignCe) => definitions::sign_ce(&rounds),
        Atom::Measure(Measure::IntervalCe) => definitions::interval_ce(&rounds),
        Atom::Measure(Measure::VCal) => definitions::v_cal(&rounds),
        Atom::Measure(Measure::UCal) => definitions::u_cal(&rounds),
        Atom::Measure(average) => value_of(levels, Quantity::Measure(average)),
        Atom::Bias => value_of(levels, Quantity::Bias),
        Atom::AbsoluteBias => value_of(levels, Quantity::Bias).abs(),
        Atom::Variance => value_of(levels, Quantity::Variance),
        Atom::Squares => value_of(levels, Quantity::Squares),
    }
}

#[test]
fn a_measure_is_the_sum_of_its_maxima() {
    let exact = [
        Atom::Measure(Measure::Ece),
        Atom::Measure(Measure::StepCe),
        Atom::Measure(Measure::SignCe),
        Atom::Measure(Measure::IntervalCe),
        Atom::Measure(Measure::VCal),
        Atom::AbsoluteBias,
    ];
    let at_least = [Atom::Measure(Measure::UCal), Atom::Measure(Measure::SmCe)];
    for levels in tables(3, 4) {
        let (pattern, values) = pattern_of(&levels);
        let polys: Vec<Poly> =
            (1..=values.len()).map(|j| Poly::variable(j).expect("few")).collect();
        let table = Table { levels: pattern.levels.clone(), values: &polys };
        let value = |atom: Atom| -> BigRational {
            let groups = table.maxima(atom).expect("small numbers");
            let largest = |group: &Vec<Poly>| group.iter().map(|p| at(p, &values)).max();
            groups.iter().map(|group| largest(group).expect("pieces")).sum()
        };
        for atom in exact {
            assert_eq!(value(atom), literal(&levels, atom), "{atom:?} at {levels:?}");
        }
        for atom in at_least {
            assert!(value(atom) <= literal(&levels, atom), "{atom:?} at {levels:?}");
        }
    }
}

/// The value of what is bounded, for the table that it was made from.
fn value_of_bounded(bounded: &Bounded, values: &[BigRational], whole: &AnyLevels) -> BigRational {
    match bounded {
        Bounded::Maximum(pieces) => {
            pieces.iter().map(|piece| at(piece, values)).max().expect("pieces")
        }
        Bounded::Line(_) => value_of(whole, Quantity::Measure(Measure::UCal)),
        Bounded::Flow(..) => value_of(whole, Quantity::Measure(Measure::SmCe)),
    }
}

/// The best line and the best flow satisfy the goals, and bound UCal and smCE by their own values.
#[test]
fn the_best_line_and_flow_are_tight_bounds() {
    let integral = |value: &BigRational, d: &BigRational| {
        let scaled = value * d;
        assert!(scaled.is_integer());
        i128::try_from(scaled.to_integer()).expect("small numbers")
    };
    for levels in tables(3, 4) {
        let (pattern, values) = pattern_of(&levels);
        let common = |numbers: &[BigRational]| {
            let lcm = numbers.iter().fold(num_bigint::BigInt::one(), |lcm, number| {
                num_integer::Integer::lcm(&lcm, number.denom())
            });
            BigRational::from_integer(lcm)
        };
        let Witness::Rule { line: (u, w), .. } = levels.evaluate(Measure::UCal).witness else {
            panic!("UCal has a rule")
        };
        let Witness::Lipschitz(lipschitz) = levels.evaluate(Measure::SmCe).witness else {
            panic!("smCE has a flow")
        };
        let mut flow_bounds = vec![];
        let rows = levels.to_rational();
        let flow = lipschitz.flow(&rows);
        for (j, row) in rows.table().rows().iter().enumerate() {
            let before = if j == 0 { BigRational::zero() } else { flow[j - 1].clone() };
            let after = flow.get(j).cloned().unwrap_or_default();
            let left = row.bias(&BigRational::one()) - &after + before;
            if j + 1 < values.len() {
                flow_bounds.extend([after.clone(), left.abs(), after.abs()]);
            } else {
                flow_bounds.push(left.abs());
            }
        }
        for (law, numbers) in [("ucal <= T", vec![u, w]), ("smce <= T", flow_bounds)] {
            let law: Law = law.parse().expect("a law");
            let statement = Statement::of(&law, &pattern).expect("linear");
            let case = Case::of(&statement.forms[0], None, &pattern).expect("small numbers");
            let d = common(&numbers);
            let bounds: Vec<_> = numbers.iter().map(|n| Poly::constant(integral(n, &d))).collect();
            assert_eq!(case.bounds(), bounds.len());
            let d = integral(&d, &BigRational::one());
            let goals = case.goals(d, &bounds).expect("small numbers");
            let (last, others) = goals.split_last().expect("goals");
            assert!(others.iter().all(|goal| !at(goal, &values).is_negative()), "{levels:?}");
            let slack = BigRational::from_integer(levels.rounds().into())
                - value_of_bounded(&case.bounded[0].1, &values, &levels);
            assert_eq!(at(last, &values), slack * BigRational::from_integer(d.into()));
        }
    }
}

/// At every table the facts hold where each y is what it stands for, and the larger side minus what
/// is bounded is the slack of the law, times what the form was multiplied by.
#[test]
fn facts_hold_and_the_case_is_the_law() {
    let laws = crate::testing::committed_laws();
    let (mut compared, mut facts) = (0, 0);
    for levels in tables(2, 3).chain(grid_tables(3, 2).step_by(5).map(AnyLevels::from)) {
        let (pattern, values) = pattern_of(&levels);
        for law in &laws {
            let Some(statement) = Statement::of(law, &pattern) else { continue };
            if statement.zero.is_some_and(|atom| !literal(&levels, atom).is_zero()) {
                continue;
            }
            for form in &statement.forms {
                let case = Case::of(form, statement.zero, &pattern).expect("small numbers");
                let mut point = values.clone();
                for fact in &case.facts {
                    // The facts of a y follow the fact that it is >= 0: it is the largest of its
                    // pieces.
                    let newest = at(fact, &padded(&point, case.names.len()));
                    let own = Poly::variable(point.len() + 1).expect("few");
                    if *fact == own {
                        point.push(BigRational::zero());
                    } else if newest.is_negative() {
                        let times = fact
                            .terms()
                            .find(|(monomial, _)| **monomial == [0, 0, 0, point.len() as u16]);
                        let (_, times) = times.expect("only a y can be too small");
                        let last = point.last_mut().expect("a y");
                        *last -= newest / BigRational::from_integer((*times).into());
                    }
                }
                assert_eq!(point.len(), case.names.len());
                for fact in &case.facts {
                    assert!(!at(fact, &point).is_negative(), "{law} at {levels:?}");
                    facts += 1;
                }
                let average =
                    |atom: &Atom| matches!(atom, Atom::Measure(m) if m.subsampled_from().is_some());
                let exactly = form.terms.iter().all(|(atom, factor)| {
                    let only_at_least =
                        matches!(atom, Atom::Measure(Measure::UCal | Measure::SmCe));
                    !average(atom) && (*factor < 0 || !only_at_least)
                });
                if exactly {
                    let bounded = |(weight, bounded): &(i128, Bounded)| {
                        BigRational::from_integer((*weight).into())
                            * value_of_bounded(bounded, &values, &levels)
                    };
                    let less: BigRational = case.bounded.iter().map(bounded).sum();
                    let claimed = form.terms.iter().fold(
                        BigRational::from_integer(form.constant.into()),
                        |sum, (atom, factor)| {
                            sum + BigRational::from_integer((*factor).into())
                                * literal(&levels, *atom)
                        },
                    );
                    assert_eq!(at(&case.larger, &point) - less, claimed, "{law} at {levels:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_500 && facts > 10_000, "{compared} {facts}");
}

fn padded(point: &[BigRational], length: usize) -> Vec<BigRational> {
    let zeros = std::iter::repeat_n(BigRational::zero(), length - point.len());
    point.iter().cloned().chain(zeros).collect()
}

/// Averages on the smaller side: subset by subset they add up to 2^T times the average.
#[test]
fn subsets_add_up_to_the_average() {
    for (law, measure) in
        [("stepce_sub <= T", Measure::StepCeSub), ("vcal_sub <= T", Measure::VCalSub)]
    {
        let law: Law = law.parse().expect("a law");
        for levels in tables(3, 3) {
            let (pattern, values) = pattern_of(&levels);
            let statement = Statement::of(&law, &pattern).expect("linear");
            let case = Case::of(&statement.forms[0], None, &pattern).expect("small numbers");
            let total = case.bounded.iter().fold(BigRational::zero(), |sum, (weight, bounded)| {
                sum + BigRational::from_integer((*weight).into())
                    * value_of_bounded(bounded, &values, &levels)
            });
            let scale = BigRational::from_integer((1_i64 << pattern.rounds()).into());
            assert_eq!(total, scale * value_of(&levels, Quantity::Measure(measure)));
        }
    }
}

/// A rational beside a root is on the side that makes the law stronger.
#[test]
fn roots_are_rounded_to_the_safe_side() {
    let pattern = Pattern { levels: vec![(1, 2)] };
    let constant = |law: &str| {
        let law: Law = law.parse().expect("a law");
        let form = Statement::of(&law, &pattern).expect("linear").forms.remove(0);
        let (_, factor) = form.terms[0];
        BigRational::new(form.constant.into(), factor.abs().into())
    };
    let (above, below) = (constant("ece >= sqrt(T)"), constant("ece <= sqrt(T)"));
    assert_eq!(
        (above.to_string(), below.to_string()),
        ("-707107/500000".to_owned(), "1414213/1000000".to_owned())
    );
    assert_eq!(constant("ece <= sqrt(2*T)").to_string(), "2");
    assert_eq!(constant("ece >= sqrt(T/8)").to_string(), "-1/2");
    // Roots that would be multiplied, or in a hypothesis, have no safe side.
    for law in ["sqrt(T)*ece <= 1", "sqrt(T) >= 1 => ece <= T", "(1 + sqrt(T))*ece <= 1"] {
        assert!(Statement::of(&law.parse().expect("a law"), &pattern).is_none(), "{law}");
    }
}

/// The forms of a law at two levels with 3 rounds, 2 of them ones.
#[test]
fn forms_are_what_the_law_says() {
    let pattern = Pattern { levels: vec![(1, 2), (1, 1)] };
    let atom = |name: &str| match name {
        "bias" => Atom::Bias,
        "|bias|" => Atom::AbsoluteBias,
        "var" => Atom::Variance,
        "squares" => Atom::Squares,
        key => Atom::Measure(Measure::ALL.into_iter().find(|m| m.key() == key).expect("a key")),
    };
    let form = |(constant, terms): &(i128, &[(&str, i128)])| super::Form {
        constant: *constant,
        terms: terms.iter().map(|(name, factor)| (atom(name), *factor)).collect(),
    };
    type Forms<'a> = &'a [(i128, &'a [(&'a str, i128)])];
    let cases: &[(&str, Forms<'_>)] = &[
        ("ece <= T", &[(3, &[("ece", -1)])]),
        ("ece >= T", &[(-3, &[("ece", 1)])]),
        ("ece == ones", &[(2, &[("ece", -1)]), (-2, &[("ece", 1)])]),
        ("ece/2 + stepce/2 <= m", &[(4, &[("ece", -1), ("stepce", -1)])]),
        ("ece/4 + stepce/6 <= 1/3", &[(4, &[("ece", -3), ("stepce", -2)])]),
        ("ece - (m - stepce) <= 0", &[(2, &[("ece", -1), ("stepce", -1)])]),
        ("-ece <= -(smce - T)", &[(3, &[("smce", -1), ("ece", 1)])]),
        ("(T + m)*ece <= 1", &[(1, &[("ece", -5)])]),
        ("(T - m)*ece <= 1", &[(1, &[("ece", -1)])]),
        ("ece*(T*m) <= 1", &[(1, &[("ece", -6)])]),
        ("T*m*ece <= 1", &[(1, &[("ece", -6)])]),
        ("-T*ece <= 1", &[(1, &[("ece", 3)])]),
        ("T/2*ece <= 1", &[(2, &[("ece", -3)])]),
        ("ones*ece <= T*T/-3", &[(-3, &[("ece", -2)])]),
        ("ece + 2*ece <= 3*ece + 1", &[(1, &[])]),
        ("bias + var <= squares", &[(0, &[("squares", 1), ("bias", -1), ("var", -1)])]),
        ("abs(bias) <= ucal_sub", &[(0, &[("ucal_sub", 1), ("|bias|", -1)])]),
        ("max(ece, smce) <= T", &[(3, &[("ece", -1)]), (3, &[("smce", -1)])]),
        ("min(ece, smce) >= 1", &[(-1, &[("ece", 1)]), (-1, &[("smce", 1)])]),
        ("m == 2 => ece <= T", &[(3, &[("ece", -1)])]),
        ("T > 2 => ece <= T", &[(3, &[("ece", -1)])]),
        ("T < 3 => ece <= T", &[]),
        ("m == 3 => ece <= T", &[]),
        ("T >= 4 => ece <= T", &[]),
        ("2*sqrt(T + 1) - 1 >= ece", &[(3, &[("ece", -1)])]),
        ("0*sqrt(T) >= ece", &[(0, &[("ece", -1)])]),
    ];
    for (text, forms) in cases {
        let statement = Statement::of(&text.parse().expect("a law"), &pattern).expect("linear");
        let forms: Vec<_> = forms.iter().map(form).collect();
        assert_eq!(statement, Statement { zero: None, forms }, "{text}");
    }
    for (text, zero) in [
        ("ece == 0 => smce <= 1", "ece"),
        ("0 == 2*bias => smce <= 1", "bias"),
        ("abs(bias) + 1 == 1 => smce <= 1", "|bias|"),
    ] {
        let statement = Statement::of(&text.parse().expect("a law"), &pattern).expect("linear");
        assert_eq!(statement.zero, Some(atom(zero)), "{text}");
        assert_eq!(statement.forms, [form(&(1, &[("smce", -1)]))]);
    }
}

/// Parts below 2^62, above and below the line.
#[test]
fn numbers_of_a_form_are_small() {
    let pattern = Pattern { levels: vec![(1, 2)] };
    let fits = |law: &str| Statement::of(&law.parse().expect("a law"), &pattern).is_some();
    for law in [
        "ece <= 4611686018427387903",
        "ece >= -4611686018427387903",
        "ece/4611686018427387903 <= 1",
        "ece <= 1/4611686018427387903",
        "4611686018427387903*ece <= 1",
    ] {
        assert!(fits(law), "{law}");
    }
    for law in [
        "ece <= 4611686018427387904",
        "ece >= -4611686018427387904",
        "ece/4611686018427387904 <= 1",
        "ece <= 1/4611686018427387904",
        "4611686018427387904*ece <= 1",
        "ece <= 2305843009213693952*T",
        "ece <= 2305843009213693952 + 2305843009213693952*ones",
        "2305843009213693952*ece + 2305843009213693952*ece <= 1",
        "2305843009213693952*(2*ece) <= 1",
        "2305843009213693952*ece <= 1/2",
        "ece <= sqrt(4611686018427387904)",
        "ece <= sqrt(T - 3)",
    ] {
        assert!(!fits(law), "{law}");
    }
}

/// A case asks for as many bounds as it says.
#[test]
fn bounds_are_counted() {
    let pattern = Pattern { levels: vec![(1, 2), (0, 1)] };
    let case = |law: &str| {
        let statement = Statement::of(&law.parse().expect("a law"), &pattern).expect("linear");
        Case::of(&statement.forms[0], statement.zero, &pattern).expect("small numbers")
    };
    for (law, bounds) in [
        ("stepce <= T", 0),
        ("ece <= T", 2),
        ("ucal <= T", 2),
        ("smce <= T", 4),
        ("ece + ucal + smce <= T", 8),
        ("T >= bias", 0),
    ] {
        let case = case(law);
        assert_eq!(case.bounds(), bounds, "{law}");
        let polys = vec![Poly::constant(1); bounds];
        assert!(case.goals(1, &polys).is_ok(), "{law}");
        if bounds > 0 {
            assert_eq!(case.goals(1, &polys[1..]), Err(Fault::Malformed), "{law}");
        }
    }
    // Predictions first, then what stands on the larger side: a y for each maximum.
    assert_eq!(case("stepce <= 2*ece").names, ["v1", "v2", "y1", "y2"]);
}

#[test]
fn what_has_no_certificates_is_said_to_have_none() {
    let pattern = Pattern { levels: vec![(1, 2)] };
    for law in [
        "ece < T",
        "ece*ece <= T",
        "sqrt(var) <= T",
        "abs(ece) <= T",
        "max(ece, smce) >= 0",
        "cdl <= T",
        "ece <= 1 => smce <= 1",
        "ece == 1 => smce <= 1",
        "ece - smce == 0 => smce <= 1",
        "ece <= 0 => smce <= 1",
        "ece >= 0 => smce <= 1",
        "squares == 0 => stepce == 0",
        "var == 0 => stepce == 0",
        "sqrt(ece) <= 1",
        "abs(bias - 1) <= T",
    ] {
        assert!(Statement::of(&law.parse().expect("a law"), &pattern).is_none(), "{law}");
    }
}
