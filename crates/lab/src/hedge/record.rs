//! What was said and what happened, exactly.

use num_rational::BigRational;

use super::mixture::point;
use truecal::AnyLevels;
use truecal::Forecasts;

/// The rounds at one grid point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// How many.
    pub count: u64,
    /// In how many of them the event happened.
    pub ones: u64,
}

/// Rounds by bucket, with the largest prefix sum of biases kept up to date.
///
/// Biases are in units of 1/(k-1), in which those of a bucket j are ones·(k-1) - count·j.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    cells: Vec<Cell>,
    rounds: u64,
    /// Node 1 is the root; those below node n are 2n and 2n + 1; the buckets come last.
    nodes: Vec<Prefixes>,
}

/// The sum of some neighbouring biases, and the largest and the least of their prefix sums, 0 among
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Prefixes {
    sum: i64,
    most: i64,
    least: i64,
}

impl Prefixes {
    fn of(bias: i64) -> Self {
        Prefixes { sum: bias, most: bias.max(0), least: bias.min(0) }
    }

    fn then(self, next: Prefixes) -> Self {
        Prefixes {
            sum: self.sum + next.sum,
            most: self.most.max(self.sum + next.most),
            least: self.least.min(self.sum + next.least),
        }
    }
}

impl Record {
    pub fn new(buckets: usize) -> Self {
        Record::of(vec![Cell::default(); buckets])
    }

    pub fn of(cells: Vec<Cell>) -> Self {
        let size = cells.len().next_power_of_two();
        let mut nodes = vec![Prefixes::default(); 2 * size];
        for (bucket, bias) in biases(&cells).enumerate() {
            nodes[size + bucket] = Prefixes::of(bias);
        }
        for node in (1..size).rev() {
            nodes[node] = nodes[2 * node].then(nodes[2 * node + 1]);
        }
        Record { rounds: cells.iter().map(|cell| cell.count).sum(), cells, nodes }
    }

    /// The same rounds on the grid with twice as many steps.
    pub fn refined(&self) -> Self {
        let mut cells = vec![Cell::default(); 2 * self.cells.len() - 1];
        for (bucket, cell) in self.cells.iter().enumerate() {
            cells[2 * bucket] = *cell;
        }
        Record::of(cells)
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Adds a round. Cost: O(log k).
    pub fn add(&mut self, bucket: usize, outcome: bool) {
        self.rounds += 1;
        self.cells[bucket].count += 1;
        self.cells[bucket].ones += u64::from(outcome);
        let mut node = self.nodes.len() / 2 + bucket;
        self.nodes[node] = Prefixes::of(self.nodes[node].sum + self.change(bucket, outcome));
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].then(self.nodes[2 * node + 1]);
        }
    }

    /// stepCE in units of 1/(k-1).
    pub fn largest(&self) -> i64 {
        self.nodes[1].most.max(-self.nodes[1].least)
    }

    /// The same after one more round. Cost: O(log k).
    pub fn largest_after(&self, bucket: usize, outcome: bool) -> i64 {
        let mut node = self.nodes.len() / 2 + bucket;
        let mut here = Prefixes::of(self.nodes[node].sum + self.change(bucket, outcome));
        while node > 1 {
            let sibling = self.nodes[node ^ 1];
            here = if node.is_multiple_of(2) { here.then(sibling) } else { sibling.then(here) };
            node /= 2;
        }
        here.most.max(-here.least)
    }

    /// (x - p)(k - 1)
    fn change(&self, bucket: usize, outcome: bool) -> i64 {
        change(self.cells.len(), bucket, outcome)
    }

    pub fn step_ce(&self) -> BigRational {
        BigRational::new(self.largest().into(), (self.cells.len() - 1).into())
    }

    pub fn levels(&self) -> AnyLevels {
        let mut forecasts = Forecasts::new();
        for (bucket, cell) in self.cells.iter().enumerate() {
            forecasts
                .push_level(point(bucket, self.cells.len()), cell.count, cell.ones)
                .expect("no more ones than rounds, which are counted in 64 bits");
        }
        forecasts.levels().expect("grid points have a small common denominator")
    }
}

/// (x - p)(k - 1) at a bucket, from 0 on.
pub(super) fn change(buckets: usize, bucket: usize, outcome: bool) -> i64 {
    i64::from(outcome) * (buckets as i64 - 1) - bucket as i64
}

/// The biases of the buckets in units of 1/(k-1).
pub(super) fn biases(cells: &[Cell]) -> impl Iterator<Item = i64> {
    let unit = cells.len() as i64 - 1;
    cells.iter().enumerate().map(move |(bucket, cell)| {
        // Below 2^63: see the limits of the forecaster.
        cell.ones as i64 * unit - cell.count as i64 * bucket as i64
    })
}

/// Their prefix sums, (k-1)L_1, …, (k-1)L_k.
pub(super) fn prefix_sums(biases: impl Iterator<Item = i64>) -> Vec<i64> {
    let sums = biases.scan(0, |sum, bias| {
        *sum += bias;
        Some(*sum)
    });
    sums.collect()
}
