//! Piecewise linear functions on [0, 1]: the largest of some lines, the least of such functions.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::certificate::Line;

/// Where a function takes another direction: the place, the height, and the slope from there on.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub place: BigRational,
    pub height: BigRational,
    pub slope: BigRational,
}

/// A function by its corners; the first is at 0, and none is at 1.
pub(super) type Corners = Vec<Vertex>;

impl Vertex {
    /// The height at a place further on.
    pub fn at(&self, place: &BigRational) -> BigRational {
        &self.height + &self.slope * (place - &self.place)
    }

    /// The same direction, from there on.
    fn moved(&self, place: &BigRational) -> Vertex {
        Vertex { place: place.clone(), height: self.at(place), slope: self.slope.clone() }
    }
}

/// The largest of some lines.
pub(super) fn upper(lines: &[Line]) -> Corners {
    let mut place = BigRational::zero();
    let mut corners = vec![];
    loop {
        // Of the lines that are largest here, the steepest is so from here on.
        let heights = lines.iter().map(|line| (line.at(&place), &line.slope));
        let (height, slope) = heights.max().expect("the line 0");
        let steeper = lines.iter().filter(|line| line.slope > *slope);
        let next = steeper.map(|line| (&height - line.at(&place)) / (&line.slope - slope)).min();
        let next = next.map(|distance| &place + distance).filter(|next| *next < BigRational::one());
        corners.push(Vertex { place, height, slope: slope.clone() });
        match next {
            None => return corners,
            Some(next) => place = next,
        }
    }
}

/// The lesser of two functions.
pub(super) fn lower(one: &Corners, other: &Corners) -> Corners {
    let mut corners: Corners = vec![];
    let mut push = |corner: Vertex| {
        if corners.last().is_none_or(|last| last.slope != corner.slope) {
            corners.push(corner);
        }
    };
    for ((start, end), [a, b]) in together(one, other) {
        let end = end.unwrap_or_else(BigRational::one);
        let (here, there) = (a.at(&start) - b.at(&start), a.at(&end) - b.at(&end));
        let first = if here.is_zero() { there.is_negative() } else { here.is_negative() };
        let (first, second) = if first { (a, b) } else { (b, a) };
        push(first.moved(&start));
        if here.is_negative() && there.is_positive() || here.is_positive() && there.is_negative() {
            let crossing = &start + here.abs() / (&second.slope - &first.slope).abs();
            push(second.moved(&crossing));
        }
    }
    corners
}

/// The least sum of two functions: value and place.
pub(super) fn least_sum(one: &Corners, other: &Corners) -> (BigRational, BigRational) {
    let sums = together(one, other).into_iter().flat_map(|((start, end), [a, b])| {
        let last = end.is_none().then(BigRational::one);
        [Some(start), last].into_iter().flatten().map(|at| (a.at(&at) + b.at(&at), at))
    });
    sums.min().expect("every function begins at 0")
}

/// The stretches between corners of either, with the corners that rule there; the last ends at 1,
/// as None.
type Stretch<'a> = ((BigRational, Option<BigRational>), [&'a Vertex; 2]);

fn together<'a>(one: &'a Corners, other: &'a Corners) -> Vec<Stretch<'a>> {
    let (mut i, mut j) = (0, 0);
    let mut stretches = vec![];
    let mut start = BigRational::zero();
    loop {
        let next = |corners: &'a Corners, at: usize| corners.get(at + 1).map(|next| &next.place);
        let (a, b) = (next(one, i), next(other, j));
        let end = [a, b].into_iter().flatten().min();
        stretches.push(((start, end.cloned()), [&one[i], &other[j]]));
        let Some(end) = end else { return stretches };
        start = end.clone();
        i += usize::from(a == Some(end));
        j += usize::from(b == Some(end));
    }
}

/// The least of many functions, where one changes at a time.
pub(super) struct Tournament {
    /// Node n is the least of nodes 2n and 2n + 1; the functions are the last half.
    nodes: Vec<Corners>,
}

impl Tournament {
    pub fn new(functions: Vec<Corners>) -> Self {
        let count = functions.len();
        let mut nodes = vec![vec![]; count];
        nodes.extend(functions);
        let mut tournament = Tournament { nodes };
        (1..count).rev().for_each(|node| tournament.play(node));
        tournament
    }

    fn play(&mut self, node: usize) {
        self.nodes[node] = lower(&self.nodes[2 * node], &self.nodes[2 * node + 1]);
    }

    pub fn change(&mut self, number: usize, function: Corners) {
        let mut node = self.nodes.len() / 2 + number;
        self.nodes[node] = function;
        while node > 1 {
            node /= 2;
            self.play(node);
        }
    }

    pub fn least(&self) -> &Corners {
        &self.nodes[1]
    }
}
