(* Least upper bounds, and the largest of finitely many values. Nothing about calibration. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sup.
Variable R : realFieldType.
Implicit Types (A B : R -> Prop) (s t v : R).

Lemma sup_ge A s v : is_sup A s -> A v -> v <= s.
Proof. by case=> ub _ /ub. Qed.

Lemma sup_le A s v : is_sup A s -> (forall u, A u -> u <= v) -> s <= v.
Proof. by case=> _ least /least. Qed.

Lemma inf_le A s v : is_inf A s -> A v -> s <= v.
Proof. by case=> lb _ /lb. Qed.

Lemma inf_ge A s v : is_inf A s -> (forall u, A u -> v <= u) -> v <= s.
Proof. by case=> _ most /most. Qed.

(* There is only one. *)
Lemma sup_unique A s t : is_sup A s -> is_sup A t -> s = t.
Proof. by move=> [us ls] [ut lt]; apply/eqP; rewrite eq_le ls ?lt. Qed.

Lemma inf_unique A s t : is_inf A s -> is_inf A t -> s = t.
Proof. by move=> [us ls] [ut lt]; apply/eqP; rewrite eq_le ls ?lt. Qed.

(* A value that bounds all of them is it. *)
Lemma sup_attained A v : A v -> (forall u, A u -> u <= v) -> is_sup A v.
Proof. by move=> Av ub; split=> // u; apply. Qed.

Lemma inf_attained A v : A v -> (forall u, A u -> v <= u) -> is_inf A v.
Proof. by move=> Av lb; split=> // u; apply. Qed.
End Sup.

Section Max.
Variables (R : realFieldType) (I : finType).
Implicit Types (P : pred I) (f : I -> R).

Lemma bigmax_ge P f i : P i -> f i <= \big[Num.max/0]_(j | P j) f j.
Proof.
move=> Pi; have: i \in index_enum I by rewrite mem_index_enum.
elim: (index_enum I) => // j s IH; rewrite inE big_cons => /orP[/eqP <-|/IH{}IH].
  by rewrite Pi le_maxr lexx.
by case: ifP => _ //; rewrite le_maxr IH orbT.
Qed.

Lemma bigmax_ge0 P f : 0 <= \big[Num.max/0]_(j | P j) f j.
Proof. by elim/big_rec: _ => // i z _ z0; rewrite le_maxr z0 orbT. Qed.

Lemma bigmax_le P f b : 0 <= b -> (forall i, P i -> f i <= b) ->
  \big[Num.max/0]_(j | P j) f j <= b.
Proof. by move=> b0 H; elim/big_rec: _ => // i z Pi zb; rewrite le_maxl H. Qed.

(* It is 0 or one of them. *)
Lemma bigmax_attained P f : \big[Num.max/0]_(j | P j) f j = 0 \/
  exists2 i, P i & \big[Num.max/0]_(j | P j) f j = f i.
Proof.
elim/big_rec: _ => [|i z Pi [->|[j Pj ->]]]; first by left.
  by case: (leP (f i) 0) => _; [left|right; exists i].
by case: (leP (f i) (f j)) => _; right; [exists j|exists i].
Qed.

(* The largest value of f among the i with P i. *)
Lemma argmax P f i0 : P i0 -> exists2 i, P i & forall j, P j -> f j <= f i.
Proof. by move=> P0; case: (@Order.TotalTheory.arg_maxP _ R _ i0 P f P0) => i; exists i. Qed.

Lemma argmin P f i0 : P i0 -> exists2 i, P i & forall j, P j -> f i <= f j.
Proof. by move=> P0; case: (@Order.TotalTheory.arg_minP _ R _ i0 P f P0) => i; exists i. Qed.
End Max.

(* The same over a list. *)
Section SeqMax.
Variables (R : realFieldType) (I : eqType).
Implicit Types (r : seq I) (P : pred I) (f : I -> R).

Lemma seqmax_ge r P f i : i \in r -> P i -> f i <= \big[Num.max/0]_(j <- r | P j) f j.
Proof.
move=> ir Pi; elim: r ir => // j s IH; rewrite inE big_cons => /orP[/eqP <-|/IH{}IH].
  by rewrite Pi le_maxr lexx.
by case: ifP => _ //; rewrite le_maxr IH orbT.
Qed.

Lemma seqmax_ge0 r P f : 0 <= \big[Num.max/0]_(j <- r | P j) f j.
Proof. by elim/big_rec: _ => // i z _ z0; rewrite le_maxr z0 orbT. Qed.

Lemma seqmax_le r P f b : 0 <= b -> (forall i, i \in r -> P i -> f i <= b) ->
  \big[Num.max/0]_(j <- r | P j) f j <= b.
Proof.
move=> b0 H; rewrite big_seq_cond; elim/big_rec: _ => // i z /andP[ir Pi] zb.
by rewrite le_maxl H.
Qed.

Lemma seqmax_attained r P f : \big[Num.max/0]_(j <- r | P j) f j = 0 \/
  exists i, [/\ i \in r, P i & \big[Num.max/0]_(j <- r | P j) f j = f i].
Proof.
rewrite big_seq_cond; elim/big_rec: _ => [|i z /andP[ir Pi] [->|[j [jr Pj ->]]]]; first by left.
  by case: (leP (f i) 0) => _; [left|right; exists i].
by case: (leP (f i) (f j)) => _; right; [exists j|exists i].
Qed.
End SeqMax.
