//! Which bounded proofs support which claims.

/// The list of all harnesses in `proofs/`, made from them (`proofs/listing.rs`).
const LIST: &str = include_str!("../../../../proofs/harnesses.tsv");

/// The harnesses in `proofs/` that support a claim, by their paths.
///
/// ```
/// let mut harnesses = truecal_paper::claims::harnesses("fact:equivfactor");
/// assert!(harnesses.any(|path| path == "proofs::prefix::sign_variant"));
/// ```
pub fn harnesses(id: &str) -> impl Iterator<Item = &'static str> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let mut columns = line.split('\t');
        let (path, claims) = (columns.next()?, columns.nth(1)?);
        claims.split(' ').any(|claim| claim == id).then_some(path)
    })
}
