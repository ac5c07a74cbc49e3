//! What commands print with `--json`: plain structs, and the schema that documents them. Nothing
//! else here makes JSON. Runs of `verify` are read back, so that shards can be put together.
//!
//! Fields stand in the order in which they are printed. Fields may be added, but none changes its
//! meaning without a new number in `schema`.

mod claims;
mod classical;
mod forecast;
mod gap;
mod measure;
mod opt;
mod properties;
mod record;
mod refute;
mod several;
mod shards;
mod significance;
mod tight;
mod verify;
mod witness;

use num_rational::BigRational;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

pub(crate) use claims::{Claim, Claims};
pub(crate) use forecast::Forecast;
pub(crate) use gap::Gap;
pub(crate) use measure::Measured;
pub(crate) use opt::Opt;
pub(crate) use properties::Properties;
pub use record::RecordError;
pub(crate) use refute::Refute;
pub(crate) use several::SideBySide;
pub use shards::{MergeShardsError, merge};
pub(crate) use tight::Tight;
pub use verify::Record;

/// The text of a value, with a line for each field.
pub fn text(printed: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(printed);
    text.expect("numbers, texts, lists and fields are JSON") + "\n"
}

/// The schema of what each command prints, by the name of the command. (`merge` prints what
/// `verify` would.)
pub fn schemas() -> [(&'static str, Schema); 10] {
    [
        ("measure", schema::<Measured>()),
        ("measure-several", schema::<SideBySide>()),
        ("verify", schema::<Record>()),
        ("claims", schema::<Claims>()),
        ("refute", schema::<Refute>()),
        ("tight", schema::<Tight>()),
        ("gap", schema::<Gap>()),
        ("properties", schema::<Properties>()),
        ("forecast", schema::<Forecast>()),
        ("opt", schema::<Opt>()),
    ]
}

fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(join_lines));
    settings.into_generator().into_root_schema_for::<T>()
}

/// Comments are broken into lines, descriptions are not.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}

/// An exact number: a fraction in lowest terms like `3/10`, or an integer like `2`.
#[derive(Serialize, JsonSchema)]
struct Fraction(String);

impl From<&BigRational> for Fraction {
    fn from(number: &BigRational) -> Self {
        Fraction(number.to_string())
    }
}
