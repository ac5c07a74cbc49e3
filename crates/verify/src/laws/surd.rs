//! Numbers with square roots: x + y√a + z√b + w√a√b, with one a and one b for the whole comparison.
//! Signs are decided by squaring twice; more roots would be possible in the same way, and nobody
//! needs them.

use std::cmp::Ordering;

use num_rational::BigRational;

use truecal_check::law::MAX_RADICANDS;

use super::number::{NoValue, Value, fits};

/// How many products of those roots there are, the empty one included.
const PRODUCTS: usize = 1 << MAX_RADICANDS;

/// The coefficient of each product of roots; bit i of its place says whether √(radicand i) is a
/// factor. Those that are not there are 0.
#[derive(Clone)]
pub(super) struct Surd<V>([Option<V>; PRODUCTS]);

impl<V: Value> Surd<V> {
    pub fn rational(number: V) -> Self {
        let mut surd = Surd([const { None }; PRODUCTS]);
        surd.0[0] = Some(number);
        surd
    }

    pub fn negated(mut self) -> Result<Self, NoValue> {
        for coefficient in self.0.iter_mut().flatten() {
            *coefficient = fits(coefficient.negated())?;
        }
        Ok(self)
    }

    pub fn times(mut self, factor: &V) -> Result<Self, NoValue> {
        for coefficient in self.0.iter_mut().flatten() {
            *coefficient = fits(coefficient.times(factor))?;
        }
        Ok(self)
    }

    pub fn plus(mut self, other: Self) -> Result<Self, NoValue> {
        for (place, coefficient) in other.0.into_iter().enumerate() {
            if let Some(coefficient) = coefficient {
                self.add(place, coefficient)?;
            }
        }
        Ok(self)
    }

    fn add(&mut self, place: usize, coefficient: V) -> Result<(), NoValue> {
        let sum = match &self.0[place] {
            Some(known) => fits(known.plus(&coefficient))?,
            None => coefficient,
        };
        self.0[place] = Some(sum);
        Ok(())
    }

    /// The coefficients of the products with this root, and of those without; this root is the last
    /// that occurs.
    fn split(&self, root: usize) -> (Self, Self) {
        let (mut with, mut without) = (Surd([const { None }; PRODUCTS]), self.clone());
        for place in 0..1 << root {
            with.0[place] = without.0[place + (1 << root)].take();
        }
        (with, without)
    }
}

/// The numbers whose roots occur, none of them negative.
pub(super) struct Radicands<V>(Vec<V>);

impl<V: Value> Radicands<V> {
    pub fn none() -> Self {
        Radicands(vec![])
    }

    pub fn root_of(&mut self, radicand: V) -> Result<Surd<V>, NoValue> {
        if radicand.sign().is_lt() {
            return Err(NoValue::Undefined);
        }
        let mut known = self.0.len();
        for (place, other) in self.0.iter().enumerate() {
            if fits(other.compare(&radicand))?.is_eq() {
                known = place;
            }
        }
        if known == MAX_RADICANDS {
            return Err(NoValue::Undefined);
        }
        if known == self.0.len() {
            self.0.push(radicand);
        }
        let mut root = Surd([const { None }; PRODUCTS]);
        root.0[1 << known] = Some(V::constant(1.into()));
        Ok(root)
    }

    pub fn product(&self, left: &Surd<V>, right: &Surd<V>) -> Result<Surd<V>, NoValue> {
        let mut product = Surd([const { None }; PRODUCTS]);
        for (i, a) in left.0.iter().enumerate() {
            for (j, b) in right.0.iter().enumerate() {
                let (Some(a), Some(b)) = (a, b) else { continue };
                // A root that occurs in both is there twice.
                let mut coefficient = fits(a.times(b))?;
                for (root, radicand) in self.0.iter().enumerate() {
                    if i & j & 1 << root != 0 {
                        coefficient = fits(coefficient.times(radicand))?;
                    }
                }
                product.add(i ^ j, coefficient)?;
            }
        }
        Ok(product)
    }

    pub fn order(&self, left: &Surd<V>, right: &Surd<V>) -> Result<Ordering, NoValue> {
        self.sign(&left.clone().plus(right.clone().negated()?)?)
    }

    pub fn sign(&self, value: &Surd<V>) -> Result<Ordering, NoValue> {
        self.sign_with(value, self.0.len())
    }

    /// The sign of x + y√c, where x and y have only the roots before this one: if the two terms
    /// have opposite signs, the one with the larger square decides.
    fn sign_with(&self, value: &Surd<V>, roots: usize) -> Result<Ordering, NoValue> {
        if roots == 0 {
            return Ok(value.0[0].as_ref().map_or(Ordering::Equal, Value::sign));
        }
        let root = roots - 1;
        let (with, without) = value.split(root);
        let x = self.sign_with(&without, root)?;
        let y = match self.0[root].sign() {
            Ordering::Equal => Ordering::Equal,
            _ => self.sign_with(&with, root)?,
        };
        if y.is_eq() || x == y {
            return Ok(x);
        }
        if x.is_eq() {
            return Ok(y);
        }
        let square = self.product(&without, &without)?;
        let other = self.product(&with, &with)?.times(&self.0[root])?;
        Ok(match self.sign_with(&square.plus(other.negated()?)?, root)? {
            Ordering::Greater => x,
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => y,
        })
    }
}

impl Radicands<BigRational> {
    /// The coefficients other than 0, with the radicands of their roots.
    pub fn terms(&self, value: &Surd<BigRational>) -> Vec<(BigRational, Vec<BigRational>)> {
        let mut terms = vec![];
        for (place, coefficient) in value.0.iter().enumerate() {
            if let Some(coefficient) = coefficient.clone().filter(|c| !c.sign().is_eq()) {
                let roots = self.0.iter().enumerate().filter(|(root, _)| place & 1 << root != 0);
                terms.push((coefficient, roots.map(|(_, radicand)| radicand.clone()).collect()));
            }
        }
        terms
    }

    /// `1/2 + 3·sqrt(5)`; a 0 before roots and a 1 before a root are left out.
    pub fn text(&self, value: &Surd<BigRational>) -> String {
        let mut text = String::new();
        for (coefficient, radicands) in self.terms(value) {
            let negative = coefficient.sign().is_lt();
            let size = if negative { -coefficient } else { coefficient };
            text += match (text.is_empty(), negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let mut factors: Vec<String> =
                radicands.iter().map(|radicand| format!("sqrt({radicand})")).collect();
            if factors.is_empty() || size != BigRational::constant(1.into()) {
                factors.insert(0, size.to_string());
            }
            text += &factors.join("·");
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}
