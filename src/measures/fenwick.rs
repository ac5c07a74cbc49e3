//! Running sums that can be added to: a Fenwick tree in a borrowed slice.
//!
//! Plain loops over indices and no room of its own, so that bounded proofs can follow it.

use crate::number::Number;

/// Amounts at the places 0, 1, …, of which any first ones can be summed in logarithmic time.
///
/// Node i holds the sum over the places from i & (i + 1) up to i.
pub(crate) struct Fenwick<'a, N> {
    nodes: &'a mut [N],
}

impl<'a, N: Number> Fenwick<'a, N> {
    /// As many places as there are nodes, each with the amount 0, whatever the nodes held.
    pub fn new(nodes: &'a mut [N]) -> Self {
        let mut node = 0;
        while node < nodes.len() {
            nodes[node] = N::zero();
            node += 1;
        }
        Fenwick { nodes }
    }

    /// Adds to the amount at a place.
    pub fn add(&mut self, place: usize, amount: &N) {
        let mut node = place;
        while node < self.nodes.len() {
            self.nodes[node] += amount;
            node |= node + 1; // the next that covers the place
        }
    }

    /// The sum of the amounts at all lower places.
    pub fn sum_before(&self, place: usize) -> N {
        let mut sum = N::zero();
        let mut end = place;
        while end > 0 {
            sum += &self.nodes[end - 1];
            end &= end - 1; // where that node begins
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every sum after additions, against sums of the amounts themselves.
    fn sums_are_right(places: usize, additions: &[(usize, i16)]) {
        let (mut nodes, mut amounts) = (vec![7; places], vec![0; places]);
        let mut tree = Fenwick::new(&mut nodes);
        for &(place, amount) in additions {
            tree.add(place, &amount);
            amounts[place] += amount;
            for end in 0..=places {
                assert_eq!(tree.sum_before(end), amounts[..end].iter().sum::<i16>());
            }
        }
    }

    #[test]
    fn one_amount_is_in_every_sum_beyond_its_place() {
        for places in 0..=20 {
            for place in 0..places {
                sums_are_right(places, &[(place, 1)]);
            }
        }
    }

    proptest! {
        #[test]
        fn sums_of_many_amounts(
            places in 1..40_usize,
            additions in prop::collection::vec((0..40_usize, -99..=99_i16), 0..60),
        ) {
            let within = additions.iter().map(|&(place, amount)| (place % places, amount));
            let within: Vec<_> = within.collect();
            sums_are_right(places, &within);
        }
    }
}
