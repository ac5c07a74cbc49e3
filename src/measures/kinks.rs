//! Kinks of a concave piecewise linear function, in a balanced tree.
//!
//! A [`Kink`] is a place where the slope falls, and by how much. The tree keeps kinks in the order
//! of their places and does in O(log k) what the smooth calibration error needs of k of them: move
//! all by an amount, cut after a given total fall, and join end to end. It is an AVL tree whose
//! every operation is a `join`: trees of any heights, left, middle, right, become one balanced
//! tree.

use crate::number::Number;

/// A fall of the slope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kink<N> {
    /// Where.
    pub place: N,
    /// By how much; positive.
    pub fall: N,
}

/// Handle of a tree in a [`Kinks`] arena; `None` is the empty tree.
pub(super) type Tree = Option<u32>;

/// The arena that holds the trees.
pub(super) struct Kinks<N> {
    nodes: Vec<Node<N>>,
    free: Vec<u32>,
}

struct Node<N> {
    kink: Kink<N>,
    /// The falls of this subtree.
    total: N,
    /// Still to be added to the places in both children.
    pending: N,
    left: Tree,
    right: Tree,
    height: u8,
}

impl<N: Number> Kinks<N> {
    pub fn new() -> Self {
        Kinks { nodes: Vec::new(), free: Vec::new() }
    }

    /// The tree of one kink.
    pub fn single(&mut self, kink: Kink<N>) -> Tree {
        let node = Node {
            total: kink.fall.clone(),
            kink,
            pending: N::zero(),
            left: None,
            right: None,
            height: 1,
        };
        Some(match self.free.pop() {
            Some(slot) => {
                self.nodes[slot as usize] = node;
                slot
            }
            None => {
                self.nodes.push(node);
                u32::try_from(self.nodes.len() - 1)
                    .expect("fewer than 2^31 levels, each with two kinks at most")
            }
        })
    }

    /// The falls of all kinks.
    pub fn total(&self, tree: Tree) -> N {
        tree.map_or_else(N::zero, |root| self.node(root).total.clone())
    }

    /// Moves all kinks.
    pub fn shift(&mut self, tree: Tree, amount: &N) {
        if let Some(root) = tree {
            let node = self.node_mut(root);
            node.kink.place += amount;
            node.pending += amount;
        }
    }

    /// The lowest place.
    pub fn first(&mut self, tree: Tree) -> Option<N> {
        self.end(tree, |node| node.left)
    }

    /// The highest place.
    pub fn last(&mut self, tree: Tree) -> Option<N> {
        self.end(tree, |node| node.right)
    }

    fn end(&mut self, tree: Tree, next: impl Fn(&Node<N>) -> Tree) -> Option<N> {
        let mut root = tree?;
        loop {
            self.settle(root);
            match next(self.node(root)) {
                Some(child) => root = child,
                None => return Some(self.node(root).kink.place.clone()),
            }
        }
    }

    /// All kinks of one tree and then all of another, which must not start before the first ends.
    pub fn concat(&mut self, left: Tree, right: Tree) -> Tree {
        let Some(root) = right else { return left };
        let (first, rest) = self.pop_first(root);
        self.join(left, first, rest)
    }

    /// The tree without its lowest kink.
    pub fn without_first(&mut self, tree: Tree) -> Tree {
        let (first, rest) = self.pop_first(tree?);
        self.free.push(first);
        rest
    }

    /// The tree without its highest kink.
    pub fn without_last(&mut self, tree: Tree) -> Tree {
        let root = tree?;
        let (left, right) = self.open(root);
        if right.is_none() {
            self.free.push(root);
            return left;
        }
        let rest = self.without_last(right);
        self.join(left, root, rest)
    }

    /// Cuts after the first kinks whose falls add up to `amount`; a kink across the cut is divided.
    pub fn cut(&mut self, tree: Tree, amount: &N) -> (Tree, Tree) {
        let Some(root) = tree else { return (None, None) };
        let (left, right) = self.open(root);
        let until = self.total(left);
        if *amount <= until {
            let (before, after) = self.cut(left, amount);
            return (before, self.join(after, root, right));
        }
        let through = until.clone() + &self.node(root).kink.fall;
        if *amount >= through {
            let (before, after) = self.cut(right, &(amount.clone() - &through));
            return (self.join(left, root, before), after);
        }
        let place = self.node(root).kink.place.clone();
        let rest = self.single(Kink { place, fall: through - amount });
        self.node_mut(root).kink.fall = amount.clone() - &until;
        let rest = rest.expect("just made");
        (self.join(left, root, None), self.join(None, rest, right))
    }

    fn pop_first(&mut self, root: u32) -> (u32, Tree) {
        let (left, right) = self.open(root);
        match left {
            None => (root, right),
            Some(left) => {
                let (first, rest) = self.pop_first(left);
                (first, self.join(rest, root, right))
            }
        }
    }

    /// One balanced tree of `left`, the single node `middle`, and `right`.
    fn join(&mut self, left: Tree, middle: u32, right: Tree) -> Tree {
        let (left_height, right_height) = (self.height(left), self.height(right));
        if left_height > right_height + 1 {
            let root = left.expect("it has a height");
            let (outer, inner) = self.open(root);
            let inner = self.join(inner, middle, right);
            return Some(self.rebalance(outer, root, inner));
        }
        if right_height > left_height + 1 {
            let root = right.expect("it has a height");
            let (inner, outer) = self.open(root);
            let inner = self.join(left, middle, inner);
            return Some(self.rebalance(inner, root, outer));
        }
        Some(self.close(left, middle, right))
    }

    /// A node over two trees whose heights differ by at most 2, made balanced by one or two
    /// rotations.
    fn rebalance(&mut self, left: Tree, root: u32, right: Tree) -> u32 {
        let (left_height, right_height) = (self.height(left), self.height(right));
        if left_height > right_height + 1 {
            let child = left.expect("it has a height");
            let (outer, inner) = self.open(child);
            if self.height(outer) >= self.height(inner) {
                let lower = self.close(inner, root, right);
                return self.close(outer, child, Some(lower));
            }
            let top = inner.expect("it is the higher one");
            let (a, b) = self.open(top);
            let (low, high) = (self.close(outer, child, a), self.close(b, root, right));
            return self.close(Some(low), top, Some(high));
        }
        if right_height > left_height + 1 {
            let child = right.expect("it has a height");
            let (inner, outer) = self.open(child);
            if self.height(outer) >= self.height(inner) {
                let lower = self.close(left, root, inner);
                return self.close(Some(lower), child, outer);
            }
            let top = inner.expect("it is the higher one");
            let (a, b) = self.open(top);
            let (low, high) = (self.close(left, root, a), self.close(b, child, outer));
            return self.close(Some(low), top, Some(high));
        }
        self.close(left, root, right)
    }

    /// The children of a node, which is then a node without any.
    fn open(&mut self, root: u32) -> (Tree, Tree) {
        self.settle(root);
        let node = self.node_mut(root);
        (node.left.take(), node.right.take())
    }

    /// Sets the children of a node.
    fn close(&mut self, left: Tree, root: u32, right: Tree) -> u32 {
        let total = self.total(left) + &self.total(right);
        let height = 1 + self.height(left).max(self.height(right));
        let node = self.node_mut(root);
        node.total = total + &node.kink.fall;
        (node.left, node.right, node.height) = (left, right, height);
        root
    }

    /// Hands a pending move down to the children.
    fn settle(&mut self, root: u32) {
        let node = self.node_mut(root);
        let (left, right) = (node.left, node.right);
        let amount = std::mem::replace(&mut node.pending, N::zero());
        self.shift(left, &amount);
        self.shift(right, &amount);
    }

    fn height(&self, tree: Tree) -> u8 {
        tree.map_or(0, |root| self.node(root).height)
    }

    fn node(&self, root: u32) -> &Node<N> {
        &self.nodes[root as usize]
    }

    fn node_mut(&mut self, root: u32) -> &mut Node<N> {
        &mut self.nodes[root as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The kinks in order, having checked totals and, by its true height, the balance of every
    /// node.
    fn list(kinks: &mut Kinks<i64>, tree: Tree) -> Vec<(i64, i64)> {
        fn visit(kinks: &mut Kinks<i64>, tree: Tree, all: &mut Vec<(i64, i64)>) -> u32 {
            let Some(root) = tree else { return 0 };
            kinks.settle(root);
            let (left, right) = (kinks.node(root).left, kinks.node(root).right);
            let start = all.len();
            let left_height = visit(kinks, left, all);
            all.push((kinks.node(root).kink.place, kinks.node(root).kink.fall));
            let right_height = visit(kinks, right, all);
            assert!(left_height.abs_diff(right_height) <= 1, "balanced");
            assert_eq!(kinks.total(tree), all[start..].iter().map(|kink| kink.1).sum::<i64>());
            1 + left_height.max(right_height)
        }
        let mut all = vec![];
        visit(kinks, tree, &mut all);
        all
    }

    proptest! {
        /// Random cuts, moves and joins agree with a plain vector.
        #[test]
        fn agrees_with_a_vector(
            steps in prop::collection::vec((1_i64..5, 0_i64..60, -3_i64..4), 1..120),
        ) {
            let mut kinks = Kinks::new();
            let mut tree = None;
            let mut model: Vec<(i64, i64)> = vec![];
            for (fall, amount, shift) in steps {
                let amount = amount.min(kinks.total(tree));
                let (left, right) = kinks.cut(tree, &amount);
                let (mut model_left, mut model_right, mut seen) = (vec![], vec![], 0);
                for &(place, fall) in &model {
                    let taken = fall.min(amount - seen).max(0);
                    seen += fall;
                    if taken > 0 { model_left.push((place, taken)); }
                    if fall > taken { model_right.push((place, fall - taken)); }
                }
                prop_assert_eq!(&list(&mut kinks, left), &model_left);
                prop_assert_eq!(&list(&mut kinks, right), &model_right);
                prop_assert_eq!(kinks.last(left), model_left.last().map(|kink| kink.0));
                prop_assert_eq!(kinks.first(right), model_right.first().map(|kink| kink.0));

                kinks.shift(left, &shift);
                let single = kinks.single(Kink { place: 0, fall });
                let left = kinks.concat(left, single);
                tree = kinks.concat(left, right);
                model = model_left.iter().map(|&(place, fall)| (place + shift, fall)).collect();
                model.push((0, fall));
                model.extend(model_right);
                if fall == 1 {
                    tree = kinks.without_last(tree);
                    model.pop();
                    if !model.is_empty() {
                        tree = kinks.without_first(tree);
                        model.remove(0);
                    }
                }
                prop_assert_eq!(&list(&mut kinks, tree), &model);
            }
        }
    }
}
