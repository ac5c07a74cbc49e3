//! The parts of the registry: the sections of the paper in its order, then what goes beyond it.

use truecal_verify::registry::Section;

macro_rules! sections {
    ($($name:ident, $key:literal, $title:literal;)*) => {
        $(pub(super) const $name: Section = Section { key: $key, title: $title };)*

        /// All parts of the registry, in order.
        pub const SECTIONS: &[Section] = &[$($name),*];
    };
}

sections! {
    INTRODUCTION, "introduction", "Abstract and introduction (L177-295)";
    PRELIMINARIES, "preliminaries", "Preliminaries (L296-393)";
    OVERVIEW, "overview", "Technical overview (L394-490)";
    U_CALIBRATION, "ucal", "Non-truthfulness of U-calibration (L492-956)";
    STEP_CALIBRATION, "step", "Step calibration (L958-1071)";
    WARM_UP, "warmup", "Truthfulness, first bounds (L1073-1164)";
    LOWER_BOUND, "lower", "Lower bound for smoothed natures (L1170-1274)";
    MAIN_THEOREM, "main", "The main theorem (L1276-1710)";
    PRODUCT, "product", "Product distributions (L1712-1774)";
    ALGORITHM, "algorithm", "The algorithm (L1776-1897)";
    APPENDIX, "appendix", "Deferred proofs (L1909-2194)";
    TIGHT, "tight", "Best constants (beyond the paper)";
    LAB, "lab", "The truthfulness lab (beyond the paper)";
    CITED, "cited", "Theorems that proofs here rest on (beyond the paper)";
    PROGRAM, "program", "The program itself (beyond the paper)";
}
