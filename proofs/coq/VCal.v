(* V-calibration and stepCE: the two cases of the paper's proof that stepCE is decision-theoretic
   (L1020-1056), at every threshold, and what they bound in every one-sided limit as well. So VCal
   is at most 4 stepCE. Then the range of VCal, its value at calibrated and at constant predictions,
   and the existence, range and bound of its mean over all sets of rounds (L736). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions Bounds Formulas Prefix Rules Step ECE.
From Truecal Require Import Probability Subsampled Hull Regret.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cases.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b c v w : R).

(* A-chain (L1013-1018): the supremum of g is half of VCal. (UCal, which is at most twice VCal, is
   the subject of another file.) *)
Theorem A_chain x p S v w : predictions p -> is_VCal x p S v -> is_sup_g x p S w -> w = v / 2%:R.
Proof. by move=> p01 vP /(altform p01 vP) ->; rewrite mulrC mulKf // pnatr_eq0. Qed.

(* Case 1 (L1026-1035). Below a prediction is replaced by a, which is larger. *)
Lemma lower_le_below x p S a : lower x p S a <= below x p S a.
Proof.
by rewrite lowerE; apply: ler_sum => t /andP[_ ta]; rewrite ler_add2l ler_opp2 ltW.
Qed.

(* The same in the limit from above. *)
Lemma low_le_upto x p S a : low x p S a <= upto x p S a.
Proof. by rewrite lowE; apply: ler_sum => t /andP[_ ta]; rewrite ler_add2l ler_opp2. Qed.

(* There is room for b below a. *)
Lemma case1_room p S a : 0 < a ->
  exists2 b, 0 <= b < a & forall t, t \in S -> ~~ (b < p t < a).
Proof.
move=> a0; have [b [b0 ba same]] := gap_below p S a0.
exists b; rewrite ?(ltW b0) // => t /same[le_b _].
by rewrite -le_b ltNge andNb.
Qed.

(* The chain: if there is no prediction between b and a, then the prefix sum at b is that below a,
   which is at least X_< - a N_<. (At 0 both are 0: lower_at0.) *)
Theorem case1 x p S a b : b < a -> (forall t, t \in S -> ~~ (b < p t < a)) ->
  [/\ upto x p S b <= stepCE x p S, upto x p S b = below x p S a &
      lower x p S a <= below x p S a].
Proof.
move=> ba room; split; last exact: lower_le_below.
  exact: le_trans (ler_norm _) (upto_le_stepCE x p S b).
apply: sum_in => t /room; rewrite negb_and -leNgt.
by case: (leP (p t) b) => [tb _|_ /negbTE->]; rewrite ?(le_lt_trans tb ba).
Qed.

(* So at every threshold, and in every limit, X_< - a N_< is at most stepCE. *)
Corollary lower_le_stepCE x p S a : lower x p S a <= stepCE x p S.
Proof.
exact: le_trans (lower_le_below x p S a) (le_trans (ler_norm _) (below_le_stepCE x p S a)).
Qed.

Corollary low_le_stepCE x p S a : low x p S a <= stepCE x p S.
Proof.
exact: le_trans (low_le_upto x p S a) (le_trans (ler_norm _) (upto_le_stepCE x p S a)).
Qed.

(* Case 2. Minus the bias above a is at least a N_> - X_> (case2-ineq, L1037-1043). *)
Theorem case2_ineq x p S a : upper x p S a <= \sum_(t in S | a < p t) (p t - (x t)%:R).
Proof. by rewrite upperE; apply: ler_sum => t /andP[_ /ltW at_]; rewrite ler_add2r. Qed.

(* The same in the limit from below. *)
Theorem case2_limit x p S a : high x p S a <= \sum_(t in S | a <= p t) (p t - (x t)%:R).
Proof. by rewrite highE; apply: ler_sum => t /andP[_ at_]; rewrite ler_add2r. Qed.

(* It is the difference of two prefix sums: of the rounds up to a, and of all of them (L1044). *)
Lemma bias_above x p S a :
  \sum_(t in S | a < p t) (p t - (x t)%:R) = upto x p S a - bias x p S.
Proof. by rewrite -opprB -above_upto -sumrN; apply: eq_bigr => t _; rewrite opprB. Qed.

Lemma bias_from x p S a :
  \sum_(t in S | a <= p t) (p t - (x t)%:R) = below x p S a - bias x p S.
Proof. by rewrite -opprB -from_below -sumrN; apply: eq_bigr => t _; rewrite opprB. Qed.

(* One of two numbers is at least half of their difference, in absolute value. *)
Lemma half_diff b c v : v <= b - c -> v / 2%:R <= Num.max `|c| `|b|.
Proof.
move=> vbc; rewrite ler_pdivr_mulr ?ltr0n // mulr_natr mulr2n.
apply: le_trans vbc (le_trans (ler_norm _) (le_trans (ler_norm_sub _ _) _)).
by apply: ler_add; rewrite le_maxr lexx ?orbT.
Qed.

(* case2-half (L1050-1056): one of the two is at least half of it, and both are at most stepCE. *)
Theorem case2_half x p S a : predictions p ->
  (upper x p S a) / 2%:R <= Num.max `|upto x p S 1| `|upto x p S a| <= stepCE x p S.
Proof.
move=> p01; rewrite le_maxl !upto_le_stepCE /= andbT.
apply: half_diff; apply: le_trans (case2_ineq x p S a) _; rewrite bias_above.
by rewrite (@bias_upto _ _ x p S 1) // => t _; case/andP: (p01 t).
Qed.

(* So at every threshold, and in every limit, a N_> - X_> is at most twice stepCE. *)
Theorem case2 x p S a : upper x p S a <= 2%:R * stepCE x p S.
Proof.
apply: le_trans (case2_ineq x p S a) _; rewrite bias_above mulr_natl mulr2n.
apply: le_trans (ler_norm _) (le_trans (ler_norm_sub _ _) _).
by rewrite ler_add ?upto_le_stepCE ?bias_le_stepCE.
Qed.

Corollary high_le_2stepCE x p S a : high x p S a <= 2%:R * stepCE x p S.
Proof.
apply: le_trans (case2_limit x p S a) _; rewrite bias_from mulr_natl mulr2n.
apply: le_trans (ler_norm _) (le_trans (ler_norm_sub _ _) _).
by rewrite ler_add ?below_le_stepCE ?bias_le_stepCE.
Qed.

(* Both cases together: g and its closure are at most twice stepCE, *)
Theorem gbar_le_2stepCE x p S a : gbar x p S a <= 2%:R * stepCE x p S.
Proof.
have double : stepCE x p S <= 2%:R * stepCE x p S.
  by rewrite mulr_natl mulr2n ler_addl stepCE_ge0.
rewrite gbar_le case2 high_le_2stepCE andbT /=.
by rewrite (le_trans (lower_le_stepCE x p S a)) ?(le_trans (low_le_stepCE x p S a)).
Qed.

(* and VCal is at most four times stepCE (VCal-bound, L1018-1056). *)
Theorem VCal_le_4stepCE x p S : VCal x p S <= 4%:R * stepCE x p S.
Proof.
have -> : 4%:R = 2%:R * 2%:R :> R by rewrite -natrM.
rewrite -mulrA mulrC -ler_pdivr_mulr ?ltr0n //.
by apply: half_VCal_le => [|t _]; [rewrite mulr_ge0 ?ler0n ?stepCE_ge0|exact: gbar_le_2stepCE].
Qed.
End Cases.

(* Values and ranges. *)
Section Values.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a c : R).

(* Each limit is at most the number of rounds. *)
Lemma low_le_card x p S a : 0 <= a -> low x p S a <= #|S|%:R.
Proof.
move=> a0; rewrite lowE count_rounds big_mkcondr; apply: ler_sum => t _ /=.
case: ifP => _; last exact: ler01.
by rewrite ler_subl_addr (le_trans (_ : _ <= 1)) ?lern1 ?leq_b1 // ler_addl.
Qed.

Lemma high_le_card x p S a : a <= 1 -> high x p S a <= #|S|%:R.
Proof. by move=> a1; rewrite -[a](subKr 1) -low_flip low_le_card // subr_ge0. Qed.

Theorem VCal_le_2card x p S : predictions p -> VCal x p S <= 2%:R * #|S|%:R.
Proof.
move=> p01; rewrite [X in _ <= X]mulrC -ler_pdivr_mulr ?ltr0n // half_VCal.
apply: bigmax_le => [|t _]; first exact: ler0n.
by have /andP[t0 t1] := p01 t; rewrite le_maxl low_le_card ?high_le_card.
Qed.

(* Perfectly calibrated predictions have no regret. *)
Theorem VCal_calibrated x p S : calibrated x p S -> VCal x p S = 0.
Proof.
move=> cal; apply/eqP; rewrite eq_le VCal_ge0 andbT.
by apply: le_trans (VCal_le_4stepCE x p S) _; rewrite stepCE_calibrated // mulr0.
Qed.

(* Predictions that are all the same: VCal is twice, and stepCE once, the absolute bias. *)
Lemma upto_constant x p S c t : (forall u, u \in S -> p u = c) -> t \in S ->
  upto x p S (p t) = bias x p S.
Proof. by move=> same tS; rewrite -bias_upto // => u uS; rewrite !same. Qed.

Theorem stepCE_constant x p S c : (forall t, t \in S -> p t = c) -> stepCE x p S = `|bias x p S|.
Proof.
move=> same; apply/eqP; rewrite eq_le bias_le_stepCE andbT; apply: bigmax_le => [|t tS] //.
by rewrite (upto_constant _ same).
Qed.

Theorem VCal_constant x p S c : (forall t, t \in S -> p t = c) ->
  VCal x p S = 2%:R * `|bias x p S|.
Proof.
move=> same; rewrite -(stepCE_constant _ same); congr (_ * _); apply: eq_bigr => t tS.
have lowP : low x p S (p t) = upto x p S (p t).
  by rewrite lowE; apply: eq_bigr => u /andP[uS _]; rewrite /residual !same.
rewrite lowP -maxrN; congr (Num.max _ _); rewrite (upto_constant x same tS) highE -sumrN.
rewrite sum_every => [|u uS]; last by rewrite !same.
by apply: eq_bigr => u uS; rewrite opprB !same.
Qed.

(* One round: VCal is twice stepCE (VCal-bound, T = 1). *)
Corollary VCal_single x p S : #|S| = 1%N -> VCal x p S = 2%:R * stepCE x p S.
Proof.
move/eqP/cards1P => [t ->]; have same u : u \in [set t] -> p u = p t by move=> /set1P ->.
by rewrite (VCal_constant x same) (stepCE_constant x same).
Qed.
End Values.

(* The mean over all sets of rounds. *)
Section Sub.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (v : R).

Theorem VCal_subP x p : predictions p -> is_VCal_sub x p (VCal_sub x p).
Proof. by move=> p01; apply: is_meanP => S; exact: VCalP. Qed.

Theorem VCal_sub_ge0 x p : 0 <= VCal_sub x p.
Proof. by apply: mean_ge0 => S; exact: VCal_ge0. Qed.

Theorem VCal_sub_le x p : predictions p -> VCal_sub x p <= T%:R.
Proof.
move=> p01; have: VCal_sub x p <= 2%:R * mean (fun S : {set 'I_T} => #|S|%:R).
  by apply: mean_le_scale => S; exact: VCal_le_2card.
by rewrite mean_card mulrC divfK // pnatr_eq0.
Qed.

Theorem VCal_sub_le_4stepCE_sub x p : VCal_sub x p <= 4%:R * stepCE_sub x p.
Proof. by apply: mean_le_scale => S; exact: VCal_le_4stepCE. Qed.
End Sub.
