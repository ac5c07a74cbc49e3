(* Finite formulas of the measures, as functions of the rounds; those of smCE and SSCE are in
   Smooth.v, and ECE is defined as one. The files that follow prove that they are the suprema of
   Definitions.v: stepCEP, signCEP, intervalCEP, VCalP, UCalP, smCEP, and by is_meanP the means. The
   program computes the same numbers, some of them in another way: intervalCE as the largest less
   the smallest prefix sum (intervalCE_range in Step.v), UCal by one pass that keeps the hull, smCE
   by another algorithm, and means by classes of sets that keep as many rounds of each level. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Formulas.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b : R).

(* The bias of the rounds predicted at most a, and of those predicted below a. *)
Definition upto x p S a : R := \sum_(t in S | p t <= a) residual x p t.
Definition below x p S a : R := \sum_(t in S | p t < a) residual x p t.
(* The bias of all rounds. *)
Definition bias x p S : R := \sum_(t in S) residual x p t.
(* The bias of the rounds predicted in [a, b]. *)
Definition between x p S a b : R := \sum_(t in S | a <= p t <= b) residual x p t.

(* stepCE: the largest prefix sum at a prediction. *)
Definition stepCE x p S : R := \big[Num.max/0]_(t in S) `|upto x p S (p t)|.

(* intervalCE: the largest sum between two predictions. *)
Definition intervalCE x p S : R :=
  \big[Num.max/0]_(s in S) \big[Num.max/0]_(t in S) `|between x p S (p s) (p t)|.

(* signCE: the signed sum at a prediction a is upto a + below a - bias; just above it, if there is
   room in [0,1], upto a takes the place of below a; just below it, the other way round. *)
Definition signCE x p S : R := \big[Num.max/0]_(t in S) Num.max
  `|upto x p S (p t) + below x p S (p t) - bias x p S| (Num.max
    (if p t < 1 then `|2%:R * upto x p S (p t) - bias x p S| else 0)
    (if 0 < p t then `|2%:R * below x p S (p t) - bias x p S| else 0)).

(* Rounds and ones at most a, and at least a: the one-sided limits of those below and above. *)
Definition N_le p S a : R := \sum_(t in S | p t <= a) 1.
Definition N_ge p S a : R := \sum_(t in S | a <= p t) 1.
Definition X_le x p S a : R := \sum_(t in S | p t <= a) (x t)%:R.
Definition X_ge x p S a : R := \sum_(t in S | a <= p t) (x t)%:R.

(* The limits of the two pieces of g at a: from above of the first, from below of the second. *)
Definition low x p S a : R := X_le x p S a - a * N_le p S a.
Definition high x p S a : R := a * N_ge p S a - X_ge x p S a.

(* VCal: twice the largest limit of g at a prediction. *)
Definition VCal x p S : R :=
  2%:R * \big[Num.max/0]_(t in S) Num.max (low x p S (p t)) (high x p S (p t)).

(* The upper closure of g: the largest of its value and its one-sided limits. *)
Definition gbar x p S a : R := Num.max (g x p S a) (Num.max (low x p S a) (high x p S a)).

(* The height at 1/2 of the chord between the points (a, gbar a) and (b, gbar b). *)
Definition chord x p S a b : R := if a == b then gbar x p S a else
  ((2%:R * b - 1) * gbar x p S a + (1 - 2%:R * a) * gbar x p S b) / (2%:R * (b - a)).

(* UCal: four times the height of the upper hull of gbar over 1/2, that is, of the highest chord
   between two predictions or ends of [0,1] on either side of 1/2. *)
Definition corners p S : seq R := 0 :: 1 :: [seq p t | t in S].
Definition UCal x p S : R := 4%:R * \big[Num.max/0]_(ab <- allpairs pair (corners p S) (corners p S)
  | (2%:R * ab.1 <= 1) && (1 <= 2%:R * ab.2)) chord x p S ab.1 ab.2.

(* The mean of a measure over all sets of rounds. *)
Definition mean (M : {set 'I_T} -> R) : R := (\sum_S M S) / 2%:R ^+ T.
Definition stepCE_sub x p : R := mean (stepCE x p).
Definition VCal_sub x p : R := mean (VCal x p).
Definition UCal_sub x p : R := mean (UCal x p).
End Formulas.
