//! Theorems of others on which proofs here rest. Whatever uses one is conditional on it.

use super::{Claim, Kind, ROW, sections};

const CITED: Claim = Claim {
    section: sections::CITED,
    kind: Kind::Cited,
    stated: "a theorem of others, cited and not proved here",
    ..ROW
};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "cited:Levy",
        reading: "For a sum S_t of independent symmetric steps: P(max_(t <= T) |S_t| >= x) <= 2 \
            P(|S_T| >= x), hence E max_(t <= T) |S_t| <= 2 E|S_T|.",
        departs: "Lévy's inequality.",
        ..CITED
    },
    Claim {
        id: "cited:CLT",
        reading: "For fixed q in (0,1), X ~ Bin(n,q) and real z: P(X >= qn + z sqrt(q(1-q)n)) \
            tends to the normal tail at z, uniformly in q on compact parts of (0,1).",
        departs: "The central limit theorem of de Moivre and Laplace, with Berry and Esseen's \
            rate.",
        ..CITED
    },
];
