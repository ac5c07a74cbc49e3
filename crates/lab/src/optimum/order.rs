//! How predictions can be ordered along the paths of a tree. Trusted.
//!
//! Ties are orders of their own: at equal predictions measures drop, and a closed order without
//! ties only overestimates there.
//!
//! After the first outcome the later predictions are a tree of their own, the nodes 0, 1, 2, … in
//! the order of pasts: the children of n are 2n + 1 and 2n + 2. Prediction 0 is the first of all,
//! and prediction n + 1 is that of node n.

/// Where each node stands among the distinct values on the way to it, of which there are m: 2j is
/// the gap below the value with number j (from 0, ascending), 2j + 1 is that value itself, and 2m
/// is above all of them.
pub type Order = Vec<usize>;

/// Every order of so many nodes, each once.
pub fn all_orders(nodes: usize) -> Vec<Order> {
    let mut orders = vec![vec![]];
    for node in 0..nodes {
        let extended = |order: Order| {
            let places = 2 * values(&order, &way_to(node)).len();
            (0..=places).map(move |place| [&order[..], &[place]].concat())
        };
        orders = orders.into_iter().flat_map(extended).collect();
    }
    orders
}

/// The nodes before this one on its path, the first first.
pub fn way_to(node: usize) -> Vec<usize> {
    let mut way = vec![];
    let mut above = node;
    while above > 0 {
        above = (above - 1) / 2;
        way.insert(0, above);
    }
    way
}

/// The nodes that follow a first outcome, for these later ones: one fewer than the outcomes, as
/// none is made after the last.
pub fn path(later: &[bool]) -> Vec<usize> {
    let mut path = vec![];
    let mut node = 0;
    for x in later {
        path.push(node);
        node = 2 * node + 1 + usize::from(*x);
    }
    path
}

/// The distinct values among prediction 0 and those of these nodes, ascending: for each the rounds
/// in which it is predicted, from 0.
pub fn values(order: &[usize], path: &[usize]) -> Vec<Vec<usize>> {
    let mut values = vec![vec![0]];
    for (round, node) in (1..).zip(path) {
        let place = order[*node];
        match place % 2 {
            0 => values.insert(place / 2, vec![round]),
            _ => values[place / 2].push(round),
        }
    }
    values
}

/// The predictions next below and next above a node among those on the way to it: what the order
/// says of it, as closed inequalities. None where there is none, and on both sides of a prediction
/// that is equal to an earlier one.
pub fn neighbours(order: &[usize], node: usize) -> [Option<usize>; 2] {
    let (way, place) = (way_to(node), order[node]);
    if place % 2 == 1 {
        return [None, None];
    }
    let values = values(order, &way);
    // The first round in which a value is predicted names it.
    let prediction = |number: usize| {
        let round = values.get(number)?[0];
        Some(round.checked_sub(1).map_or(0, |later| way[later] + 1))
    };
    [(place / 2).checked_sub(1).and_then(prediction), prediction(place / 2)]
}
