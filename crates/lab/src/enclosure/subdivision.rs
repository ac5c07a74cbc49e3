//! Statements about all points of a box.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::Enclosure;

/// Proves a statement about all points of a box by cutting the box into pieces on which it is
/// decided.
///
/// `decide` gets an enclosure of each coordinate. It answers `Some(true)` if the statement holds at
/// all points in them, `Some(false)` if it fails at all of them, and `None` otherwise, as
/// [`Enclosure::at_most`] does. Pieces that are not decided are halved across their longest side,
/// up to `depth` times, all pieces of one depth before the next: a large region where the statement
/// fails is found before its border is explored.
///
/// ```
/// use num_rational::BigRational;
/// use truecal_lab::enclosure::{Enclosure, Subdivision, on_box};
/// let unit = (BigRational::from_integer(0.into()), BigRational::from_integer(1.into()));
/// // x + y - xy <= 3/2 on the unit square, although the ranges of x, y and xy alone allow 2.
/// let proof = on_box(&[unit.clone(), unit], 10, &|at| {
///     (&at[0] + &at[1] - &at[0] * &at[1]).at_most(&Enclosure::ratio(3, 2))
/// });
/// assert_eq!(proof, Subdivision::Holds { boxes: 5 });
/// ```
///
/// # Panics
///
/// If the ends of a range are in the wrong order.
pub fn on_box(
    ranges: &[(BigRational, BigRational)],
    depth: u32,
    decide: &impl Fn(&[Enclosure]) -> Option<bool>,
) -> Subdivision {
    assert!(ranges.iter().all(|(low, high)| low <= high), "a range ends before it starts");
    let (mut open, mut boxes, mut undecided) = (vec![ranges.to_vec()], 0, None);
    for halvings_left in (0..=depth).rev() {
        let mut halves = vec![];
        for piece in open {
            let at: Vec<_> = piece.iter().map(|(a, b)| Enclosure::between(a, b)).collect();
            match (decide(&at), longest_side(&piece)) {
                (Some(true), _) => boxes += 1,
                (Some(false), _) => {
                    return Subdivision::Fails { at: piece.iter().map(middle).collect() };
                }
                (None, Some(side)) if halvings_left > 0 => halves.extend(halved(piece, side)),
                // The search goes on: where the statement fails is worth more than where it is
                // open.
                (None, _) => undecided = undecided.or(Some(piece)),
            }
        }
        open = halves;
    }
    match undecided {
        Some(at) => Subdivision::Undecided { at },
        None => Subdivision::Holds { boxes },
    }
}

/// What [`on_box`] found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subdivision {
    /// The statement holds everywhere.
    Holds {
        /// How many pieces the proof has.
        boxes: u64,
    },
    /// The statement fails at this point, the middle of a piece where it fails.
    Fails {
        /// Its coordinates.
        at: Vec<BigRational>,
    },
    /// The statement was found to fail nowhere, and not decided everywhere.
    Undecided {
        /// A piece that is left.
        at: Vec<(BigRational, BigRational)>,
    },
}

/// A piece of the box: a range for each coordinate.
type SubBox = Vec<(BigRational, BigRational)>;

/// The first of the longest sides, or `None` if the piece is a single point.
fn longest_side(piece: &SubBox) -> Option<usize> {
    let length = |side: usize| &piece[side].1 - &piece[side].0;
    let longest = (0..piece.len()).rev().max_by_key(|&side| length(side))?;
    (piece[longest].0 < piece[longest].1).then_some(longest)
}

/// The halves, whose union is the piece: both contain the cut.
fn halved(piece: SubBox, side: usize) -> [SubBox; 2] {
    let cut = middle(&piece[side]);
    let (mut lower, mut upper) = (piece.clone(), piece);
    lower[side].1 = cut.clone();
    upper[side].0 = cut;
    [lower, upper]
}

fn middle((low, high): &(BigRational, BigRational)) -> BigRational {
    (low + high) / BigInt::from(2)
}
