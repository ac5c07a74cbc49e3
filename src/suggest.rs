//! What a mistyped name was probably meant to be.

/// The known name that is most like this one, if one is like it at all.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let cost = |key: &str| {
        let key = key.to_lowercase();
        let begins = key.starts_with(&name) || name.starts_with(&key);
        if begins && key.len().min(name.len()) >= 3 { 1 } else { edits(&name, &key) }
    };
    let (cost, best) = known.map(|key| (cost(key), key)).min_by_key(|(cost, _)| *cost)?;
    (2 * cost <= name.chars().count()).then_some(best)
}

/// The least number of insertions, deletions and replacements that make one of the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_nonsense_is_not() {
        let nearest = |name| nearest(name, ["fact:equivfactor", "E01", "prop:altform"].into_iter());
        assert_eq!(nearest("fact:equivfacto"), Some("fact:equivfactor"));
        assert_eq!(nearest("PROP:ALTFROM"), Some("prop:altform"));
        assert_eq!(nearest("prop"), Some("prop:altform"));
        assert_eq!(nearest("xyzzy"), None);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
