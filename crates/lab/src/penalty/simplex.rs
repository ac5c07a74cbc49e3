//! Simplices with rational corners: how affine functions cut them, and integrals over them.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use truecal::rational::{common_denominator, int};

/// The convex hull of d + 1 points of d-dimensional space.
#[derive(Clone, Debug)]
pub(super) struct Simplex {
    /// The points.
    pub corners: Vec<Vec<BigRational>>,
    /// Its volume.
    pub volume: BigRational,
}

impl Simplex {
    /// A box cut up by the order of its coordinates, each as a share of its side: d! simplices of
    /// the same volume. Of those that differ only by an exchange of coordinates of the same kind,
    /// one is taken: that in which they descend.
    pub fn of_box(sides: &[(BigRational, BigRational)], kinds: &[usize]) -> Vec<Simplex> {
        let whole: BigRational = sides.iter().map(|(low, high)| high - low).product();
        let volume = whole / int(factorial(sides.len()));
        let bottom: Vec<_> = sides.iter().map(|(low, _)| low.clone()).collect();
        let mut open = vec![vec![bottom]];
        let mut simplices = vec![];
        while let Some(corners) = open.pop() {
            let last = &corners[corners.len() - 1];
            let risen = |side: usize| last[side] == sides[side].1;
            let next: Vec<usize> = (0..sides.len())
                .filter(|side| !risen(*side))
                .filter(|side| {
                    (0..*side).all(|before| kinds[before] != kinds[*side] || risen(before))
                })
                .collect();
            if next.is_empty() {
                simplices.push(Simplex { corners, volume: volume.clone() });
                continue;
            }
            for side in next {
                let mut corner = last.clone();
                corner[side] = sides[side].1.clone();
                open.push([&corners[..], &[corner]].concat());
            }
        }
        simplices
    }

    /// Its two parts on an edge along which an affine function, which has these values at the
    /// corners, changes its sign; None if it has one sign throughout. Of the corners that are not
    /// on the same side of the function as others, either part has one fewer.
    pub fn cut(&self, heights: &[BigRational]) -> Option<[Simplex; 2]> {
        let above = heights.iter().position(Signed::is_positive)?;
        let below = heights.iter().position(Signed::is_negative)?;
        let share = &heights[above] / (&heights[above] - &heights[below]);
        let (from, to) = (&self.corners[above], &self.corners[below]);
        let between: Vec<_> = from.iter().zip(to).map(|(a, b)| a + (b - a) * &share).collect();
        let part = |replaced: usize, volume: BigRational| {
            let mut corners = self.corners.clone();
            corners[replaced] = between.clone();
            Simplex { corners, volume }
        };
        let upper = &self.volume * &share;
        let lower = &self.volume - &upper;
        Some([part(below, upper), part(above, lower)])
    }

    /// Cuts until none of the functions changes its sign in any part.
    pub fn cut_by(self, functions: &[impl Fn(&[BigRational]) -> BigRational]) -> Vec<Simplex> {
        let mut parts = vec![self];
        for function in functions {
            let mut open = std::mem::take(&mut parts);
            while let Some(part) = open.pop() {
                let heights: Vec<_> = part.corners.iter().map(|corner| function(corner)).collect();
                match part.cut(&heights) {
                    Some(halves) => open.extend(halves),
                    None => parts.push(part),
                }
            }
        }
        parts
    }

    /// A point inside.
    pub fn barycentre(&self) -> Vec<BigRational> {
        let count = int(self.corners.len());
        let mean =
            |i: usize| self.corners.iter().map(|corner| &corner[i]).sum::<BigRational>() / &count;
        (0..self.corners.len() - 1).map(mean).collect()
    }

    /// The integral of a product of n affine functions, each given by its values at the corners.
    ///
    /// In barycentric coordinates λ a factor is Σ_i f(v_i) λ_i, and the integral of Π λ_i^(m_i) is
    /// volume · d! · Π m_i! / (d + n)!. So the product is summed over all ways to give each factor
    /// to a corner, where a corner that gets m of them counts m! times: corner by corner, over the
    /// sets of factors that have been given away, in 3^n steps each.
    pub fn integral(&self, factors: &[Vec<BigRational>]) -> BigRational {
        let dimension = self.corners.len() - 1;
        let mut below = BigInt::one();
        // the factors, as integers over denominators of their own
        let mut at_corners = vec![vec![]; dimension + 1];
        for heights in factors {
            let common = common_denominator(heights);
            for (corner, height) in at_corners.iter_mut().zip(heights) {
                corner.push(height.numer() * (&common / height.denom()));
            }
            below *= common;
        }
        let sets = 1_usize << factors.len();
        let mut given = vec![BigInt::zero(); sets];
        given[0] = BigInt::one();
        for corner in &at_corners {
            let mut here = vec![BigInt::one(); sets];
            for set in 1..sets {
                let factor = set.trailing_zeros() as usize;
                here[set] = &here[set & (set - 1)] * &corner[factor] * set.count_ones();
            }
            // From the largest set down, since a set needs only smaller ones of the corners before.
            for set in (0..sets).rev() {
                let mut sum = BigInt::zero();
                let mut part = set;
                loop {
                    if !given[set ^ part].is_zero() && !here[part].is_zero() {
                        sum += &given[set ^ part] * &here[part];
                    }
                    if part == 0 {
                        break;
                    }
                    part = (part - 1) & set;
                }
                given[set] = sum;
            }
        }
        let above = &given[sets - 1] * factorial(dimension);
        &self.volume * BigRational::new(above, below * factorial(dimension + factors.len()))
    }
}

/// n!
pub(super) fn factorial(n: usize) -> BigInt {
    (1..=n).map(BigInt::from).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::rational::ratio as r;

    /// ∫ Π p_i^(a_i) over the box, from the simplices or their parts.
    fn moment(parts: &[Simplex], powers: &[usize]) -> BigRational {
        let of = |part: &Simplex| {
            let coordinate =
                |i: usize| part.corners.iter().map(|corner| corner[i].clone()).collect();
            let factors: Vec<Vec<_>> =
                (0..powers.len()).flat_map(|i| vec![i; powers[i]]).map(coordinate).collect();
            part.integral(&factors)
        };
        parts.iter().map(of).sum()
    }

    #[test]
    fn moments_of_a_box_are_products_however_it_is_cut() {
        let sides = [(r(0, 1), r(1, 2)), (r(1, 4), r(1, 1)), (r(1, 3), r(2, 3))];
        let whole = Simplex::of_box(&sides, &[0, 1, 2]);
        assert_eq!(whole.len(), 6);
        let lines = [[1, -1, 0, 0], [0, 1, -1, 0], [3, 1, 0, -1], [1, 1, 1, -1]];
        let functions = lines.map(|[a, b, c, constant]| {
            move |p: &[BigRational]| {
                &p[0] * r(a, 1) + &p[1] * r(b, 1) + &p[2] * r(c, 1) + r(constant, 1)
            }
        });
        let cut: Vec<_> = whole.iter().flat_map(|part| part.clone().cut_by(&functions)).collect();
        assert!(cut.len() > 30, "{}", cut.len());
        for part in &cut {
            let inside = part.barycentre();
            for function in &functions {
                let sign = function(&inside).signum();
                assert!(
                    part.corners.iter().all(|corner| function(corner).signum() * &sign >= r(0, 1))
                );
            }
        }
        for powers in [[0, 0, 0], [1, 0, 0], [0, 2, 1], [1, 1, 1], [2, 0, 3]] {
            let side = |(low, high): &(BigRational, BigRational), power: usize| {
                let exponent = i32::try_from(power).expect("small") + 1;
                (high.pow(exponent) - low.pow(exponent)) / int(exponent)
            };
            let product: BigRational = sides.iter().zip(powers).map(|(s, a)| side(s, a)).product();
            assert_eq!(moment(&whole, &powers), product, "{powers:?}");
            assert_eq!(moment(&cut, &powers), product, "{powers:?}");
        }
    }

    #[test]
    fn coordinates_of_a_kind_descend() {
        let sides = vec![(r(0, 1), r(1, 1)); 4];
        let parts = Simplex::of_box(&sides, &[0, 0, 1, 1]);
        assert_eq!(parts.len(), 6);
        for inside in parts.iter().map(Simplex::barycentre) {
            assert!(inside[0] > inside[1] && inside[2] > inside[3]);
        }
        // A quarter of the volume, and the whole of no coordinate.
        assert_eq!(moment(&parts, &[0; 4]), r(1, 4));
        let point = Simplex::of_box(&[], &[]);
        assert_eq!((point.len(), moment(&point, &[])), (1, r(1, 1)));
    }
}
