//! Laws from text, by recursive descent.

use std::str::FromStr;

use num_traits::Zero;

use super::function::Function;
use super::lex::{Placed, Token, symbol, tokens};
use super::{Comparison, Expr, Law, LawError, MAX_LAW_BYTES, MAX_NESTING, MAX_RADICANDS, Mistake};

impl FromStr for Law {
    type Err = LawError;

    fn from_str(text: &str) -> Result<Self, LawError> {
        read(text, Parser::law)
    }
}

/// One comparison, as the hypothesis of a law.
impl FromStr for Comparison {
    type Err = LawError;

    fn from_str(text: &str) -> Result<Self, LawError> {
        read(text, |parser| {
            let comparison = parser.comparison()?;
            match parser.peek() {
                Token::End => Ok(comparison),
                Token::Implies => Err((parser.column(), Mistake::OneComparison)),
                _ => Err(parser.stray(Mistake::Chained)),
            }
        })
    }
}

/// One side of a comparison.
impl FromStr for Expr {
    type Err = LawError;

    fn from_str(text: &str) -> Result<Self, LawError> {
        read(text, |parser| {
            let side = parser.sum()?.expr;
            match parser.peek() {
                Token::End => Ok(side),
                _ => Err(parser.stray(Mistake::OneSide)),
            }
        })
    }
}

fn read<T>(text: &str, part: fn(&mut Parser) -> Result<T, Fault>) -> Result<T, LawError> {
    if text.len() > MAX_LAW_BYTES {
        let cut = (0..=MAX_LAW_BYTES).rev().find(|cut| text.is_char_boundary(*cut));
        let start = &text[..cut.unwrap_or(0)];
        return Err(LawError::new(start, start.chars().count() + 1, Mistake::TooLong));
    }
    let mut parser =
        Parser { tokens: tokens(text), next: 0, depth: 0, radicands: vec![], in_root: false };
    if parser.tokens.len() == 1 && *parser.peek() == Token::End {
        return Err(LawError::new(text, 1, Mistake::Empty));
    }
    part(&mut parser).map_err(|(column, mistake)| LawError::new(text, column, mistake))
}

/// A column and what is wrong there.
type Fault = (usize, Mistake);

struct Parser {
    /// Ends with `End` or `Wrong`, which are never passed.
    tokens: Vec<Placed>,
    next: usize,
    /// The parentheses and signs that are open.
    depth: usize,
    /// What the roots of this comparison are of.
    radicands: Vec<Expr>,
    in_root: bool,
}

/// A part of an expression. Its height bounds the recursion of everything that walks over it: a
/// long sum is a deep tree without a single parenthesis.
struct Part {
    expr: Expr,
    height: usize,
}

impl Parser {
    fn law(&mut self) -> Result<Law, Fault> {
        let first = self.comparison()?;
        let law = if *self.peek() == Token::Implies {
            self.next += 1;
            Law { hypothesis: Some(first), conclusion: self.comparison()? }
        } else {
            Law { hypothesis: None, conclusion: first }
        };
        match self.peek() {
            Token::End => Ok(law),
            Token::Implies => Err((self.column(), Mistake::SecondImplication)),
            _ => Err(self.stray(Mistake::Chained)),
        }
    }

    fn comparison(&mut self) -> Result<Comparison, Fault> {
        self.radicands.clear();
        let left = self.sum()?.expr;
        let Token::Relation(relation) = *self.peek() else {
            return Err(self.stray(Mistake::NoComparison));
        };
        self.next += 1;
        let right = self.sum()?.expr;
        Ok(Comparison { left, relation, right })
    }

    fn sum(&mut self) -> Result<Part, Fault> {
        let mut left = self.product()?;
        loop {
            let operation = match self.peek() {
                Token::Plus => Expr::sum,
                Token::Minus => Expr::difference,
                _ => return Ok(left),
            };
            let column = self.advance();
            let right = self.product()?;
            let height = left.height.max(right.height);
            left = part(operation(left.expr, right.expr), height, column)?;
        }
    }

    fn product(&mut self) -> Result<Part, Fault> {
        let mut left = self.factor()?;
        loop {
            left = match self.peek() {
                Token::Times => {
                    let column = self.advance();
                    let right = self.factor()?;
                    let height = left.height.max(right.height);
                    part(Expr::product(left.expr, right.expr), height, column)?
                }
                Token::Over => {
                    let column = self.advance();
                    let place = self.column();
                    let divisor = match self.factor()?.expr {
                        Expr::Constant(number) if number.is_zero() => {
                            return Err((place, Mistake::DivisionByZero));
                        }
                        Expr::Constant(number) => number,
                        _ => return Err((place, Mistake::Divisor)),
                    };
                    part(Expr::quotient(left.expr, divisor), left.height, column)?
                }
                _ => return Ok(left),
            };
        }
    }

    fn factor(&mut self) -> Result<Part, Fault> {
        let token = self.peek().clone();
        let column = self.column();
        match token {
            Token::Minus => {
                self.next += 1;
                let inner = self.enclosed(column, Self::factor)?;
                part(Some(Expr::negation(inner.expr)), inner.height, column)
            }
            Token::Number(number) => {
                self.next += 1;
                Ok(Part { expr: Expr::Constant(number), height: 1 })
            }
            Token::Quantity(quantity) => {
                self.next += 1;
                Ok(Part { expr: Expr::Quantity(quantity), height: 1 })
            }
            Token::Open => {
                self.next += 1;
                let inner = self.enclosed(column, Self::sum)?;
                self.close(column, Mistake::Comma)?;
                Ok(inner)
            }
            Token::Function(function) => {
                self.next += 1;
                self.call(function, column)
            }
            _ => {
                let found = match symbol(&token) {
                    Some(symbol) => format!("found `{symbol}`"),
                    None => "the law ends here".to_owned(),
                };
                Err(self.wrong_or(Mistake::Operand { found }))
            }
        }
    }

    /// A function's arguments and its value; its name, at `column`, has been read.
    fn call(&mut self, function: Function, column: usize) -> Result<Part, Fault> {
        if *self.peek() != Token::Open {
            return Err(self.wrong_or(Mistake::FunctionWithoutArgument(function.key())));
        }
        let open = self.advance();
        if function == Function::Sqrt {
            if self.in_root {
                return Err((column, Mistake::NestedRoot));
            }
            self.in_root = true;
        }
        let first = self.enclosed(open, Self::sum)?;
        let (mut arguments, mut height) = (vec![first.expr], first.height);
        while matches!(function, Function::Max | Function::Min) && *self.peek() == Token::Comma {
            self.next += 1;
            let argument = self.enclosed(open, Self::sum)?;
            height = height.max(argument.height);
            arguments.push(argument.expr);
        }
        self.close(open, Mistake::Arguments(function.key()))?;
        let expr = match function {
            Function::Max => Expr::max(arguments),
            Function::Min => Expr::min(arguments),
            Function::Abs => Expr::abs(arguments.swap_remove(0)),
            Function::Sqrt => {
                self.in_root = false;
                self.root(arguments.swap_remove(0), column)?
            }
        };
        part(Some(expr), height, column)
    }

    fn root(&mut self, radicand: Expr, column: usize) -> Result<Expr, Fault> {
        if !self.radicands.contains(&radicand) {
            if self.radicands.len() == MAX_RADICANDS {
                let known = self.radicands.iter().map(|known| format!("`{known}`"));
                let known = known.collect::<Vec<_>>().join(" and ");
                return Err((column, Mistake::TooManyRadicands { known }));
            }
            self.radicands.push(radicand.clone());
        }
        Ok(Expr::Sqrt(radicand.into()))
    }

    /// Reads one level deeper.
    fn enclosed(
        &mut self,
        column: usize,
        read: fn(&mut Self) -> Result<Part, Fault>,
    ) -> Result<Part, Fault> {
        if self.depth == MAX_NESTING {
            return Err((column, Mistake::TooDeep));
        }
        self.depth += 1;
        let inner = read(self)?;
        self.depth -= 1;
        Ok(inner)
    }

    /// Reads the `)` that belongs to the `(` at `open`.
    fn close(&mut self, open: usize, at_comma: Mistake) -> Result<(), Fault> {
        match self.peek() {
            Token::Close => {
                self.next += 1;
                Ok(())
            }
            Token::Comma => Err((self.column(), at_comma)),
            Token::End | Token::Implies => Err((open, Mistake::Unclosed)),
            _ => Err(self.stray(Mistake::ComparisonInParentheses)),
        }
    }

    /// What is wrong with a token after an expression; `otherwise` if it is a relation, `=>` or the
    /// end.
    fn stray(&self, otherwise: Mistake) -> Fault {
        self.wrong_or(match self.peek() {
            Token::Close => Mistake::Unopened,
            Token::Comma => Mistake::Comma,
            Token::Number(_) | Token::Quantity(_) | Token::Function(_) | Token::Open => {
                Mistake::MissingOperator
            }
            _ => otherwise,
        })
    }

    /// The mistake at the next token, unless that is a mistake itself.
    fn wrong_or(&self, mistake: Mistake) -> Fault {
        match self.peek() {
            Token::Wrong(wrong) => (self.column(), wrong.clone()),
            _ => (self.column(), mistake),
        }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn column(&self) -> usize {
        self.tokens[self.next].1
    }

    /// Passes a token, and says where it was.
    fn advance(&mut self) -> usize {
        self.next += 1;
        self.tokens[self.next - 1].1
    }
}

/// An operation at `column` on parts up to this height.
fn part(expr: Option<Expr>, height: usize, column: usize) -> Result<Part, Fault> {
    let expr = expr.ok_or((column, Mistake::NumberTooLarge))?;
    let height = match expr {
        Expr::Constant(_) => 1,
        _ => height + 1,
    };
    match height > MAX_NESTING {
        true => Err((column, Mistake::TooDeep)),
        false => Ok(Part { expr, height }),
    }
}
