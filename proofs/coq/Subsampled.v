(* Subsampling: the mean of a measure over all sets of rounds (eq:ssce, L390; eq:subsampled, L526).
   First of any measure: its mean exists, and inherits comparisons. Then both halves of
   lemma:stepCE-vs-stepCEsub (L2141-2194) with explicit constants,
     stepCE / 2 <= stepCE_sub <= stepCE / 2 + root of (sum of (x_t - p_t)^2) / 2
                              <= stepCE / 2 + root of T / 2,
   and what follows for calibrated predictions. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix ECE Probability Maximal.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Any measure. *)
Section General.
Variables (R : realFieldType) (T : nat).
Implicit Types (M N : {set 'I_T} -> R) (S : {set 'I_T}) (c v w : R).

(* The mean of the values of a measure is its mean in the sense of the definitions. *)
Lemma is_meanP (M : {set 'I_T} -> R -> Prop) m : (forall S, M S (m S)) -> is_mean M (mean m).
Proof. by move=> Mm; exists m. Qed.

(* A comparison of two measures holds of their means. *)
Lemma mean_le_scale c M N : (forall S, M S <= c * N S) -> mean M <= c * mean N.
Proof. by move=> MN; rewrite -meanZ; exact: mean_le. Qed.

(* If a measure of all rounds is at most that of a set and of the others, then the measure of all
   rounds is at most twice the mean. *)
Lemma half_le_mean M : (forall S, M setT <= M S + M (~: S)) -> M setT <= 2%:R * mean M.
Proof.
move=> split; rewrite mulr_natl mulr2n -[X in _ + X]mean_setC -meanD -[X in X <= _](mean_const T).
exact: mean_le.
Qed.

(* With one round there are two sets. *)
Lemma mean_one (N : {set 'I_1} -> R) : mean N = (N set0 + N setT) / 2%:R.
Proof.
rewrite (mean_resample ord0) -[RHS](mean_const 1); apply: eq_mean => S; rewrite addrC.
have -> : ord0 |: S = setT by apply/setP => t; rewrite !inE (ord1 t).
by have -> : S :\ ord0 = set0 by apply/setP => t; rewrite !inE (ord1 t).
Qed.

(* The mean of what is at most the number of rounds is at most half of all of them. *)
Lemma mean_le_half M : (forall S, M S <= #|S|%:R) -> mean M <= T%:R / 2%:R.
Proof. by move=> Mcard; rewrite -mean_card; exact: mean_le. Qed.
End General.

Section Sub.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b v : R).

(* stepCE_sub is the mean of the definitions. *)
Theorem stepCE_subP x p : predictions p -> is_stepCE_sub x p (stepCE_sub x p).
Proof. by move=> p01; apply: is_meanP => S; exact: stepCEP. Qed.

(* Prefix sums of all rounds are those of a set and of the others. *)
Lemma upto_setC x p S a : upto x p setT a = upto x p S a + upto x p (~: S) a.
Proof.
rewrite /upto (big_mkcond _ (residual x p)) [X in X + _]big_mkcond [X in _ + X]big_mkcond /=.
rewrite -big_split; apply: eq_bigr => t _ /=; rewrite !inE.
by case: (t \in S); case: (p t <= a); rewrite ?addr0 ?add0r.
Qed.

(* So stepCE of all rounds is at most that of a set and that of the others. *)
Lemma stepCE_split x p S : stepCE x p setT <= stepCE x p S + stepCE x p (~: S).
Proof.
apply: bigmax_le => [|t _]; first by rewrite addr_ge0 ?stepCE_ge0.
by rewrite (upto_setC _ _ S) (le_trans (ler_norm_add _ _)) // ler_add ?upto_le_stepCE.
Qed.

(* The lower half of lemma:stepCE-vs-stepCEsub. *)
Theorem stepCE_le_2sub x p : stepCE x p setT <= 2%:R * stepCE_sub x p.
Proof. by apply: half_le_mean => S; exact: stepCE_split. Qed.

(* It is at least the mean of the absolute bias. *)
Theorem bias_le_stepCE_sub x p : mean (fun S => `|bias x p S|) <= stepCE_sub x p.
Proof. by apply: mean_le => S; exact: bias_le_stepCE. Qed.

(* stepCE_sub is between 0 and half of the number of rounds. *)
Lemma stepCE_sub_ge0 x p : 0 <= stepCE_sub x p.
Proof. by apply: mean_ge0 => S; exact: stepCE_ge0. Qed.

(* The upper bound. *)
Theorem stepCE_sub_le_half x p : predictions p -> stepCE_sub x p <= T%:R / 2%:R.
Proof. by move=> p01; apply: mean_le_half => S; exact: stepCE_le_card. Qed.

(* A prefix sum of a set is half of that of all rounds, and half of it again with random signs
   (L2169-2180). *)
Lemma representation x p S a : upto x p S a =
  upto x p setT a / 2%:R + \sum_(t | p t <= a) coin R S t * (residual x p t / 2%:R).
Proof.
rewrite /upto mulr_suml (big_mkcond _ (residual x p)) [X in _ = X + _]big_mkcond.
rewrite [X in _ = _ + X]big_mkcond -big_split; apply: eq_bigr => t _ /=; rewrite inE /coin.
by case: (t \in S); case: (p t <= a) => /=; field.
Qed.

(* So stepCE is a maximum over all rounds of a sum with random signs. *)
Lemma stepCE_signs x p S : stepCE x p S = \big[Num.max/0]_t
  `|(\sum_(s | p s <= p t) residual x p s) / 2%:R +
    \sum_(s | p s <= p t) coin R S s * (residual x p s / 2%:R)|.
Proof.
transitivity (\big[Num.max/0]_t `|upto x p S (p t)|); last first.
  apply: eq_bigr => t _; rewrite representation; congr `|_ / _ + _|.
  by apply: eq_bigl => s; rewrite inE.
apply/eqP; rewrite eq_le; apply/andP; split.
  apply: bigmax_le => [|t tS]; first exact: bigmax_ge0.
  exact: (@bigmax_ge _ _ predT (fun t => `|upto x p S (p t)|)).
by apply: bigmax_le => [|t _]; [exact: stepCE_ge0|exact: upto_le_stepCE].
Qed.

(* The rounds, from the largest prediction to the smallest: those up to a threshold come last. *)
Definition descending p : rel 'I_T := fun s t => p t <= p s.
Definition order p : seq 'I_T := sort (descending p) (enum 'I_T).

(* No round comes twice, ... *)
Lemma order_uniq p : uniq (order p).
Proof. by rewrite sort_uniq enum_uniq. Qed.

(* ... the predictions go down, ... *)
Lemma order_sorted p : sorted (descending p) (order p).
Proof. by apply: sort_sorted => s t; rewrite /descending le_total. Qed.

(* ... and every round comes. *)
Lemma order_sum p (P : pred 'I_T) (f : 'I_T -> R) :
  \sum_(t <- order p | P t) f t = \sum_(t | P t) f t.
Proof. by rewrite (perm_big (enum 'I_T)) ?perm_sort // big_enum_cond. Qed.

(* So the sum up to a threshold is one of those on the way. *)
Lemma upto_le_peak p (d : 'I_T -> R) S a r : sorted (descending p) r ->
  `|\sum_(t <- r | p t <= a) coin R S t * d t| <= peak d 0 r S.
Proof.
elim: r => [_|t r IH sr] /=; first by rewrite big_nil normr0.
rewrite le_maxr big_cons; case: ifP => [ta|_]; last by rewrite IH //; exact: path_sorted sr.
have tr : transitive (descending p) by move=> u s v us vu; exact: le_trans vu us.
have le_a : all (fun u => p u <= a) r.
  by apply: sub_all (order_path_min tr sr) => u ut; exact: le_trans ut ta.
by rewrite walkE addrC -big_filter (all_filterP le_a) lexx orbT.
Qed.
End Sub.

(* The upper half of lemma:stepCE-vs-stepCEsub. *)
Section Upper.
Variables (R : rcfType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}).

(* The representation at all thresholds together. *)
Lemma stepCE_le_half_peak x p S : stepCE x p S <=
  stepCE x p setT / 2%:R + peak (fun t => residual x p t / 2%:R) 0 (order p) S.
Proof.
have half0 : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
apply: bigmax_le => [|t _]; first by rewrite addr_ge0 ?peak_ge // mulr_ge0 ?stepCE_ge0.
rewrite representation -(order_sum p) (le_trans (ler_norm_add _ _)) // ler_add //.
  by rewrite normrM (ger0_norm half0) ler_wpmul2r ?upto_le_stepCE.
by rewrite upto_le_peak // order_sorted.
Qed.

(* With the sum of the squares of the residuals. *)
Theorem sub_le_half_root x p : stepCE_sub x p <=
  stepCE x p setT / 2%:R + Num.sqrt ((\sum_t residual x p t ^+ 2) / 2%:R).
Proof.
apply: le_trans (mean_le (stepCE_le_half_peak x p)) _; rewrite meanD mean_const ler_add2l.
apply: le_trans (maximal_sqrt _ (order_uniq p)) _; rewrite order_sum ler_wsqrtr //.
rewrite le_eqVlt mulr_sumr mulr_suml; apply/orP; left; apply/eqP; apply: eq_bigr => t _.
by field.
Qed.

(* With the number of rounds alone, as no residual is larger than 1. *)
Theorem sub_le_half_rootT x p : predictions p ->
  stepCE_sub x p <= stepCE x p setT / 2%:R + Num.sqrt (T%:R / 2%:R).
Proof.
move=> p01; apply: le_trans (sub_le_half_root x p) _; rewrite ler_add2l ler_wsqrtr //.
rewrite ler_pmul2r ?invr_gt0 ?ltr0n // -[X in X%:R]card_ord -sumr_const.
by apply: ler_sum => t _; rewrite -real_normK ?num_real // expr_le1 ?residual_le1.
Qed.

(* The simpler constant that the paper's proof gives. *)
Corollary sub_le_half_root1 x p : predictions p ->
  stepCE_sub x p <= stepCE x p setT / 2%:R + Num.sqrt T%:R.
Proof.
move=> p01; apply: le_trans (sub_le_half_rootT x p01) _; rewrite ler_add2l ler_wsqrtr //.
by rewrite ler_pdivr_mulr ?ltr0n // ler_pemulr ?ler0n ?ler1n.
Qed.

(* Perfectly calibrated predictions. *)
Corollary stepCE_sub_calibrated x p : predictions p -> calibrated x p setT ->
  stepCE_sub x p <= Num.sqrt (T%:R / 2%:R).
Proof.
by move=> p01 cal; have := sub_le_half_rootT x p01; rewrite stepCE_calibrated // mul0r add0r.
Qed.
End Upper.
