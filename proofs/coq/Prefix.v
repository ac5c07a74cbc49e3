(* Prefix sums of the rounds in the order of their predictions, without sorting them: at every
   threshold, the rounds predicted up to it are those predicted up to some prediction. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions Bounds Formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Prefix.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b : R).

(* The largest prediction up to a threshold, below one, and the smallest from one on, above one. *)
Lemma last_upto p S a : (forall t, t \in S -> ~~ (p t <= a)) \/
  exists t, [/\ t \in S, p t <= a & forall u, u \in S -> (p u <= a) = (p u <= p t)].
Proof.
case: (pickP [pred t in S | p t <= a]) => [t0 t0P|none]; last first.
  by left=> t tS; have := none t; rewrite /= tS => /= ->.
have [t /andP[tS ta] tmax] := argmax p t0P; right; exists t; split=> // u uS.
by apply/idP/idP => [ua|ut]; [apply: tmax; rewrite inE uS|exact: le_trans ut ta].
Qed.

Lemma last_below p S a : (forall t, t \in S -> ~~ (p t < a)) \/
  exists t, [/\ t \in S, p t < a & forall u, u \in S -> (p u < a) = (p u <= p t)].
Proof.
case: (pickP [pred t in S | p t < a]) => [t0 t0P|none]; last first.
  by left=> t tS; have := none t; rewrite /= tS => /= ->.
have [t /andP[tS ta] tmax] := argmax p t0P; right; exists t; split=> // u uS.
by apply/idP/idP => [ua|ut]; [apply: tmax; rewrite inE uS|exact: le_lt_trans ut ta].
Qed.

Lemma first_from p S a : (forall t, t \in S -> ~~ (a <= p t)) \/
  exists t, [/\ t \in S, a <= p t & forall u, u \in S -> (a <= p u) = (p t <= p u)].
Proof.
case: (pickP [pred t in S | a <= p t]) => [t0 t0P|none]; last first.
  by left=> t tS; have := none t; rewrite /= tS => /= ->.
have [t /andP[tS ta] tmin] := argmin p t0P; right; exists t; split=> // u uS.
by apply/idP/idP => [ua|ut]; [apply: tmin; rewrite inE uS|exact: le_trans ta ut].
Qed.

Lemma first_above p S a : (forall t, t \in S -> ~~ (a < p t)) \/
  exists t, [/\ t \in S, a < p t & forall u, u \in S -> (a < p u) = (p t <= p u)].
Proof.
case: (pickP [pred t in S | a < p t]) => [t0 t0P|none]; last first.
  by left=> t tS; have := none t; rewrite /= tS => /= ->.
have [t /andP[tS ta] tmin] := argmin p t0P; right; exists t; split=> // u uS.
by apply/idP/idP => [ua|ut]; [apply: tmin; rewrite inE uS|exact: lt_le_trans ta ut].
Qed.

(* Sums over rounds of S depend on the condition within S only. *)
Lemma sum_in S (P Q : pred 'I_T) (f : 'I_T -> R) : (forall t, t \in S -> P t = Q t) ->
  \sum_(t in S | P t) f t = \sum_(t in S | Q t) f t.
Proof. by move=> PQ; apply: eq_bigl => t; case tS: (t \in S) => //=; exact: PQ. Qed.

Lemma sum_none S (P : pred 'I_T) (f : 'I_T -> R) : (forall t, t \in S -> ~~ P t) ->
  \sum_(t in S | P t) f t = 0.
Proof. by move=> none; rewrite big_pred0 // => t; case tS: (t \in S) => //=; exact/negbTE/none. Qed.

Lemma sum_every S (P : pred 'I_T) (f : 'I_T -> R) : (forall t, t \in S -> P t) ->
  \sum_(t in S | P t) f t = \sum_(t in S) f t.
Proof. by move=> every; apply: eq_bigl => t; case tS: (t \in S) => //=; exact: every. Qed.

Lemma sum_split S (P : pred 'I_T) (f : 'I_T -> R) :
  \sum_(t in S) f t = \sum_(t in S | P t) f t + \sum_(t in S | ~~ P t) f t.
Proof. exact: bigID. Qed.

(* No round counts for more than 1. *)
Lemma residual_le1 x p t : predictions p -> `|residual x p t| <= 1.
Proof.
move=> /(_ t) /andP[p0 p1]; rewrite /residual; case: (x t); last by rewrite sub0r normrN ger0_norm.
by rewrite ger0_norm ?subr_ge0 // ler_subl_addr ler_addl.
Qed.

Lemma stepCE_ge0 x p S : 0 <= stepCE x p S.
Proof. exact: bigmax_ge0. Qed.

(* Prefix sums, up to a threshold, below one, of all rounds, are at most stepCE. *)
Lemma upto_le_stepCE x p S a : `|upto x p S a| <= stepCE x p S.
Proof.
have [none|[t [tS _ same]]] := last_upto p S a.
  by rewrite /upto sum_none // normr0 stepCE_ge0.
by rewrite /upto (sum_in _ same); apply: (@bigmax_ge _ _ _ (fun t => `|upto x p S (p t)|)).
Qed.

Lemma below_le_stepCE x p S a : `|below x p S a| <= stepCE x p S.
Proof.
have [none|[t [_ _ same]]] := last_below p S a.
  by rewrite /below sum_none // normr0 stepCE_ge0.
by rewrite /below (sum_in _ same); exact: upto_le_stepCE.
Qed.

Lemma bias_upto x p S a : (forall t, t \in S -> p t <= a) -> bias x p S = upto x p S a.
Proof. by move=> every; rewrite /upto sum_every. Qed.

Lemma bias_le_stepCE x p S : `|bias x p S| <= stepCE x p S.
Proof.
have [->|[t0 t0S]] := set_0Vmem S; first by rewrite /bias big_set0 normr0 stepCE_ge0.
by have [t tS tmax] := argmax p t0S; rewrite (bias_upto _ tmax) upto_le_stepCE.
Qed.

(* The rounds above a threshold, and from one on. *)
Lemma above_upto x p S a : \sum_(t in S | a < p t) residual x p t = bias x p S - upto x p S a.
Proof.
have -> : bias x p S = upto x p S a + \sum_(t in S | ~~ (p t <= a)) residual x p t.
  exact: sum_split.
by rewrite addrC addKr; apply: eq_bigl => t; rewrite -ltNge.
Qed.

Lemma from_below x p S a : \sum_(t in S | a <= p t) residual x p t = bias x p S - below x p S a.
Proof.
have -> : bias x p S = below x p S a + \sum_(t in S | ~~ (p t < a)) residual x p t.
  exact: sum_split.
by rewrite addrC addKr; apply: eq_bigl => t; rewrite -leNgt.
Qed.

(* The value depends on the values in S only. *)
Lemma stepCE_attained x p S : stepCE x p S = 0 \/
  exists2 t, t \in S & stepCE x p S = `|upto x p S (p t)|.
Proof. exact: bigmax_attained. Qed.

(* It is reached at some threshold in [0,1], ... *)
Lemma stepCE_reached x p S : predictions p ->
  exists2 a, 0 <= a <= 1 & stepCE x p S = `|upto x p S a|.
Proof.
move=> p01; have [zero|[t tS ->]] := stepCE_attained x p S; last by exists (p t).
exists 0; first by rewrite lexx ler01.
by apply/eqP; rewrite eq_le upto_le_stepCE zero normr_ge0.
Qed.

(* ... and so it is the supremum over the thresholds in [0,1]. *)
Lemma stepCEP x p S : predictions p -> is_stepCE x p S (stepCE x p S).
Proof.
move=> p01; split=> [_ [a _ ->]|u ub]; first exact: upto_le_stepCE.
by have [a a01 ->] := stepCE_reached x S p01; apply: ub; exists a.
Qed.

Lemma stepCE_threshold x p S s : predictions p -> is_stepCE x p S s ->
  exists2 a, 0 <= a <= 1 & s = `|upto x p S a|.
Proof. by move=> p01 sP; rewrite (sup_unique sP (stepCEP x S p01)); exact: stepCE_reached. Qed.
End Prefix.
