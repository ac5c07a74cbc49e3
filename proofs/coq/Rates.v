(* What becomes of the upper half of lemma:stepCE-vs-stepCEsub (L2141-2194) if the squared residuals
   are bounded: by the variance of the predictions and 3 stepCE, and without stepCE where the
   predictions are perfectly calibrated (L321). Their subsampled measures are then at most of the
   order of the root of T (L314-319), with explicit constants. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Abel ECE SmoothDual Smooth.
From Truecal Require Import Subsampled.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Squares.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}).

(* The squared residuals, and the variance of the predictions. *)
Definition squares x p S : R := \sum_(t in S) residual x p t ^+ 2.
Definition variance p S : R := \sum_(t in S) p t * (1 - p t).

(* No variance exceeds 1/4. *)
Lemma variance_le p S : variance p S <= #|S|%:R / 4%:R.
Proof.
rewrite -[#|S|]sum1_card natr_sum mulr_suml; apply: ler_sum => t _; rewrite -subr_ge0.
have -> : 1%:R / 4%:R - p t * (1 - p t) = (p t - 1 / 2%:R) ^+ 2 :> R by field.
exact: sqr_ge0.
Qed.

(* The squared residuals are at most a quarter of the rounds and 3 stepCE. *)
Lemma squares_le x p S : predictions p -> squares x p S <= #|S|%:R / 4%:R + 3%:R * stepCE x p S.
Proof.
by move=> p01; apply: le_trans (squares_le_variance x S p01) _; rewrite ler_add2r variance_le.
Qed.

(* Without squared residuals there are no residuals. *)
Lemma stepCE_squares0 x p S : squares x p S = 0 -> stepCE x p S = 0.
Proof.
move=> /eqP; rewrite psumr_eq0 => [/allP zero|t _]; last exact: sqr_ge0.
apply: stepCE_calibrated => a; apply: big1 => t /andP[tS _]; apply/eqP.
by have := zero t (mem_index_enum t); rewrite tS sqrf_eq0.
Qed.
End Squares.

Section Rates.
Variables (R : rcfType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (c : R).

(* The upper half of the lemma with any bound of the squares. *)
Lemma sub_le_half_root_of x p c : squares x p setT <= c ->
  stepCE_sub x p <= stepCE x p setT / 2%:R + Num.sqrt (c / 2%:R).
Proof.
move=> sc; apply: le_trans (sub_le_half_root x p) _; rewrite ler_add2l ler_wsqrtr //.
rewrite ler_pmul2r ?invr_gt0 ?ltr0n //; apply: le_trans sc; rewrite le_eqVlt.
by apply/orP; left; apply/eqP; apply: eq_bigl => t; rewrite inE.
Qed.

(* Half of a number that is not negative is smaller. *)
Lemma half_le c : 0 <= c -> c / 2%:R <= c.
Proof. by move=> c0; rewrite ler_pdivr_mulr ?ltr0n // ler_pemulr // (ler_nat _ 1 2). Qed.

(* With the squares, ... *)
Theorem sub_le_root_squares x p :
  stepCE_sub x p <= stepCE x p setT / 2%:R + Num.sqrt (squares x p setT).
Proof.
apply: le_trans (sub_le_half_root_of (lexx _)) _; rewrite ler_add2l ler_wsqrtr // half_le //.
by apply: sumr_ge0 => t _; exact: sqr_ge0.
Qed.

(* ... and with stepCE itself. *)
Theorem sub_le_root_stepCE x p : predictions p ->
  stepCE_sub x p <= stepCE x p setT / 2%:R + Num.sqrt (T%:R / 4%:R + 3%:R * stepCE x p setT).
Proof.
move=> p01; have sq := squares_le x setT p01; rewrite cardsT card_ord in sq.
apply: le_trans (sub_le_half_root_of sq) _; rewrite ler_add2l ler_wsqrtr // half_le //.
by rewrite addr_ge0 ?divr_ge0 ?mulr_ge0 ?ler0n ?stepCE_ge0.
Qed.

(* The root of a number is at most c times the root of T if its square is at most c^2 T. *)
Lemma root_le (a c : R) : 0 <= c -> a <= c ^+ 2 * T%:R -> Num.sqrt a <= c * Num.sqrt T%:R.
Proof.
move=> c0 ac; apply: le_trans (ler_wsqrtr ac) _.
by rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm.
Qed.

(* Perfectly calibrated predictions. *)
Lemma sub_calibrated x p : predictions p -> calibrated x p setT ->
  stepCE_sub x p <= Num.sqrt (T%:R / 8%:R).
Proof.
move=> p01 cal; have sq := squares_le x setT p01.
rewrite cardsT card_ord stepCE_calibrated // mulr0 addr0 in sq.
apply: le_trans (sub_le_half_root_of sq) _; rewrite stepCE_calibrated // mul0r add0r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr Num.sqrt; field.
Qed.

Theorem sub_calibrated_half x p : predictions p -> calibrated x p setT ->
  stepCE_sub x p <= Num.sqrt T%:R / 2%:R.
Proof.
move=> p01 cal; apply: le_trans (sub_calibrated p01 cal) _; rewrite [X in _ <= X]mulrC.
apply: root_le; first by rewrite invr_ge0 ler0n.
rewrite -subr_ge0 (_ : _ - _ = T%:R / 8%:R); last by field.
by rewrite divr_ge0 ?ler0n.
Qed.

Theorem SSCE_calibrated x p : predictions p -> calibrated x p setT ->
  SSCE x p <= 3%:R / 4%:R * Num.sqrt T%:R.
Proof.
move=> p01 cal; apply: le_trans (SSCE_le_2stepCE_sub x p01) _.
apply: le_trans (ler_wpmul2l _ (sub_calibrated p01 cal)) _; first exact: ler0n.
rewrite -[X in X * Num.sqrt (_ / _)]ger0_norm ?ler0n // -sqrtr_sqr -sqrtrM ?sqr_ge0 //.
apply: root_le; first by rewrite divr_ge0 ?ler0n.
rewrite -subr_ge0 (_ : _ - _ = T%:R / 16%:R); last by field.
by rewrite divr_ge0 ?ler0n.
Qed.
End Rates.
