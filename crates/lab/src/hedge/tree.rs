//! Sums of exponential weights over all buckets from one on, on a logarithmic scale. exp and log1p
//! are those of `libm`, the same on every machine.

#![expect(clippy::float_arithmetic, reason = "exponential weights are real numbers")]

use super::mixture::{Mixture, PROBABILITY_BITS};

/// A_j = Σ_{i>=j} exp(h l_i) and B_j = Σ_{i>=j} exp(-h l_i) for integers l_1, …, l_k that change by
/// suffixes.
///
/// A complete binary tree over the buckets; what exceeds k is empty. A node over the buckets from
/// `first` on keeps, for its two halves, the integer difference of l at their first buckets, and
/// the logarithms of both sums over its buckets relative to its own first. An increment of all l_i
/// with i >= j is then a change of relative position in the nodes on the way to j alone, and every
/// double is a function of the integers, whatever the order in which they came about: a tree that
/// is built from the same integers again is the same to the last bit. Signs of A_j - B_j come from
/// comparing logarithms of positive sums, so that nothing overflows, and nothing cancels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    buckets: usize,
    /// h, the factor of the integers in the exponent.
    scale: f64,
    /// l at the first bucket, and at the last.
    first: i64,
    last: i64,
    /// Node 1 is the root; those below node n are 2n and 2n + 1; nodes from the length on are
    /// single buckets.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Node {
    /// l at the first bucket of the right half minus l at that of the left.
    step: i64,
    sums: LogSums,
}

/// ln Σ exp(h(l_i - c)) and ln Σ exp(-h(l_i - c)) for some reference c.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LogSums {
    pub up: f64,
    pub down: f64,
}

impl LogSums {
    const NOTHING: LogSums = LogSums { up: f64::NEG_INFINITY, down: f64::NEG_INFINITY };

    /// The same sums with a reference lower by `shift`/h.
    fn shifted(self, shift: f64) -> LogSums {
        LogSums { up: self.up + shift, down: self.down - shift }
    }

    fn plus(self, other: LogSums) -> LogSums {
        LogSums { up: sum_of_logs(self.up, other.up), down: sum_of_logs(self.down, other.down) }
    }

    fn positive(self) -> bool {
        self.up > self.down
    }
}

/// ln(exp(a) + exp(b))
fn sum_of_logs(a: f64, b: f64) -> f64 {
    let (more, less) = if a >= b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY { more } else { more + libm::log1p(libm::exp(less - more)) }
}

impl Tree {
    /// The tree of these integers, one for each bucket.
    pub fn new(biases: &[i64], scale: f64) -> Self {
        let buckets = biases.len();
        let size = buckets.next_power_of_two();
        let nodes = vec![Node::default(); size];
        let mut tree = Tree { buckets, scale, first: biases[0], last: biases[buckets - 1], nodes };
        for node in (1..size).rev() {
            // The buckets below a node of this level come in runs of this length.
            let length = size >> node.ilog2();
            let start = (node - (1 << node.ilog2())) * length;
            let at = |bucket: usize| biases.get(bucket).copied();
            if let (Some(left), Some(right)) = (at(start), at(start + length / 2)) {
                tree.nodes[node].step = right - left;
            }
            tree.combine(node);
        }
        tree
    }

    /// Adds to l_i for all i from this bucket on. Cost: O(log k).
    pub fn add(&mut self, bucket: usize, amount: i64) {
        if amount == 0 {
            return;
        }
        self.last += amount;
        if bucket == 0 {
            self.first += amount; // all l_i: nothing moves relative to anything else
            return;
        }
        // Below its lowest node here the bucket is the first one of every node, and these move as a
        // whole.
        let lowest = bucket.trailing_zeros() + 1;
        for level in lowest..=self.nodes.len().ilog2() {
            let node = (self.nodes.len() + bucket) >> level;
            let half = 1 << (level - 1);
            let middle = (bucket >> level << level) + half;
            // The first bucket of the right half moves and that of the left half does not.
            if bucket <= middle && middle < self.buckets {
                self.nodes[node].step += amount;
            }
            self.combine(node);
        }
    }

    fn combine(&mut self, node: usize) {
        let shift = self.scale * self.nodes[node].step as f64;
        let right = self.below(2 * node + 1).shifted(shift);
        self.nodes[node].sums = self.below(2 * node).plus(right);
    }

    /// The sums below a node, or of a single bucket, relative to its first bucket.
    fn below(&self, node: usize) -> LogSums {
        match node.checked_sub(self.nodes.len()) {
            None => self.nodes[node].sums,
            Some(bucket) if bucket < self.buckets => LogSums::default(),
            Some(_) => LogSums::NOTHING,
        }
    }

    /// The prediction: see [the algorithm](super). Cost: O(log k).
    pub fn mixture(&self) -> Mixture {
        if self.last >= 0 {
            return Mixture::certain(self.buckets, self.buckets - 1);
        }
        if !self.below(1).shifted(self.scale * self.first as f64).positive() {
            return Mixture::certain(self.buckets, 0);
        }
        // C > 0 at the first bucket of the node, and C <= 0, from the sums `rest`, at the first one
        // after it.
        let (mut node, mut start, mut rest) = (1, self.first, LogSums::NOTHING);
        while let Some(Node { step, .. }) = self.nodes.get(node) {
            let middle = start + step;
            let from_middle =
                self.below(2 * node + 1).shifted(self.scale * middle as f64).plus(rest);
            if from_middle.positive() {
                (node, start) = (2 * node + 1, middle);
            } else {
                (node, rest) = (2 * node, from_middle);
            }
        }
        Mixture::pair(
            self.buckets,
            node - self.nodes.len(),
            weight(self.scale * start as f64, rest),
        )
    }

    /// The sums over all buckets from this one on. Cost: O(log k).
    pub fn sums_from(&self, bucket: usize) -> LogSums {
        let (mut node, mut start, mut rest) = (1, self.first, LogSums::NOTHING);
        for level in (0..self.nodes.len().ilog2()).rev() {
            let middle = start + self.nodes[node].step;
            if bucket >> level & 1 == 1 {
                (node, start) = (2 * node + 1, middle);
            } else {
                let right = self.below(2 * node + 1).shifted(self.scale * middle as f64);
                (node, rest) = (2 * node, right.plus(rest));
            }
        }
        self.below(node).shifted(self.scale * start as f64).plus(rest)
    }

    /// h
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

/// The probability q of the lower of two points in multiples of 2^-53: with u = h l there and the
/// sums A, B from the upper on, C = A - B <= 0 above and C + exp(u) - exp(-u) > 0 below, so that q
/// = (B - A)/(exp(u) - exp(-u)).
fn weight(u: f64, rest: LogSums) -> u64 {
    const CERTAIN: f64 = (1_u64 << PROBABILITY_BITS) as f64;
    if u <= 0.0 {
        return 1 << PROBABILITY_BITS; // both C are 0 but for rounding
    }
    let difference = -libm::expm1(rest.up - rest.down);
    if difference <= 0.0 {
        return 0;
    }
    let q = libm::exp(rest.down - u) * difference / -libm::expm1(-2.0 * u);
    libm::rint(q.min(1.0) * CERTAIN) as u64
}

/// h for the integers (k-1)L_i: eta/2/(k-1) with eta = sqrt(8 ln(2k)/T).
pub(super) fn scale(rounds: u64, buckets: usize) -> f64 {
    let eta = libm::sqrt(8.0 * libm::log(2.0 * buckets as f64) / rounds as f64);
    eta / (2.0 * (buckets as f64 - 1.0))
}
