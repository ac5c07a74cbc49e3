//! What a nature draws p* from.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, Zero};
use thiserror::Error;

use truecal::Prediction;

/// The law of p*_t, the probability of the next event, given the outcomes so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chance {
    /// p* is known.
    Point(Prediction),
    /// p* has a density that is constant on pieces, as in the smoothed settings (L306).
    Spread(Spread),
}

/// A density on [0, 1] that is constant on pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    pieces: Vec<Piece>,
}

/// A part of the density: p* is uniform on [low, high] with this probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The lower end.
    pub low: BigRational,
    /// The upper end, above the lower one.
    pub high: BigRational,
    /// The probability, more than 0.
    pub mass: BigRational,
}

/// Why pieces are not a density.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChanceError {
    /// An end outside [0, 1], or ends that do not ascend.
    #[error("[{low}, {high}] is not an interval of positive length within [0, 1]")]
    Interval {
        /// The lower end.
        low: String,
        /// The upper end.
        high: String,
    },
    /// A mass that is not positive.
    #[error("the mass {mass} is not positive")]
    Mass {
        /// The mass.
        mass: BigRational,
    },
    /// Masses that do not add up to 1.
    #[error("the masses add up to {total}, not to 1")]
    Total {
        /// Their sum.
        total: BigRational,
    },
    /// Pieces out of order or with common points.
    #[error("the pieces overlap or do not ascend at {at}")]
    Overlap {
        /// Where the later of the two begins.
        at: BigRational,
    },
}

impl Chance {
    /// The mean of p*, which is the probability of the event for those who do not see p*.
    pub fn mean(&self) -> BigRational {
        match self {
            Chance::Point(p) => p.to_rational(),
            Chance::Spread(spread) => spread.part(&BigRational::zero(), &BigRational::one()).1,
        }
    }

    /// E p*(1 - p*), the expected variance of the event.
    pub fn variance(&self) -> BigRational {
        match self {
            Chance::Point(p) => {
                let p = p.to_rational();
                &p * (BigRational::one() - &p)
            }
            Chance::Spread(spread) => spread.pieces.iter().map(Piece::variance).sum(),
        }
    }

    /// The largest c for which the density is at most 1/c; 0 for a point.
    pub fn smoothness(&self) -> BigRational {
        match self {
            Chance::Point(_) => BigRational::zero(),
            Chance::Spread(spread) => {
                let widths =
                    spread.pieces.iter().map(|piece| (&piece.high - &piece.low) / &piece.mass);
                widths.min().expect("masses add up to 1, so there is a piece")
            }
        }
    }
}

impl Spread {
    /// Uniform on [low, high].
    pub fn uniform(low: BigRational, high: BigRational) -> Result<Spread, ChanceError> {
        Spread::new(vec![Piece { low, high, mass: BigRational::one() }])
    }

    /// A density from its pieces, in ascending order.
    ///
    /// ```
    /// use num_rational::BigRational;
    /// use truecal_lab::{Chance, Piece, Spread};
    /// let r = |text: &str| text.parse::<BigRational>().expect("a rational");
    /// let piece = |low, high| Piece { low: r(low), high: r(high), mass: r("1/2") };
    /// let chance = Chance::Spread(Spread::new(vec![piece("0", "1/8"), piece("7/8", "1")])?);
    /// assert_eq!(chance.mean(), r("1/2"));
    /// assert_eq!(chance.smoothness(), r("1/4"));
    /// # Ok::<(), truecal_lab::ChanceError>(())
    /// ```
    pub fn new(pieces: Vec<Piece>) -> Result<Spread, ChanceError> {
        for (index, Piece { low, high, mass }) in pieces.iter().enumerate() {
            if low.is_negative() || low >= high || *high > BigRational::one() {
                return Err(ChanceError::Interval { low: low.to_string(), high: high.to_string() });
            }
            if !mass.is_positive() {
                return Err(ChanceError::Mass { mass: mass.clone() });
            }
            if index > 0 && *low < pieces[index - 1].high {
                return Err(ChanceError::Overlap { at: low.clone() });
            }
        }
        let total: BigRational = pieces.iter().map(|piece| &piece.mass).sum();
        if !total.is_one() {
            return Err(ChanceError::Total { total });
        }
        Ok(Spread { pieces })
    }

    /// The pieces, ascending.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// P(from < p* <= to), and E p* on that event.
    pub fn part(&self, from: &BigRational, to: &BigRational) -> (BigRational, BigRational) {
        let mut part = (BigRational::zero(), BigRational::zero());
        for Piece { low, high, mass } in &self.pieces {
            let (begin, end) = (low.max(from), high.min(to));
            if begin < end {
                let share = mass * (end - begin) / (high - low);
                part.1 += &share * (begin + end) / BigInt::from(2);
                part.0 += share;
            }
        }
        part
    }
}

impl Piece {
    /// The equal parts of a piece from whose middles p* is drawn: 2 to this power.
    pub(super) const PARTS: u32 = 40;

    /// The middle of part `index` of 2^[`PARTS`](Piece::PARTS).
    pub(super) fn part(&self, index: u64) -> Prediction {
        let parts = 1_u64 << (Piece::PARTS + 1);
        let place = 2 * index + 1;
        // In 64 bits if the ends are short fractions, which is a good deal faster.
        let common = self.low.denom().lcm(self.high.denom());
        let short = || {
            let low = u64::try_from(self.low.numer() * (&common / self.low.denom())).ok()?;
            let high = u64::try_from(self.high.numer() * (&common / self.high.denom())).ok()?;
            let below = u64::try_from(&common).ok()?.checked_mul(parts)?;
            let above = low.checked_mul(parts)?.checked_add((high - low).checked_mul(place)?)?;
            Some(Prediction::from_parts(above, below).expect("between the ends of a piece"))
        };
        short().unwrap_or_else(|| {
            let middle = BigRational::new(place.into(), parts.into());
            let value = &self.low + (&self.high - &self.low) * middle;
            value.try_into().expect("between the ends of a piece")
        })
    }

    /// E p*(1 - p*) on this piece: the integral of p - p², times the density.
    fn variance(&self) -> BigRational {
        let antiderivative =
            |p: &BigRational| p * p / BigInt::from(2) - Pow::pow(p, 3_u32) / BigInt::from(3);
        &self.mass * (antiderivative(&self.high) - antiderivative(&self.low))
            / (&self.high - &self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(text: &str) -> BigRational {
        text.parse().expect("a rational")
    }

    #[test]
    fn moments_of_uniform_laws() {
        let uniform = Chance::Spread(Spread::uniform(r("0"), r("1")).expect("an interval"));
        assert_eq!((uniform.mean(), uniform.variance()), (r("1/2"), r("1/6")));
        assert_eq!(uniform.smoothness(), r("1"));
        let Chance::Spread(spread) = &uniform else { unreachable!() };
        assert_eq!(spread.part(&r("1/4"), &r("3/4")), (r("1/2"), r("1/4")));
        assert_eq!(spread.part(&r("3/4"), &r("3/4")), (r("0"), r("0")));
        // E p(1-p) on [0, c] is c/2 - c²/3.
        let low = Chance::Spread(Spread::uniform(r("0"), r("1/4")).expect("an interval"));
        assert_eq!(low.variance(), r("1/8") - r("1/48"));
        let point = Chance::Point("1/3".parse().expect("a probability"));
        assert_eq!(
            (point.mean(), point.variance(), point.smoothness()),
            (r("1/3"), r("2/9"), r("0"))
        );
    }

    #[test]
    fn the_densest_piece_counts() {
        let piece = |low, high, mass| Piece { low: r(low), high: r(high), mass: r(mass) };
        let law = |pieces| Chance::Spread(Spread::new(pieces).expect("a density"));
        let apart = law(vec![piece("0", "1/8", "1/2"), piece("1/2", "1", "1/2")]);
        assert_eq!(apart.smoothness(), r("1/4"));
        let touching = law(vec![piece("0", "1/2", "1/4"), piece("1/2", "1", "3/4")]);
        assert_eq!((touching.mean(), touching.smoothness()), (r("5/8"), r("2/3")));
    }

    #[test]
    fn parts_of_short_and_long_pieces() {
        for (low, high) in
            [("1/5", "2/5"), ("0", "1"), ("1/3", "100000000000000000001/200000000000000000000")]
        {
            let piece = Piece { low: r(low), high: r(high), mass: r("1") };
            for index in [0, 1, 1_i64 << 39, (1 << 40) - 1] {
                let share = BigRational::new((2 * index + 1).into(), (1_i64 << 41).into());
                let place = r(low) + (r(high) - r(low)) * share;
                assert_eq!(piece.part(index.unsigned_abs()).to_rational(), place);
            }
        }
    }

    #[test]
    fn bad_pieces_are_refused() {
        let piece = |low, high, mass| Piece { low: r(low), high: r(high), mass: r(mass) };
        let refused = |pieces| Spread::new(pieces).expect_err("not a density").to_string();
        assert_eq!(refused(vec![]), "the masses add up to 0, not to 1");
        assert_eq!(
            refused(vec![piece("1/2", "1/2", "1")]),
            "[1/2, 1/2] is not an interval of positive length within [0, 1]"
        );
        assert!(refused(vec![piece("-1/2", "1/2", "1")]).starts_with("[-1/2, 1/2] is not"));
        assert!(refused(vec![piece("1/2", "3/2", "1")]).starts_with("[1/2, 3/2] is not"));
        assert_eq!(refused(vec![piece("0", "1", "0")]), "the mass 0 is not positive");
        let halves = vec![piece("0", "1/2", "1/2"), piece("1/4", "1", "1/2")];
        assert_eq!(refused(halves), "the pieces overlap or do not ascend at 1/4");
    }
}
