(* What is proved of subsampled measures (L267-281, L533, L1071-1092, L1197-1202, L2139-2194), claim
   by claim; TheoremsPreliminaries.v says how to read it, and has the formulas. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Formulas Prefix ECE Subsampled VCal Rates.
From Truecal Require Import TheoremsPreliminaries TheoremsStep.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Subsampled measures (L386-393, L526, L2139-2194): Probability.v, Maximal.v, Subsampled.v,
   Rates.v. *)
Section Subsampling.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (s u v w : R).

(* claim: lemma:stepCE-vs-stepCEsub; claim: fix-alpha; claim: TIGHT-sub-step;
   claim: informal-inheritance; law: stepce <= 2*stepce_sub *)
Theorem stepCE_le_2stepCE_sub x p s v : predictions p ->
  is_stepCE x p setT s -> is_stepCE_sub x p v -> s <= 2%:R * v.
Proof. by move=> p01 /stepCE_formula-> // /stepCE_sub_formula-> //; exact: stepCE_le_2sub. Qed.

(* claim: informal-inheritance; law: stepce_sub >= ucal/16 *)
Theorem UCal_le_16stepCE_sub x p u v : predictions p ->
  is_UCal x p setT u -> is_stepCE_sub x p v -> u / 16%:R <= v.
Proof.
move=> p01 /UCal_formula-> // /stepCE_sub_formula-> //.
by rewrite ler_pdivr_mulr ?ltr0n // mulrC; exact: UCal.UCal_le_16stepCE_sub.
Qed.

(* law: smce <= 2*ssce *)
Theorem smCE_le_2SSCE x p s v : predictions p -> is_smCE x p setT s -> is_SSCE x p v ->
  s <= 2%:R * v.
Proof. by move=> p01 /smCE_formula-> // /SSCE_formula-> //; exact: Smooth.smCE_le_2SSCE. Qed.

(* What holds of a measure of every set holds of its mean over sets. *)
Lemma le_mean k (M N : {set 'I_T} -> R -> Prop) v w :
  (forall S a b, M S a -> N S b -> a <= k * b) -> is_mean M v -> is_mean N w -> v <= k * w.
Proof.
move=> MN [m mP ->] [n nP ->]; rewrite mulrA ler_pmul2r ?invr_gt0 ?exprn_gt0 ?ltr0n // mulr_sumr.
by apply: ler_sum => S _; exact: MN (mP S) (nP S).
Qed.

(* lemma:UCal-vs-VCal, as prop:subsamptruth uses it (L533). *)
(* law: ucal_sub <= 2*vcal_sub *)
Theorem UCal_sub_le_2VCal_sub x p u v : predictions p ->
  is_UCal_sub x p u -> is_VCal_sub x p v -> u <= 2%:R * v.
Proof. by move=> p01; apply: le_mean => S a b; exact: UCal_le_2VCal. Qed.

(* law: vcal_sub <= ucal_sub *)
Theorem VCal_sub_le_UCal_sub x p u v : predictions p ->
  is_UCal_sub x p u -> is_VCal_sub x p v -> v <= u.
Proof.
move=> p01 uP vP; rewrite -[u]mul1r; apply: le_mean vP uP => S a b aP bP; rewrite mul1r.
exact: VCal_le_UCal bP aP.
Qed.

(* law: vcal_sub <= 4*stepce_sub *)
Theorem VCal_sub_le_4stepCE_sub x p s v : predictions p ->
  is_stepCE_sub x p s -> is_VCal_sub x p v -> v <= 4%:R * s.
Proof.
move=> p01 /stepCE_sub_formula-> // /VCal_sub_formula-> //; exact: VCal.VCal_sub_le_4stepCE_sub.
Qed.

(* law: ucal_sub <= 8*stepce_sub *)
Theorem UCal_sub_le_8stepCE_sub x p s u : predictions p ->
  is_stepCE_sub x p s -> is_UCal_sub x p u -> u <= 8%:R * s.
Proof. by move=> p01 sP uP; apply: le_mean uP sP => S a b aP bP; exact: UCal_le_8stepCE bP aP. Qed.

(* claim: TIGHT-c7; law: ssce <= 2*stepce_sub *)
Theorem SSCE_le_2stepCE_sub x p v w : predictions p ->
  is_stepCE_sub x p v -> is_SSCE x p w -> w <= 2%:R * v.
Proof.
by move=> p01 /stepCE_sub_formula-> // /SSCE_formula-> //; exact: Smooth.SSCE_le_2stepCE_sub.
Qed.

(* claim: fix-alpha *)
Theorem fix_alpha x p v a : predictions p -> is_stepCE_sub x p v ->
  `|\sum_(t | p t <= a) residual x p t| / 2%:R <= v.
Proof.
move=> p01 /stepCE_sub_formula-> //; rewrite ler_pdivr_mulr ?ltr0n // mulrC.
apply: le_trans (stepCE_le_2sub x p); apply: le_trans (upto_le_stepCE x p setT a).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr `|_|; apply: eq_bigl => t; rewrite inE.
Qed.

(* claim: OPT-constant-c *)
Theorem bias_le_stepCE_sub x p v : predictions p -> is_stepCE_sub x p v ->
  mean (fun S => `|\sum_(t in S) residual x p t|) <= v.
Proof. by move=> p01 /stepCE_sub_formula-> //; exact: Subsampled.bias_le_stepCE_sub. Qed.

(* claim: TIGHT-c6; law: T == 1 => stepce_sub == stepce/2 *)
Theorem stepCE_sub_one_round (y : 'I_1 -> bool) (q : 'I_1 -> R) s v : predictions q ->
  is_stepCE y q setT s -> is_stepCE_sub y q v -> v = s / 2%:R.
Proof.
move=> q01 /stepCE_formula-> // /stepCE_sub_formula-> //.
have -> : stepCE_sub y q = (stepCE y q set0 + stepCE y q setT) / 2%:R by exact: mean_one.
have -> : stepCE y q set0 = 0 by apply: big_pred0 => t; rewrite inE.
by rewrite add0r.
Qed.

(* claim: representation *)
Theorem representation x p S a : \sum_(t in S | p t <= a) residual x p t =
  (\sum_(t | p t <= a) residual x p t) / 2%:R +
  \sum_(t | p t <= a) (if t \in S then 1 else -1) * (residual x p t / 2%:R).
Proof.
rewrite [LHS]representation; congr (_ / _ + _).
by apply: eq_bigl => t; rewrite inE.
Qed.

(* claim: representation *)
Theorem representation_mean x p v : predictions p -> is_stepCE_sub x p v <->
  v = mean (fun S => \big[Num.max/0]_t
    `|(\sum_(s | p s <= p t) residual x p s) / 2%:R +
      \sum_(s | p s <= p t) (if s \in S then 1 else -1) * (residual x p s / 2%:R)|).
Proof.
move=> p01; split=> [/stepCE_sub_formula-> //|->]; last apply/stepCE_sub_formula => //.
  by congr (_ / _); apply: eq_bigr => S _; exact: stepCE_signs.
by congr (_ / _); apply: eq_bigr => S _; exact/esym/stepCE_signs.
Qed.
End Subsampling.

(* The same with square roots. *)
Section Roots.
Variables (R : rcfType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (s v w : R).

(* claim: lemma:stepCE-vs-stepCEsub; law: stepce_sub <= stepce/2 + sqrt(T/2) *)
Theorem stepCE_sub_le_half_root x p s v : predictions p ->
  is_stepCE x p setT s -> is_stepCE_sub x p v -> v <= s / 2%:R + Num.sqrt (T%:R / 2%:R).
Proof. by move=> p01 /stepCE_formula-> // /stepCE_sub_formula-> //; exact: sub_le_half_rootT. Qed.

(* claim: lemma:stepCE-vs-stepCEsub; claim: informal-inheritance;
   law: stepce_sub <= stepce/2 + sqrt(T) *)
Theorem stepCE_sub_le_root x p s v : predictions p ->
  is_stepCE x p setT s -> is_stepCE_sub x p v -> v <= s / 2%:R + Num.sqrt T%:R.
Proof. by move=> p01 /stepCE_formula-> // /stepCE_sub_formula-> //; exact: sub_le_half_root1. Qed.

(* claim: TIGHT-c6-variance; law: stepce_sub <= stepce/2 + sqrt(squares) *)
Theorem stepCE_sub_le_root_squares x p s v : predictions p ->
  is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= s / 2%:R + Num.sqrt (\sum_t residual x p t ^+ 2).
Proof.
move=> p01 /stepCE_formula-> // /stepCE_sub_formula-> //.
apply: le_trans (sub_le_root_squares x p) _; rewrite ler_add2l ler_wsqrtr // le_eqVlt.
by apply/orP; left; apply/eqP; apply: eq_bigl => t; rewrite inE.
Qed.

(* claim: TIGHT-c6-variance; law: stepce_sub <= stepce/2 + sqrt(T/4 + 3*stepce) *)
Theorem stepCE_sub_le_root_stepCE x p s v : predictions p ->
  is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= s / 2%:R + Num.sqrt (T%:R / 4%:R + 3%:R * s).
Proof. by move=> p01 /stepCE_formula-> // /stepCE_sub_formula-> //; exact: sub_le_root_stepCE. Qed.

(* claim: def:complete-and-sound; law: ece == 0 => stepce_sub <= sqrt(T)/2 *)
Theorem stepCE_sub_calibrated x p v : predictions p -> ECE x p setT = 0 ->
  is_stepCE_sub x p v -> v <= Num.sqrt T%:R / 2%:R.
Proof.
by move=> p01 /calibrated_ECE cal /stepCE_sub_formula-> //; exact: sub_calibrated_half.
Qed.

(* claim: def:complete-and-sound; claim: claim-perfectly-calibrated-no-regret;
   law: ece == 0 => ssce <= 3/4*sqrt(T) *)
Theorem SSCE_calibrated x p v : predictions p -> ECE x p setT = 0 ->
  is_SSCE x p v -> v <= 3%:R / 4%:R * Num.sqrt T%:R.
Proof. by move=> p01 /calibrated_ECE cal /SSCE_formula-> //; exact: Rates.SSCE_calibrated. Qed.
End Roots.
