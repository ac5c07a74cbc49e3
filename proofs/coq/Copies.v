(* A sequence of T rounds, n times over: stepCE, UCal and what a function sees grow n times, but
   stepCE_sub exceeds half of stepCE by a root of n at most. So constants that are approached, and
   not reached, are the best (Tight.v). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Subsampled Hull Smooth Witnesses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Copies.
Variables (R : realFieldType) (k n : nat) (x : 'I_k.+1 -> bool) (p : 'I_k.+1 -> R).

(* Which round of the sequence round t is a copy of. *)
Definition original (t : 'I_(n * k.+1)) : 'I_k.+1 := inord (t %% k.+1).
Definition copies_x t := x (original t).
Definition copies_p t := p (original t).

(* The predictions are probabilities. *)
Lemma copies01 : predictions p -> predictions copies_p.
Proof. by move=> p01 t; exact: p01. Qed.

(* A sum over all copies. *)
Lemma copies_sum (F : 'I_k.+1 -> R) :
  \sum_(t in setT) F (original t) = n%:R * \sum_(t in setT) F t.
Proof.
pose G (t : nat) := F (inord (t %% k.+1)).
have -> : \sum_(t in setT) F (original t) = \sum_(0 <= t < n * k.+1) G t.
  by rewrite big_mkord; apply: eq_bigl => t; rewrite inE.
have -> : \sum_(t in setT) F t = \sum_(0 <= t < k.+1) G t.
  rewrite big_mkord (eq_bigl predT) => [|t]; last by rewrite inE.
  by apply: eq_bigr => t _; rewrite /G modn_small ?inord_val // ltn_ord.
elim: n => [|m IH]; first by rewrite mul0n mul0r big_geq.
rewrite mulSnr (big_cat_nat _ _ _ (leq0n _) (leq_addr _ _)) /= IH.
rewrite -{1}[(m * k.+1)%N]add0n big_addn addKn mulrSr mulrDl mul1r.
by congr (_ + _); apply: eq_big_nat => t _; rewrite /G addnC modnMDl.
Qed.

(* So the prefix sums are n times those of the sequence, *)
Lemma copies_upto a : upto copies_x copies_p setT a = n%:R * upto x p setT a.
Proof.
rewrite /upto [in LHS]big_mkcondr [in RHS]big_mkcondr.
exact: (copies_sum (fun t => if p t <= a then residual x p t else 0)).
Qed.

(* and stepCE is n times that of the sequence. *)
Lemma copies_stepCE : stepCE copies_x copies_p setT = n%:R * stepCE x p setT.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  apply: bigmax_le => [|t _]; first by rewrite mulr_ge0 ?ler0n ?stepCE_ge0.
  by rewrite copies_upto normrM ger0_norm ?ler0n // ler_wpmul2l ?ler0n ?upto_le_stepCE.
have [none|[t _ some]] := bigmax_attained (mem setT) (fun t => `|upto x p setT (p t)|).
  by rewrite /stepCE none mulr0 stepCE_ge0.
rewrite [X in _ * X]some -{1}(@ger0_norm _ n%:R) ?ler0n // -normrM -copies_upto.
exact: upto_le_stepCE.
Qed.

(* The pieces of g too are n times those of the sequence, *)
Lemma copies_high a : high copies_x copies_p setT a = n%:R * high x p setT a.
Proof.
rewrite !highE [in LHS]big_mkcondr [in RHS]big_mkcondr.
exact: (copies_sum (fun t => if a <= p t then a - (x t)%:R else 0)).
Qed.

(* and so is what a function sees. *)
Lemma copies_smCE f : predictions p -> lipschitz f -> within f ->
  n%:R * (\sum_(t in setT) f (p t) * residual x p t) <= smCE copies_x copies_p setT.
Proof.
move=> p01 lip bnd; rewrite -(copies_sum (fun t => f (p t) * residual x p t)).
exact: smCE_witness (copies01 p01) lip bnd.
Qed.
End Copies.

(* What grows n times outgrows what grows as the root of n. *)
Section Outgrows.
Variable R : rcfType.
Hypothesis archimedes : Num.archimedean_axiom R.
Implicit Types a b c d : R.

Lemma linear_outgrows_root a b :
  (forall n, a * n.+1%:R <= b * Num.sqrt n.+1%:R) -> a <= 0.
Proof.
move=> le_root; rewrite leNgt; apply/negP => a0.
have [n] := archimedes ((b / a) ^+ 2); rewrite ger0_norm ?sqr_ge0 // => small.
have root0 : 0 < Num.sqrt n.+1%:R :> R by rewrite sqrtr_gt0 ltr0n.
have := le_root n; rewrite -{1}[n.+1%:R]sqr_sqrtr ?ler0n // expr2 mulrA ler_pmul2r //.
rewrite mulrC -ler_pdivl_mulr // => root_le; have := le_trans (ltW root0) root_le => ba0.
suff : n.+1%:R <= (b / a) ^+ 2 by rewrite leNgt (lt_trans small) // ltr_nat.
by rewrite -[n.+1%:R]sqr_sqrtr ?ler0n // ler_sqr // nnegrE ltW.
Qed.

(* So what grows with half of n and a root of n is of no more use to c than half of n. *)
Lemma half_outgrows_root a c d :
  (forall n, a * n.+1%:R <= c * (n.+1%:R / 2%:R + Num.sqrt (n.+1%:R * d))) -> 2%:R * a <= c.
Proof.
move=> le_c; have : a - c / 2%:R <= 0.
  apply: (@linear_outgrows_root _ (c * Num.sqrt d)) => n.
  rewrite -mulrA [Num.sqrt d * _]mulrC -sqrtrM ?ler0n // mulrBl ler_subl_addl.
  by apply: le_trans (le_c n) _; rewrite mulrDr mulrA [c * _ / _]mulrAC.
by rewrite subr_le0 ler_pdivl_mulr ?ltr0n // mulrC.
Qed.
End Outgrows.

(* What is left of the copies of a sequence with stepCE = 1 by subsampling. *)
Lemma copies_stepCE_sub (R : rcfType) k n (x : 'I_k.+1 -> bool) (p : 'I_k.+1 -> R) :
  predictions p -> is_stepCE x p setT 1 ->
  @stepCE_sub R (n * k.+1) (copies_x x) (copies_p p) <=
  n%:R / 2%:R + Num.sqrt (n%:R * (k.+1%:R / 2%:R)).
Proof.
move=> p01 one; have step1 := sup_unique (stepCEP x setT p01) one.
apply: le_trans (sub_le_half_rootT _ (@copies01 _ _ n _ p01)) _.
rewrite natrM -mulrA ler_add2r ler_pmul2r ?invr_gt0 ?ltr0n //.
by rewrite copies_stepCE step1 mulr1.
Qed.

(* Copies of a one, predicted 0, and four zeros, predicted 1/2: UCal is at least 8
   for each. *)
Lemma copies_four_UCal (R : realFieldType) n :
  8%:R * n.+1%:R <= @UCal R (n.+1 * 5) (copies_x (@pair_x 2)) (copies_p (@pair_p R 2)) setT.
Proof.
have h2 : pair_h R 2 = 1 / 2%:R by rewrite /pair_h; field.
have : copies_p (@pair_p R 2) (Ordinal (isT : (1 < n.+1 * 5)%N)) = 1 / 2%:R.
  by rewrite -h2 /copies_p /pair_p -val_eqE /= inordK.
move/(high_half_UCal (copies_x (@pair_x 2))); apply: le_trans.
by rewrite copies_high -h2 pair_high; apply: le_of_eq; ring.
Qed.

(* Copies of a one, predicted 0, and two zeros, predicted 1: the function -a sees 2 of each, and
   half of that after subsampling. *)
Lemma copies_two_SSCE (R : realFieldType) n :
  n%:R <= @SSCE R (n * 3) (copies_x (@pair_x 0)) (copies_p (@pair_p R 0)).
Proof.
rewrite -(ler_pmul2l (ltr0Sn R 1)); apply: le_trans (smCE_le_2SSCE _ (copies01 (@pair01 R 0))).
rewrite mulrC -(two_seen R).
exact: copies_smCE (@pair01 R 0) (@opp_lipschitz R) (@opp_within R).
Qed.
