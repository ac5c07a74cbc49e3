(* smCE (L385), the smooth calibration error: the supremum of Definitions.v exists, is attained, and
   is the least cost of a flow: each predicted value has its bias, units of it are moved between
   neighbouring values at the price of their distance, and every unit that stays costs 1. Then
   comparisons with ECE and stepCE, and the subsampled measure SSCE (eq:ssce, L390). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions Bounds Formulas Prefix Abel Step ECE.
From Truecal Require Import Probability Subsampled SmoothDual.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A function that is admissible on finitely many levels goes on to all numbers. *)
Section Extension.
Variable R : realFieldType.
Implicit Types (a c : R) (s : seq R) (f : R -> R).

(* The least 1-Lipschitz function that is at least f on the levels, and nowhere less than -1. *)
Definition extension s f a : R := \big[Num.max/0]_(q <- s) (f q - `|a - q| + 1) - 1.

(* It is at least each of its terms and -1, ... *)
Lemma extension_ge s f a q : q \in s -> f q - `|a - q| <= extension s f a.
Proof.
by move=> qs; rewrite ler_subr_addr (seqmax_ge (fun q => f q - `|a - q| + 1) qs (P := predT)).
Qed.

Lemma extension_geN1 s f a : -1 <= extension s f a.
Proof. by rewrite ler_subr_addr addNr seqmax_ge0. Qed.

(* ... and at most what bounds all of them. *)
Lemma extension_le s f a c : -1 <= c -> (forall q, q \in s -> f q - `|a - q| <= c) ->
  extension s f a <= c.
Proof.
move=> c1 le_c; rewrite ler_subl_addr; apply: seqmax_le => [|q qs _].
  by rewrite -ler_subl_addr sub0r.
by rewrite ler_add2r le_c.
Qed.

(* It does not grow faster than the distance, ... *)
Lemma extension_step s f a c : extension s f a <= extension s f c + `|a - c|.
Proof.
apply: extension_le => [|q qs]; first by rewrite ler_paddr ?extension_geN1.
apply: le_trans (ler_add (extension_ge f c qs) (lexx _)); rewrite -addrA ler_add2l.
rewrite ler_oppl opprD opprK ler_subl_addr [X in X <= _]distrC.
apply: le_trans (ler_dist_add a _ _) _.
by rewrite [`|q - a|]distrC.
Qed.

(* ... so it is 1-Lipschitz, ... *)
Lemma extension_lipschitz s f : lipschitz (extension s f).
Proof.
move=> a c _ _; rewrite ler_norml ler_subl_addl extension_step andbT.
by rewrite ler_subr_addl ler_subl_addr distrC extension_step.
Qed.

(* ... within bounds, ... *)
Lemma extension_within s f : admissible f s -> within (extension s f).
Proof.
case=> one _ a _; rewrite extension_geN1 /=; apply: extension_le => [|q qs].
  exact: le_trans (lerN10 R) ler01.
by rewrite ler_subl_addr ler_paddr //; have := one q qs; rewrite ler_norml => /andP[].
Qed.

(* ... and f on the levels. *)
Lemma extension_level s f a : admissible f s -> a \in s -> extension s f a = f a.
Proof.
case=> one lip as_; apply/eqP; rewrite eq_le; apply/andP; split.
  apply: extension_le => [|q qs]; first by have := one a as_; rewrite ler_norml => /andP[].
  by rewrite ler_subl_addr -ler_subl_addl distrC; apply: le_trans (ler_norm _) (lip q a qs as_).
by have := extension_ge f a as_; rewrite subrr normr0 subr0.
Qed.
End Extension.

Section Smooth.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (v : R) (f phi : R -> R).

(* The predicted values, in order. *)
Definition levels p S : seq R := sort <=%R (values p S).

(* smCE: the greatest second coordinate of a corner of SmoothDual.v. *)
Definition smCE x p S : R := if levels p S is q :: qs then best (bias_at x p S) q qs else 0.

(* The cost of a flow (SmoothDual.v): phi a units of bias move from each level a but the last to the
   next, at the price of the distance, and what stays at a level costs its absolute value. *)
Definition flow_cost x p S phi : R :=
  if levels p S is q :: qs then cost (bias_at x p S) phi 0 q qs else 0.

(* They increase strictly. *)
Lemma levels_sorted p S : sorted <%R (levels p S).
Proof. by rewrite sort_lt_sorted undup_uniq. Qed.

(* What a function sees of the residuals, it sees of the biases at the levels. *)
Lemma sum_levels x p S f : \sum_(t in S) f (p t) * residual x p t =
  objective (bias_at x p S) f (levels p S).
Proof.
rewrite /objective (perm_big (values p S)) ?perm_sort // -[LHS](sum_every (P := predT)) //.
rewrite (sum_by_value p S predT); apply: eq_bigr => a _; rewrite mulr_sumr.
by apply: eq_bigr => t /andP[_ /eqP ->].
Qed.

(* The functions of the definition are admissible on the levels. *)
Lemma admissible_levels p S f : predictions p -> lipschitz f -> within f ->
  admissible f (levels p S).
Proof.
move=> p01 lip bnd.
have level a : a \in levels p S -> 0 <= a <= 1.
  by rewrite mem_sort => /valuesP[t _ ->]; exact: p01.
split=> [a /level/bnd a1|a c /level a01 /level c01]; last exact: lip.
by rewrite ler_norml.
Qed.

(* No such function sees more than smCE: a handy way to bound it from below. *)
Theorem smCE_witness x p S f : predictions p -> lipschitz f -> within f ->
  \sum_(t in S) f (p t) * residual x p t <= smCE x p S.
Proof.
move=> p01 lip bnd; have := admissible_levels S p01 lip bnd; rewrite sum_levels /smCE.
case: (levels p S) (levels_sorted p S) => [|q qs] sorted adm; last exact: best_max.
by rewrite /objective big_nil.
Qed.

(* One of them sees as much. *)
Theorem smCE_attained x p S : exists f,
  [/\ lipschitz f, within f & smCE x p S = \sum_(t in S) f (p t) * residual x p t].
Proof.
have [f adm smCE_f] : exists2 f, admissible f (levels p S) &
    smCE x p S = objective (bias_at x p S) f (levels p S).
  rewrite /smCE; case: (levels p S) (levels_sorted p S) => [_|q qs sorted].
    by exists (fun=> 0); [exact: admissible0|rewrite /objective big_nil].
  by have [f adm obj] := best_attained (bias_at x p S) sorted; exists f.
exists (extension (levels p S) f); split; [exact: extension_lipschitz|exact: extension_within|].
rewrite sum_levels smCE_f; apply: eq_big_seq => a aS.
by rewrite extension_level.
Qed.

(* smCE is the supremum of the definitions. *)
Theorem smCEP x p S : predictions p -> is_smCE x p S (smCE x p S).
Proof.
move=> p01; apply: sup_attained => [|_ [f [lip bnd ->]]]; last exact: smCE_witness.
by have [f fP] := smCE_attained x p S; exists f.
Qed.

(* Every flow costs at least smCE, ... *)
Theorem smCE_le_flow x p S phi : smCE x p S <= flow_cost x p S phi.
Proof.
rewrite /smCE /flow_cost; case: (levels p S) (levels_sorted p S) => [|q qs] sorted //.
exact: best_min.
Qed.

(* ... and one of them costs as much: ... *)
Theorem smCE_flow_attained x p S : exists phi, smCE x p S = flow_cost x p S phi.
Proof.
rewrite /smCE /flow_cost; case: (levels p S) (levels_sorted p S) => [|q qs] sorted.
  by exists (fun=> 0).
by have [phi cost_phi] := strong_duality (bias_at x p S) sorted; exists phi.
Qed.

(* ... smCE is the least cost of a flow. *)
Theorem smCE_flow x p S : is_inf (fun v => exists phi, v = flow_cost x p S phi) (smCE x p S).
Proof.
apply: inf_attained => [|_ [phi ->]]; last exact: smCE_le_flow.
by have [phi phiP] := smCE_flow_attained x p S; exists phi.
Qed.

Lemma smCE_ge0 x p S : 0 <= smCE x p S.
Proof. by rewrite /smCE; case: (levels p S) => // q qs; exact: seqmax_ge0. Qed.

(* If nothing is moved, all biases are paid. *)
Lemma flow_cost0 x p S : flow_cost x p S (fun=> 0) = ECE x p S.
Proof.
have -> : ECE x p S = \sum_(a <- levels p S) `|bias_at x p S a|.
  by rewrite (perm_big (values p S)) ?perm_sort.
rewrite /flow_cost; case: (levels p S) => [|q qs]; first by rewrite big_nil.
elim: qs q => [|q1 qs IH] q /=; first by rewrite big_seq1 addr0.
by rewrite IH [RHS]big_cons subr0 addr0 normr0 mul0r addr0.
Qed.

(* So smCE is at most ECE. *)
Theorem smCE_le_ECE x p S : smCE x p S <= ECE x p S.
Proof. by rewrite -flow_cost0 smCE_le_flow. Qed.

(* No round counts for more than 1. *)
Theorem smCE_le_card x p S : predictions p -> smCE x p S <= #|S|%:R.
Proof. by move=> p01; apply: le_trans (smCE_le_ECE x p S) (ECE_le_card x S p01). Qed.

(* Perfectly calibrated predictions have no smooth calibration error. *)
Theorem smCE_calibrated x p S : calibrated x p S -> smCE x p S = 0.
Proof.
by move=> /calibrated_ECE cal; apply/eqP; rewrite eq_le smCE_ge0 -cal smCE_le_ECE.
Qed.

(* Lipschitz functions see at most twice the prefix sums. *)
Theorem smCE_le_2stepCE x p S : predictions p -> smCE x p S <= 2%:R * stepCE x p S.
Proof.
by move=> p01; have [f [lip bnd ->]] := smCE_attained x p S; exact: smooth_le_2stepCE.
Qed.

(* Constant functions see the bias of all rounds. *)
Theorem bias_le_smCE x p S : predictions p -> `|bias x p S| <= smCE x p S.
Proof.
move=> p01; pose f := fun _ : R => Num.sg (bias x p S).
have -> : `|bias x p S| = \sum_(t in S) f (p t) * residual x p t.
  by rewrite -mulr_sumr normrEsg.
apply: smCE_witness => // [a c _ _|a _]; first by rewrite subrr normr0.
by rewrite -ler_norml normr_sg; case: (_ != 0); rewrite ?lexx ?ler01.
Qed.

(* One round. *)
Corollary smCE_single x p S : predictions p -> #|S| = 1%N -> smCE x p S = stepCE x p S.
Proof.
move=> p01 one; apply/eqP; rewrite eq_le (le_trans (smCE_le_ECE x p S) (ECE_single x p one)) /=.
move/eqP/cards1P: one => [t ->]; have same u : u \in [set t] -> p u <= p t by move=> /set1P ->.
rewrite (le_trans _ (bias_le_smCE x [set t] p01)) //; apply: bigmax_le => // u /set1P ->.
by rewrite (bias_upto x same).
Qed.

(* SSCE: the mean of smCE over all sets of rounds. *)
Definition SSCE x p : R := mean (smCE x p).

(* It is the mean of the definitions. *)
Theorem SSCEP x p : predictions p -> is_SSCE x p (SSCE x p).
Proof. by move=> p01; apply: is_meanP => S; exact: smCEP. Qed.

(* The comparison with prefix sums holds of the means. *)
Theorem SSCE_le_2stepCE_sub x p : predictions p -> SSCE x p <= 2%:R * stepCE_sub x p.
Proof. by move=> p01; apply: mean_le_scale => S; exact: smCE_le_2stepCE. Qed.

(* What a function sees in all rounds, it sees in a set or in the others. *)
Lemma smCE_split x p S : predictions p -> smCE x p setT <= smCE x p S + smCE x p (~: S).
Proof.
move=> p01; have [f [lip bnd ->]] := smCE_attained x p setT.
apply: le_trans (ler_add (smCE_witness x S p01 lip bnd) (smCE_witness x (~: S) p01 lip bnd)).
rewrite (big_mkcond (mem setT)) (big_mkcond (mem S)) (big_mkcond (mem (~: S))) -big_split.
by apply: ler_sum => t _ /=; rewrite !inE; case: (t \in S); rewrite ?addr0 ?add0r.
Qed.

(* So smCE is at most twice SSCE. *)
Theorem smCE_le_2SSCE x p : predictions p -> smCE x p setT <= 2%:R * SSCE x p.
Proof. by move=> p01; apply: half_le_mean => S; exact: smCE_split. Qed.

(* It is between 0 and half of the number of rounds. *)
Lemma SSCE_ge0 x p : 0 <= SSCE x p.
Proof. by apply: mean_ge0 => S; exact: smCE_ge0. Qed.

Theorem SSCE_le_half x p : predictions p -> SSCE x p <= T%:R / 2%:R.
Proof. by move=> p01; apply: mean_le_half => S; exact: smCE_le_card. Qed.
End Smooth.
