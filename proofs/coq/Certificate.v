(* What a certificate shows is so, whatever wrote it. A certificate is a list of rows of numbers,
   one for each goal; a row says which sum of products of facts, with positive multipliers, a
   positive multiple of the goal is. Where the facts are inequalities that hold, so does the goal
   (`certified`): for any facts, goals, rows, ordered field and values of the variables. Whether
   a row says this rightly is a computation with polynomials (`shows`), which the kernel runs.
   `truecal certify --coq` writes scripts that state what its certificates show as inequalities in
   named variables, and prove each by the tactic `certificate` below, which turns the inequalities
   into data and applies `certified`. The tactic need not be believed: the kernel compares
   what it found with what is stated. *)
From Coq Require Export BinPosDef.
From Coq Require Import ZArith Ring_theory Ring_polynom.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A polynomial as data; variables are numbered from 1. *)
Definition polynomial := PExpr Z.

(* The polynomial on the left is at most the one on the right. *)
Inductive inequality := Inequality (left right : polynomial).

(* A positive multiplier, and the facts that are multiplied, numbered from 0. *)
Inductive term := Term (multiplier : positive) (factors : seq nat).

(* This multiple of the goal is the sum of these terms. *)
Inductive row := Row (multiple : positive) (terms : seq term).
Arguments Term multiplier%positive_scope.
Arguments Row multiple%positive_scope.

(* What an inequality says to be nonnegative; that of a fact that there is not is 0. *)
Definition gap (i : inequality) : polynomial := let: Inequality a b := i in PEsub b a.
Definition gap_at (facts : seq inequality) i := gap (nth (Inequality PEO PEO) facts i).

(* The sum that a row describes. *)
Definition product facts (t : term) : polynomial := let: Term c factors := t in
  foldr (fun i => PEmul (gap_at facts i)) (PEc (Zpos c)) factors.
Definition combination facts (terms : seq term) : polynomial :=
  foldr (fun t => PEadd (product facts t)) PEO terms.

(* The normal form of a polynomial: two are the same if their normal forms are. *)
Definition normal : polynomial -> Pol Z := norm_aux Z0 (Zpos xH) Z.add Z.mul Z.sub Z.opp Z.eqb.

(* Whether a row shows a goal, and whether rows show goals one by one. *)
Definition shows facts (goal : inequality) (r : row) : bool := let: Row k terms := r in
  Peq Z.eqb (normal (PEmul (PEc (Zpos k)) (gap goal))) (normal (combination facts terms)).
Fixpoint all_shown facts (goals : seq inequality) (rows : seq row) : bool :=
  match goals, rows with
  | [::], [::] => true
  | g :: goals, r :: rows => shows facts g r && all_shown facts goals rows
  | _, _ => false
  end.

Section Soundness.
Variable R : realFieldType.
Implicit Types (v : seq R) (facts goals : seq inequality).

(* An integer as a number. *)
Definition number (z : Z) : R :=
  match z with Z0 => 0 | Zpos n => (Pos.to_nat n)%:R | Zneg n => - (Pos.to_nat n)%:R end.

(* The value of a polynomial where the variables have the values v. *)
Definition value v : polynomial -> R := PEeval 0 1 +%R *%R (fun a b => a - b) -%R number N.to_nat
  (@GRing.exp R) v.

(* An inequality holds; all of some do; all of some imply P. *)
Definition holds v (i : inequality) : Prop := let: Inequality a b := i in value v a <= value v b.
Fixpoint all_hold v goals : Prop := match goals with
  [::] => True | [:: g] => holds v g | g :: goals => holds v g /\ all_hold v goals end.
Fixpoint implied v facts (P : Prop) : Prop :=
  if facts is f :: facts then holds v f -> implied v facts P else P.

(* Numbers are a ring, as the normaliser wants to know it. *)
Lemma numbers_ring : ring_theory (0 : R) 1 +%R *%R (fun a b => a - b) -%R eq.
Proof.
split=> //=; [exact: add0r|exact: addrC|exact: addrA|exact: mul1r|exact: mulrC|exact: mulrA| |].
  exact: mulrDl.
exact: subrr.
Qed.

Lemma number_sub m n : number (Z.pos_sub m n) = (Pos.to_nat m)%:R - (Pos.to_nat n)%:R.
Proof.
rewrite Z.pos_sub_spec; case: Pos.compare_spec => [->|lt|lt] /=; first by rewrite subrr.
  by rewrite -{2}(Pos.sub_add _ _ lt) Pos2Nat.inj_add plusE natrD opprD addrCA subrr addr0.
by rewrite -{2}(Pos.sub_add _ _ lt) Pos2Nat.inj_add plusE natrD addrK.
Qed.

Lemma number_add a b : number (Z.add a b) = number a + number b.
Proof.
case: a b => [|m|m] [|n|n] //=; rewrite ?add0r ?addr0 //; try exact: number_sub.
- by rewrite Pos2Nat.inj_add plusE natrD.
- by rewrite number_sub addrC.
- by rewrite Pos2Nat.inj_add plusE natrD opprD.
Qed.

Lemma number_opp a : number (Z.opp a) = - number a.
Proof. by case: a => [|n|n] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma number_mul a b : number (Z.mul a b) = number a * number b.
Proof.
by case: a b => [|m|m] [|n|n] /=;
  rewrite ?mul0r ?mulr0 // Pos2Nat.inj_mul multE natrM ?mulrN ?mulNr ?opprK.
Qed.

Lemma number_morph : ring_morph (0 : R) 1 +%R *%R (fun a b => a - b) -%R eq
  Z0 (Zpos xH) Z.add Z.mul Z.sub Z.opp Z.eqb number.
Proof.
split=> // [a b|a b|a b|a|a b /Z.eqb_eq-> //].
- exact: number_add.
- by rewrite -Z.add_opp_r number_add number_opp.
- exact: number_mul.
- exact: number_opp.
Qed.

Lemma power_ring : power_theory (1 : R) *%R eq N.to_nat (@GRing.exp R).
Proof.
split=> a [|n] //=; elim: n => [n IH|n IH|] /=; last exact: expr1.
  by rewrite Pos2Nat.inj_xI exprS multE mul2n -addnn exprD IH.
by rewrite Pos2Nat.inj_xO multE mul2n -addnn exprD IH.
Qed.

(* Polynomials with the same normal form have the same values. *)
Lemma same_value v a b : Peq Z.eqb (normal a) (normal b) -> value v a = value v b.
Proof.
have setoid := Eqsth R.
have ext : ring_eq_ext +%R *%R -%R (@eq R) by split=> // ? ? -> // ? ? ->.
have almost := Rth_ARth setoid ext numbers_ring.
have spec := norm_aux_spec setoid ext almost number_morph power_ring v.
by move=> same; rewrite /value !spec; apply: (Peq_ok setoid ext number_morph).
Qed.

Lemma value_product v facts t : (forall i, 0 <= value v (gap_at facts i)) ->
  0 <= value v (product facts t).
Proof.
move=> nonneg; case: t => c; elim=> [|i factors IH] /=; first exact: ler0n.
exact: mulr_ge0 (nonneg i) IH.
Qed.

Lemma value_combination v facts terms : (forall i, 0 <= value v (gap_at facts i)) ->
  0 <= value v (combination facts terms).
Proof.
by move=> nonneg; elim: terms => //= t terms IH; rewrite addr_ge0 // value_product.
Qed.

Lemma holds_gap v i : holds v i <-> 0 <= value v (gap i).
Proof. by case: i => a b; rewrite /= subr_ge0. Qed.

(* A goal that a row shows holds where the facts do. *)
Theorem shown_holds v facts goal r : shows facts goal r ->
  (forall i, 0 <= value v (gap_at facts i)) -> holds v goal.
Proof.
case: r => k terms same nonneg; apply/holds_gap.
have kpos : 0 < (Pos.to_nat k)%:R :> R by rewrite ltr0n; apply/ssrnat.ltP/Pos2Nat.is_pos.
rewrite -(pmulr_rge0 _ kpos) -[_ * _]/(value v (PEmul (PEc (Zpos k)) (gap goal))).
by rewrite (same_value v same) value_combination.
Qed.

(* Goals that rows show hold together where the facts do. *)
Theorem certified v facts goals rows : all_shown facts goals rows ->
  implied v facts (all_hold v goals).
Proof.
move=> shown; suff: (forall i, 0 <= value v (gap_at facts i)) -> all_hold v goals.
  elim: facts {shown} => [|f facts IH] concl /=.
    by apply: concl => i; rewrite /gap_at nth_nil; apply/holds_gap; exact: lexx.
  by move/holds_gap=> f0; apply: IH => nonneg; apply: concl => -[|i]; [exact: f0|exact: nonneg].
move=> nonneg; elim: goals rows shown => [|g goals IH] [|r rows] //= /andP[gr shown].
have gP := shown_holds gr nonneg; have goalsP := IH _ shown.
by case: goals goalsP {IH shown}.
Qed.
End Soundness.

(* A number in a statement is a small literal, 3%:R, or is made of some. *)
Ltac literal n := let z := eval vm_compute in (Z.of_nat n) in constr:(PEc z : polynomial).

(* The data of an expression in the variables of a list. *)
Ltac polynomial_of vars e := lazymatch e with
  | @GRing.zero _ => constr:(PEO : polynomial)
  | @GRing.one _ => constr:(PEI : polynomial)
  | @GRing.natmul _ (@GRing.one _) ?n => literal n
  | @GRing.exp _ ?a ?n =>
    let a := polynomial_of vars a in let n := eval vm_compute in (N.of_nat n) in
    constr:(PEpow a n)
  | @GRing.opp _ ?a => let a := polynomial_of vars a in constr:(PEopp a)
  | @GRing.add _ ?a (@GRing.opp _ ?b) =>
    let a := polynomial_of vars a in let b := polynomial_of vars b in constr:(PEsub a b)
  | @GRing.add _ ?a ?b =>
    let a := polynomial_of vars a in let b := polynomial_of vars b in constr:(PEadd a b)
  | @GRing.mul _ ?a ?b =>
    let a := polynomial_of vars a in let b := polynomial_of vars b in constr:(PEmul a b)
  | _ => let i := place_of vars e 1%positive in constr:(PEX Z i)
  end
with place_of vars x i := lazymatch vars with
  | x :: _ => i
  | _ :: ?vars => let i := eval vm_compute in (Pos.succ i) in place_of vars x i
  end.

(* The data of inequalities: the facts that a statement supposes, and the goals after them. *)
Ltac inequality_of vars i := lazymatch i with is_true (@Order.le _ _ ?a ?b) =>
  let a := polynomial_of vars a in let b := polynomial_of vars b in constr:(Inequality a b) end.
Ltac facts_of vars P := lazymatch P with
  | ?i -> ?P =>
    let i := inequality_of vars i in let rest := facts_of vars P in constr:(i :: rest)
  | _ => constr:(@nil inequality)
  end.
Ltac goals_of vars P := lazymatch P with
  | _ -> ?P => goals_of vars P
  | ?i /\ ?P => let i := inequality_of vars i in let rest := goals_of vars P in constr:(i :: rest)
  | ?i => let i := inequality_of vars i in constr:([:: i])
  end.

(* Proves inequalities from those in the context, in variables of a list, by rows of numbers. *)
Ltac certificate vars rows :=
  repeat match goal with fact : is_true (_ <= _) |- _ => revert fact end;
  match goal with |- ?P =>
    let facts := facts_of vars P in let goals := goals_of vars P in
    let shown := eval vm_compute in (all_shown facts goals rows) in
    lazymatch shown with
    | true => exact_no_check (certified vars (isT <: is_true (all_shown facts goals rows)) : P)
    | false => fail "a row does not show its goal"
    end
  end.
