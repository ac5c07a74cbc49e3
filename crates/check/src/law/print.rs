//! Laws as text, with no parenthesis that could be left out.

use std::fmt::{self, Display, Formatter};

use super::{Comparison, Expr, Law, Quantity, Relation};

impl Display for Law {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.hypothesis {
            Some(hypothesis) => write!(f, "{hypothesis} => {}", self.conclusion),
            None => self.conclusion.fmt(f),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.left, self.relation, self.right)
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Below => "<",
            Relation::Above => ">",
            Relation::Equal => "==",
        })
    }
}

impl Display for Quantity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(self, Binding::Sum, f)
    }
}

/// How tightly an expression holds together, ascending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Factor,
}

fn binding(expr: &Expr) -> Binding {
    match expr {
        Expr::Sum(..) | Expr::Difference(..) => Binding::Sum,
        Expr::Product(..) | Expr::Quotient(..) => Binding::Product,
        // `3/4` is written as a quotient.
        Expr::Constant(number) if !number.is_integer() => Binding::Product,
        _ => Binding::Factor,
    }
}

/// Prints an expression where something that binds less than `least` would fall apart.
fn print(expr: &Expr, least: Binding, f: &mut Formatter<'_>) -> fmt::Result {
    if binding(expr) < least {
        f.write_str("(")?;
        print(expr, Binding::Sum, f)?;
        return f.write_str(")");
    }
    // Operators group to the left: only the right operand must bind more than they do.
    let infix = |f: &mut Formatter<'_>, left: &Expr, operator, right: &Expr, own, more| {
        print(left, own, f)?;
        f.write_str(operator)?;
        print(right, more, f)
    };
    match expr {
        Expr::Constant(number) => write!(f, "{number}"),
        Expr::Quantity(quantity) => quantity.fmt(f),
        Expr::Sum(a, b) => infix(f, a, " + ", b, Binding::Sum, Binding::Product),
        Expr::Difference(a, b) => infix(f, a, " - ", b, Binding::Sum, Binding::Product),
        Expr::Product(a, b) => infix(f, a, "*", b, Binding::Product, Binding::Factor),
        Expr::Quotient(a, divisor) => {
            infix(f, a, "/", &Expr::Constant(*divisor), Binding::Product, Binding::Factor)
        }
        Expr::Negation(a) => {
            f.write_str("-")?;
            print(a, Binding::Factor, f)
        }
        Expr::Max(all) => call("max", all, f),
        Expr::Min(all) => call("min", all, f),
        Expr::Abs(a) => call("abs", std::slice::from_ref(&**a), f),
        Expr::Sqrt(a) => call("sqrt", std::slice::from_ref(&**a), f),
    }
}

fn call(name: &str, arguments: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{name}(")?;
    for (index, argument) in arguments.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        print(argument, Binding::Sum, f)?;
    }
    f.write_str(")")
}
