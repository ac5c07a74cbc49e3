use super::text::{COLUMNS, INDENT};
use super::*;
use num_traits::Signed;
use truecal::AnyLevels;
use truecal::Forecasts;
use truecal::grid::grid_tables;

/// The quantities that are no measures.
fn sums() -> impl Iterator<Item = Quantity> {
    Quantity::ALL.into_iter().filter(|quantity| !matches!(quantity, Quantity::Measure(_)))
}

fn levels(rounds: &[(bool, &str)]) -> Levels<BigRational> {
    let forecasts = Forecasts::from_pairs(rounds.iter().copied()).expect("valid");
    forecasts.levels().expect("small").to_rational()
}

fn small_tables() -> impl Iterator<Item = Levels<i64>> {
    (0..=4).flat_map(|rounds| grid_tables(rounds, 4))
}

/// The lines before they were broken.
fn unbroken(lines: &[String]) -> Vec<String> {
    let mut whole: Vec<String> = vec![];
    for line in lines {
        match (line.strip_prefix(INDENT), whole.last_mut()) {
            (Some(rest), Some(last)) => *last += &format!(" {rest}"),
            _ => whole.push(line.clone()),
        }
    }
    whole
}

/// What a calculation ends with.
fn last_value(lines: &[String]) -> BigRational {
    let lines = unbroken(lines);
    let (_, value) = lines.last().expect("a line").rsplit_once(" = ").expect("an equation");
    value.parse().expect("a rational")
}

fn fits(lines: &[String]) -> bool {
    lines.iter().all(|line| !line.is_empty() && line.chars().count() <= COLUMNS)
}

#[test]
fn the_arithmetic_ends_with_the_value() {
    for table in small_tables() {
        let levels = table.to_rational();
        let any = AnyLevels::from(table);
        for measure in Measure::ALL {
            let lines = quantity_lines(&levels, Quantity::Measure(measure));
            let last = lines.last().expect("a line");
            assert!(last.starts_with(&format!("{measure} = ")), "{last}");
            assert_eq!(last_value(&lines), any.evaluate(measure).value, "{lines:#?}");
            assert!(fits(&lines), "{lines:#?}");
        }
    }
}

#[test]
fn every_equation_between_numbers_is_true() {
    let mut checked = 0;
    for table in small_tables() {
        let levels = table.to_rational();
        let measures = Measure::ALL
            .into_iter()
            .flat_map(|name| quantity_lines(&levels, Quantity::Measure(name)));
        let sums = sums().flat_map(|name| quantity_lines(&levels, name));
        for line in unbroken(&measures.chain(sums).collect::<Vec<_>>()) {
            let sides: Vec<&str> = line.split(" = ").collect();
            for sides in sides.windows(2) {
                let (left, right) = (Reader::read(sides[0]), Reader::read(sides[1]));
                // On the right a comma may follow and begin something else.
                if let (Some((left, "")), Some((right, rest))) = (left, right)
                    && (rest.is_empty() || rest.starts_with(", "))
                {
                    assert_eq!(left, right, "{line}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20_000, "only {checked} equations");
}

/// Reads what is written with numbers only.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    /// The value of an expression and what follows it.
    fn read(text: &'a str) -> Option<(BigRational, &'a str)> {
        let mut reader = Reader(text);
        let value = reader.sum()?;
        Some((value, reader.0))
    }

    fn skip(&mut self, mark: &str) -> bool {
        let rest = self.0.strip_prefix(mark);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<BigRational> {
        let mut value = self.product()?;
        loop {
            if self.skip(" + ") {
                value += self.product()?;
            } else if self.skip(" - ") {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<BigRational> {
        let mut value = self.power()?;
        loop {
            if self.skip(" · ") {
                value *= self.power()?;
            } else if self.skip(" / ") || self.skip("/") {
                value /= self.power()?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self) -> Option<BigRational> {
        let value = self.operand()?;
        if self.skip("^") {
            let exponent = self.operand()?.to_integer();
            return Some(value.pow(exponent.try_into().ok()?));
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<BigRational> {
        if self.skip("max(") {
            let first = self.sum()?;
            let second = self.skip(", ").then(|| self.sum())??;
            return self.skip(")").then(|| first.max(second));
        }
        for (opening, closing) in [("(", ")"), ("|", "|")] {
            if self.skip(opening) {
                let inner = self.sum()?;
                let value = if opening == "|" { inner.abs() } else { inner };
                return self.skip(closing).then_some(value);
            }
        }
        if self.skip("-") {
            return Some(-self.operand()?);
        }
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits.parse().ok()
    }
}

/// The function attains the value and the flow bounds it.
#[test]
fn both_sides_of_the_smooth_error_are_shown() {
    for table in small_tables().filter(|table| table.table().rounds() > 0) {
        let lines =
            unbroken(&quantity_lines(&table.to_rational(), Quantity::Measure(Measure::SmCe)));
        let [.., attained, _, _, bound, last] = lines.as_slice() else { panic!("{lines:#?}") };
        assert!(bound.starts_with("  <= "), "{bound}");
        let value = |line| last_value(std::slice::from_ref(line));
        assert_eq!([value(attained), value(bound)], [value(last), value(last)], "{lines:#?}");
    }
}

#[test]
fn sums_are_those_of_the_rounds() {
    for table in small_tables() {
        let levels = table.to_rational();
        let rounds = levels.to_rounds();
        let indicator = |x: bool| int(u8::from(x));
        let sum = |term: fn(BigRational, &BigRational) -> BigRational| -> BigRational {
            rounds.iter().map(|(x, p)| term(indicator(*x), p)).sum()
        };
        for name in sums() {
            let value = match name {
                Quantity::Rounds => int(rounds.len() as u64),
                Quantity::Levels => int(levels.table().rows().len() as u64),
                Quantity::Ones => sum(|x, _| x),
                Quantity::Bias => sum(|x, p| x - p),
                Quantity::Variance => sum(|_, p| p * (BigRational::one() - p)),
                Quantity::Squares => sum(|x, p| (x - p).pow(2)),
                Quantity::Measure(_) => unreachable!("not a sum"),
            };
            let lines = quantity_lines(&levels, name);
            assert_eq!(last_value(&lines), value, "{lines:#?}");
            assert!(fits(&lines), "{lines:#?}");
        }
        assert!(fits(&table_lines(&levels)));
    }
}

/// x = (1, 0), p = (1/2, 1)
#[test]
fn the_sign_variant_can_be_three_times_the_step_error() {
    let levels = levels(&[(true, "1/2"), (false, "1")]);
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::StepCe)),
        ["|B_1| = |1/2| = 1/2, |B_2| = |-1/2| = 1/2", "stepCE = max |B_j| = 1/2"]
    );
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::SignCe)),
        [
            "alpha              |sum (x_t - p_t) sgn(alpha - p_t)|",
            "below 1/2          |B_2| = |-1/2| = 1/2",
            "1/2                |B_0 + B_1 - B_2| = |0 + 1/2 - (-1/2)| = 1",
            "between 1/2 and 1  |2 B_1 - B_2| = |2 · 1/2 - (-1/2)| = 3/2",
            "1                  |B_1 + B_2 - B_2| = |1/2 + (-1/2) - (-1/2)| = 1/2",
            "signCE = the largest of these = 3/2",
        ]
    );
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::VCal)),
        [
            "g(alpha) = max(X_< - alpha N_<, alpha N_> - X_>); N rounds, X ones predicted on that \
                side",
            "alpha           g",
            "0               0",
            "1/2 from below  alpha N_> - X_> = 1/2 · 2 - 1 = 0",
            "1/2 from above  X_< - alpha N_< = 1 - 1/2 · 1 = 1/2",
            "1 from below    alpha N_> - X_> = 1 · 1 - 0 = 1",
            "VCal = 2 sup g = 2 · 1 = 2",
        ]
    );
}

/// x = (0, 1, 0), p = (3/8, 3/8, 1/2)
#[test]
fn u_calibration_is_read_off_the_majorant() {
    let levels = levels(&[(false, "3/8"), (true, "3/8"), (false, "1/2")]);
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::UCal)),
        [
            "g(alpha) = max(X_< - alpha N_<, alpha N_> - X_>); N rounds, X ones predicted on that \
                side",
            "alpha           limit of g",
            "0 from above    max(0 - 0 · 0, 0 · 3 - 1) = 0",
            "3/8 from below  max(0 - 3/8 · 0, 3/8 · 3 - 1) = 1/8",
            "3/8 from above  max(1 - 3/8 · 2, 3/8 · 1 - 0) = 3/8",
            "1/2 from below  max(1 - 1/2 · 2, 1/2 · 1 - 0) = 1/2",
            "1/2 from above  max(1 - 1/2 · 3, 1/2 · 0 - 0) = 0",
            "1 from below    max(1 - 1 · 3, 1 · 0 - 0) = 0",
            "corners at the larger limits: (0, 0), (3/8, 3/8), (1/2, 1/2), (1, 0)",
            "their least concave majorant ĝ over 1/2: the line from (0, 0) to (1/2, 1/2)",
            "no corner lies above that line: 0 + 1 · alpha",
            "ĝ(1/2) = 0 + (1/2 - 0) · (1/2 - 0) / (1/2 - 0) = 1/2",
            "UCal = 4 ĝ(1/2) = 4 · 1/2 = 2",
        ]
    );
}

/// x = (1, 0, 0), p = (0, 1, 1)
#[test]
fn the_smooth_error_can_be_twice_the_subsampled_step_error() {
    let levels = levels(&[(true, "0"), (false, "1"), (false, "1")]);
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::SmCe)),
        [
            "f in [-1, 1] with |f(v_(j+1)) - f(v_j)| <= v_(j+1) - v_j:",
            "j  v_j  b_j  f(v_j)  f(v_j) b_j  phi_j  r_j = b_j + phi_(j-1) - phi_j",
            "1  0    1    0       0           1      0",
            "2  1    -2   -1      2           0      -1",
            "sum f(v_j) b_j = 0 + 2 = 2",
            "no f has more, for sum f(v_j) b_j",
            "  = sum f(v_j) r_j + sum (f(v_j) - f(v_(j+1))) phi_j",
            "  <= sum |r_j| + sum (v_(j+1) - v_j) |phi_j| = 0 + 1 + 1 · 1 = 2",
            "smCE = sum f(v_j) b_j = 2",
        ]
    );
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::StepCeSub)),
        [
            "the 2^3 = 8 subsets of the rounds, by what they keep:",
            "subsets  x          p          stepCE",
            "1        ()         ()         0",
            "2        (0)        (1)        1",
            "1        (0, 0)     (1, 1)     2",
            "1        (1)        (0)        1",
            "2        (1, 0)     (0, 1)     1",
            "1        (1, 0, 0)  (0, 1, 1)  1",
            "sum over the subsets = 1 · 0 + 6 · 1 + 1 · 2 = 8",
            "stepCE^sub = 8 / 2^3 = 1",
        ]
    );
    let sum = |name| quantity_lines(&levels, name);
    assert_eq!(sum(Quantity::Rounds), ["T = sum n_j = 1 + 2 = 3"]);
    assert_eq!(sum(Quantity::Levels), ["m = number of distinct predictions = 2"]);
    assert_eq!(sum(Quantity::Ones), ["ones = sum k_j = 1 + 0 = 1"]);
    assert_eq!(sum(Quantity::Bias), ["bias = sum (x_t - p_t) = 1 - 2 = -1"]);
    assert_eq!(sum(Quantity::Variance), ["var = sum p_t (1 - p_t) = 1 · 0 · 1 + 2 · 1 · 0 = 0"]);
    assert_eq!(sum(Quantity::Squares), ["squares = sum (x_t - p_t)^2 = 1 · 1^2 + 2 · 1^2 = 3"]);
}

/// Thousands of levels, long fractions or many rounds take pages, not books.
#[test]
fn large_tables_are_abbreviated() {
    let grid = |m: u64, power: i32, count: u64| {
        let value = |j: u64| (int(j) / int(m)).pow(power);
        let level = |j: u64| Level { value: value(j), count, ones: j * 7 % (count + 1) };
        Levels::new(BigRational::one(), (0..=m).map(level).collect()).expect("a table")
    };
    for levels in [grid(3000, 1, 1), grid(30, 20, 1), grid(2, 1, 1 << 60), grid(5, 1, 2)] {
        let mut lines = table_lines(&levels);
        for name in sums() {
            lines.extend(quantity_lines(&levels, name));
        }
        for measure in Measure::ALL {
            let arithmetic = quantity_lines(&levels, Quantity::Measure(measure));
            let last = arithmetic.last().expect("a line");
            assert!(arithmetic.len() < 200, "{measure}: {} lines", arithmetic.len());
            if measure.subsampled_from().is_some() && levels.table().rounds() > 12 {
                assert!(last.ends_with(" subsets: too many to write out"), "{last}");
            }
            lines.extend(arithmetic);
        }
        assert!(fits(&lines));
    }
}

#[test]
fn without_rounds_everything_is_zero() {
    let levels = levels(&[]);
    assert_eq!(table_lines(&levels), ["x = (), p = ()"]);
    assert_eq!(
        quantity_lines(&levels, Quantity::Measure(Measure::StepCe)),
        ["stepCE = max |B_j| = 0"]
    );
    assert_eq!(quantity_lines(&levels, Quantity::Rounds), ["T = sum n_j = 0"]);
}
