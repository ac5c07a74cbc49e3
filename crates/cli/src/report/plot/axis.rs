//! Which values an axis shows, and where.

#![expect(clippy::float_arithmetic, reason = "coordinates of a picture, not values")]

/// An axis from one tick or a place between ticks to another.
pub(super) struct Axis {
    log: bool,
    low: f64,
    high: f64,
    pub ticks: Vec<Tick>,
}

/// A value that is labelled.
pub(super) struct Tick {
    /// How far along the axis it is, from 0 to 1.
    pub place: f64,
    pub label: String,
}

/// A number with few digits, digits·10^exponent: ticks are exactly what their labels say.
#[derive(Clone, Copy)]
struct Short {
    digits: i64,
    exponent: i32,
}

/// How many ticks there are at most, or one or two more.
const TICKS: i32 = 8;

impl Axis {
    /// An axis for all of these values that it can show.
    pub fn new(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let range = values.filter(|value| shown(*value, log)).fold(None, |range, value| {
            let (low, high): (f64, f64) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (low, high, ticks) = match (log, range) {
            (true, range) => logarithmic(range.unwrap_or((1.0, 10.0))),
            (false, range) => linear(range.unwrap_or((0.0, 1.0))),
        };
        let mut axis = Axis { log, low, high, ticks: Vec::new() };
        let tick =
            |tick: Short| Some(Tick { place: axis.place(tick.value())?, label: tick.label() });
        axis.ticks = ticks.into_iter().filter_map(tick).collect();
        axis
    }

    /// How far along the axis a value is, from 0 to 1, if it can be shown.
    pub fn place(&self, value: f64) -> Option<f64> {
        let scale = |value: f64| if self.log { libm::log10(value) } else { value };
        let (low, high) = (scale(self.low), scale(self.high));
        shown(value, self.log).then(|| ((scale(value) - low) / (high - low)).clamp(0.0, 1.0))
    }
}

/// Whether an axis has a place for a value. Sizes beyond 10^300 would overflow on the way.
fn shown(value: f64, log: bool) -> bool {
    value.abs() <= 1e300 && (!log || value >= 1e-300)
}

/// Ends and ticks at multiples of 1, 2 or 5 times a power of ten.
fn linear((low, high): (f64, f64)) -> (f64, f64, Vec<Short>) {
    let size = low.abs().max(high.abs());
    // One value, or several that no label of six digits could tell apart.
    let narrow = high - low <= size * 1e-6 || high - low < 1e-290;
    let reach = if size < 1e-290 { 1.0 } else { size / 2.0 };
    let (low, high) = if narrow { (low - reach, high + reach) } else { (low, high) };
    let least = (high - low) / f64::from(TICKS);
    let first = 3 * libm::floor(libm::log10(least)) as i32;
    let step = (first..).map(one_two_five).find(|step| step.value() >= least);
    let step = step.expect("some power of ten is larger");
    let (from, to) = (libm::floor(low / step.value()), libm::ceil(high / step.value()));
    let multiple = |n: i64| Short { digits: n * step.digits, ..step };
    let ticks: Vec<Short> = (from as i64..=to as i64).map(multiple).collect();
    (ticks[0].value(), ticks[ticks.len() - 1].value(), ticks)
}

/// Ends at 1, 2 or 5 times a power of ten; ticks there, or at powers of ten only.
fn logarithmic((low, high): (f64, f64)) -> (f64, f64, Vec<Short>) {
    let value = |index: i32| one_two_five(index).value();
    let start = 3 * libm::floor(libm::log10(low)) as i32;
    let mut from = (start - 3..start + 6).rfind(|&i| value(i) <= low).unwrap_or(start);
    let mut to = (from..).find(|&i| value(i) >= high).expect("some power of ten is larger");
    if from == to {
        (from, to) = (from - 1, to + 1);
    }
    let decades = (to - from) / 3;
    let every = match decades {
        0..=2 => 1,
        _ => 3 * (decades / TICKS + 1),
    };
    let ticks = (from..=to).filter(|index| index % every == 0).map(one_two_five).collect();
    (value(from), value(to), ticks)
}

/// 1, 2, 5, 10, 20, 50, …: number 0 is 1, and there are as many below it.
fn one_two_five(index: i32) -> Short {
    Short { digits: [1, 2, 5][index.rem_euclid(3) as usize], exponent: index.div_euclid(3) }
}

impl Short {
    fn value(self) -> f64 {
        let text = format!("{}e{}", self.digits, self.exponent);
        text.parse().expect("digits and an exponent are a number")
    }

    /// `0.05`, `-20`, `300000`, `2e6`
    fn label(self) -> String {
        if self.digits == 0 {
            return "0".to_owned();
        }
        let Short { mut digits, mut exponent } = self;
        while digits % 10 == 0 {
            (digits, exponent) = (digits / 10, exponent + 1);
        }
        let sign = if digits < 0 { "-" } else { "" };
        let text = digits.unsigned_abs().to_string();
        // The place of the first digit: 0 for ones, -1 for tenths.
        let first = exponent + text.len() as i32 - 1;
        let zeros = |count: i32| "0".repeat(count.unsigned_abs() as usize);
        match exponent {
            0.. if first < 6 => format!("{sign}{text}{}", zeros(exponent)),
            ..0 if first >= 0 => {
                let (whole, part) = text.split_at(first as usize + 1);
                format!("{sign}{whole}.{part}")
            }
            -6..0 => format!("{sign}0.{}{text}", zeros(first + 1)),
            _ => {
                let (whole, part) = text.split_at(1);
                let point = if part.is_empty() { "" } else { "." };
                format!("{sign}{whole}{point}{part}e{first}")
            }
        }
    }
}
