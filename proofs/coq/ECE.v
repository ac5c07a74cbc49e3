(* ECE (L1060), the sum of the absolute biases at the predicted values: it is 0 for perfectly
   calibrated predictions (L320) and for no others, and it is between stepCE (L965) and 2m - 1 times
   stepCE, where m is the number of predicted values. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Step.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ECE.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a : R).

(* The predicted values, each once. *)
Definition values p S : seq R := undup [seq p t | t in S].

(* A number is a value if some round predicts it. *)
Lemma valuesP p S a : reflect (exists2 t, t \in S & a = p t) (a \in values p S).
Proof. by rewrite mem_undup; apply: imageP. Qed.

(* What is predicted in S is one of the values. *)
Lemma mem_values p S t : t \in S -> p t \in values p S.
Proof. by move=> tS; apply/valuesP; exists t. Qed.

(* The bias at a value. *)
Definition bias_at x p S a : R := \sum_(t in S | p t == a) residual x p t.

(* A sum over rounds is the sum, over the predicted values, of the sums over the rounds predicted
   so. *)
Lemma sum_by_value p S (P : pred R) (f : 'I_T -> R) : \sum_(t in S | P (p t)) f t =
  \sum_(a <- values p S | P a) \sum_(t in S | p t == a) f t.
Proof.
rewrite (exchange_big_dep (fun t => (t \in S) && P (p t))) /=; last first.
  by move=> a t Pa /andP[-> /eqP ->].
apply: eq_bigr => t /andP[tS Pt]; rewrite big_const_seq (@eq_count _ _ (pred1 (p t))).
  by rewrite count_uniq_mem ?undup_uniq // mem_values //= addr0.
by move=> a /=; rewrite tS eq_sym; case: eqP => [->|_]; rewrite ?Pt ?andbF.
Qed.

(* The bias at a value is the difference of two prefix sums. *)
Lemma bias_at_upto x p S a : bias_at x p S a = upto x p S a - below x p S a.
Proof.
rewrite -between_upto // /between; apply: sum_in => t _.
by rewrite eq_sym eq_le.
Qed.

(* Where nothing is predicted there is no bias. *)
Lemma bias_at_none x p S a : a \notin values p S -> bias_at x p S a = 0.
Proof.
by move=> none; apply: sum_none => t tS; apply: contra none => /eqP <-; exact: mem_values.
Qed.

Lemma ECE_ge0 x p S : 0 <= ECE x p S.
Proof. by apply: sumr_ge0 => a _; exact: normr_ge0. Qed.

(* ECE is 0 for perfectly calibrated predictions only. *)
Theorem calibrated_ECE x p S : calibrated x p S <-> ECE x p S = 0.
Proof.
split=> [cal|/eqP]; first by rewrite /ECE big1 // => a _; rewrite cal normr0.
rewrite psumr_eq0 => [/allP zero a|a _]; last exact: normr_ge0.
have [/zero/=|none] := boolP (a \in values p S); last exact: bias_at_none.
by rewrite normr_eq0 => /eqP.
Qed.

(* Whoever weighs each prediction by at most 1 sees at most ECE of the residuals: ... *)
Lemma weighed_le_ECE x p S (f : R -> R) : (forall a, `|f a| <= 1) ->
  `|\sum_(t in S) f (p t) * residual x p t| <= ECE x p S.
Proof.
move=> f1; rewrite -(sum_every (P := predT)) // (sum_by_value p S predT).
apply: le_trans (ler_norm_sum _ _ _) (ler_sum _ _) => a _.
rewrite (eq_bigr (fun t => f a * residual x p t)) => [|t /andP[_ /eqP ->] //].
by rewrite -mulr_sumr normrM ler_pimull.
Qed.

(* ... those who look at a part, ... *)
Lemma part_le_ECE x p S (P : pred R) : `|\sum_(t in S | P (p t)) residual x p t| <= ECE x p S.
Proof.
rewrite big_mkcondr (eq_bigr (fun t => (P (p t))%:R * residual x p t)) => [|t _]; last first.
  by case: (P _); rewrite ?mul1r ?mul0r.
apply: (weighed_le_ECE _ _ _ (f := fun a => (P a)%:R)) => a.
by case: (P a); rewrite ?normr1 ?normr0 ?ler01.
Qed.

Theorem stepCE_le_ECE x p S : stepCE x p S <= ECE x p S.
Proof.
by apply: bigmax_le => [|t _]; [exact: ECE_ge0|exact: (part_le_ECE _ _ _ (fun a => a <= p t))].
Qed.

Theorem intervalCE_le_ECE x p S : intervalCE x p S <= ECE x p S.
Proof.
apply: intervalCE_le => [|s t _ _]; first exact: ECE_ge0.
exact: (part_le_ECE _ _ _ (fun a => p s <= a <= p t)).
Qed.

(* ... and those who look at signs. *)
Theorem signCE_le_ECE x p S : predictions p -> signCE x p S <= ECE x p S.
Proof.
move=> p01; apply: sup_le (signCEP x S p01) _ => _ [a _ ->].
rewrite (eq_bigr (fun t => Num.sg (a - p t) * residual x p t)) => [|t _]; last exact: mulrC.
apply: (weighed_le_ECE _ _ _ (f := fun b => Num.sg (a - b))) => b.
by rewrite normr_sg lern1 leq_b1.
Qed.

(* The bias at a value is at most twice stepCE, ... *)
Lemma bias_at_le_2stepCE x p S a : `|bias_at x p S a| <= 2%:R * stepCE x p S.
Proof. by rewrite bias_at_upto -between_upto // between_le_2stepCE. Qed.

(* ... and at the smallest value at most stepCE. *)
Lemma bias_at_first x p S a : (forall t, t \in S -> a <= p t) ->
  `|bias_at x p S a| <= stepCE x p S.
Proof. by move=> first; rewrite bias_at_upto below_first // subr0 upto_le_stepCE. Qed.

(* So m predicted values make ECE at most 2m - 1 times stepCE. *)
Theorem ECE_le_stepCE x p S : ECE x p S <= (2 * size (values p S) - 1)%:R * stepCE x p S.
Proof.
have [S0|[t0 t0S]] := set_0Vmem S.
  rewrite /ECE big1_seq ?mulr_ge0 ?ler0n ?stepCE_ge0 // => a /andP[_ /valuesP[t]].
  by rewrite S0 inE.
have [t tS tmin] := argmin p t0S; have tv := mem_values p tS.
rewrite /ECE (big_rem (p t) tv) /=.
have -> : (2 * size (values p S) - 1 = 1 + (size (values p S)).-1 * 2)%N.
  by case: (values p S) tv => //= a s _; rewrite mulnS mulnC add2n subn1.
rewrite natrD mulrDl mul1r; apply: ler_add; first exact: bias_at_first.
apply: le_trans (ler_sum _ (fun a _ => bias_at_le_2stepCE x p S a)) _.
rewrite big_const_seq count_predT size_rem // iter_addr_0 -[X in X <= _]mulr_natl.
by rewrite mulrA -natrM.
Qed.

(* No round counts for more than 1. *)
Theorem ECE_le_card x p S : predictions p -> ECE x p S <= #|S|%:R.
Proof.
move=> p01; rewrite -sum1_card natr_sum -(sum_every (P := predT)) //.
rewrite (sum_by_value p S predT); apply: ler_sum => a _.
apply: le_trans (ler_norm_sum _ _ _) (ler_sum _ _) => t _; exact: residual_le1.
Qed.

(* So none of these measures exceeds the number of rounds. *)
Theorem stepCE_le_card x p S : predictions p -> stepCE x p S <= #|S|%:R.
Proof. by move=> p01; apply: le_trans (stepCE_le_ECE x p S) (ECE_le_card x S p01). Qed.

Theorem intervalCE_le_card x p S : predictions p -> intervalCE x p S <= #|S|%:R.
Proof. by move=> p01; apply: le_trans (intervalCE_le_ECE x p S) (ECE_le_card x S p01). Qed.

Theorem signCE_le_card x p S : predictions p -> signCE x p S <= #|S|%:R.
Proof. by move=> p01; apply: le_trans (signCE_le_ECE x S p01) (ECE_le_card x S p01). Qed.

(* Perfectly calibrated predictions have no prefix sums, ... *)
Lemma stepCE_calibrated x p S : calibrated x p S -> stepCE x p S = 0.
Proof.
by move=> /calibrated_ECE cal; apply/eqP; rewrite eq_le stepCE_ge0 -cal stepCE_le_ECE.
Qed.

(* ... no sums in intervals, ... *)
Lemma intervalCE_calibrated x p S : calibrated x p S -> intervalCE x p S = 0.
Proof.
move=> cal; apply/eqP; rewrite eq_le intervalCE_ge0 andbT.
by have := intervalCE_le_2stepCE x p S; rewrite stepCE_calibrated // mulr0.
Qed.

(* ... and no signed sums. *)
Lemma signCE_calibrated x p S : predictions p -> calibrated x p S -> signCE x p S = 0.
Proof.
move=> p01 cal; apply/eqP; rewrite eq_le signCE_ge0 andbT.
by have := signCE_le_3stepCE x S p01; rewrite stepCE_calibrated // mulr0.
Qed.

(* One round: it is at most stepCE, *)
Lemma ECE_single x p S : #|S| = 1%N -> ECE x p S <= stepCE x p S.
Proof.
move/eqP/cards1P => [t ->]; have := ECE_le_stepCE x p [set t].
by rewrite /values /image_mem enum_set1 /= mul1r.
Qed.

(* and so are signed sums. *)
Lemma signCE_single x p S : predictions p -> #|S| = 1%N -> signCE x p S = stepCE x p S.
Proof.
move=> p01 one; apply/eqP; rewrite eq_le stepCE_le_signCE // andbT.
exact: le_trans (signCE_le_ECE x S p01) (ECE_single x p one).
Qed.

(* For no proper rule is there a regret (L327): at every value that is predicted, it is the best
   prediction of as many ones. *)
Lemma no_regret_at (l : rule R) x p S a b : 0 <= a <= 1 -> 0 <= b <= 1 -> proper l ->
  \sum_(t in S | p t == a) residual x p t = 0 ->
  0 <= \sum_(t in S | p t == a) (l (x t) b - l (x t) (p t)).
Proof.
move=> a01 b01 lP cal; have best := lP a b a01 b01.
rewrite (eq_bigr (fun t => (expected_loss l a b - expected_loss l a a) +
    residual x p t * ((l true b - l true a) - (l false b - l false a)))); last first.
  move=> t /andP[_ /eqP ta]; rewrite /residual ta /expected_loss.
  by case: (x t); rewrite /=; ring.
rewrite big_split /= -mulr_suml cal mul0r addr0; apply: sumr_ge0 => t _.
by rewrite subr_ge0.
Qed.

Theorem no_regret (l : rule R) x p S b : predictions p -> calibrated x p S -> proper l ->
  0 <= b <= 1 -> loss l x p S <= loss l x (fun=> b) S.
Proof.
move=> p01 cal lP b01; rewrite -subr_ge0 /loss -sumrB -(sum_every (P := fun t => predT (p t))) //.
rewrite (sum_by_value p S predT); apply: sumr_ge0 => a _.
case: (pickP (fun t => (t \in S) && (p t == a))) => [t /andP[_ /eqP ta]|none].
  by apply: no_regret_at => //; rewrite -ta.
by rewrite big_pred0.
Qed.
End ECE.
