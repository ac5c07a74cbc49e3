(* Which constants of the theorems are best: where it is proved that a measure A is at most k
   times another one, or the number of rounds, it is proved here that if A <= c B holds for all
   sequences then k <= c, by both sides at a sequence of Witnesses.v; where k is not reached, by n
   copies of one, for every n (Copies.v). Not here: stepCE_sub, VCal_sub and UCal_sub against one
   another, bounds of the bias, bounds for one round or by the range of the predictions, and the
   factors of square roots, of which one has a lower bound, which is not the best possible (the last
   section). At the end of each section: the same inequality with its constant made smaller by 1/100
   is false. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Truecal Require Import Definitions Bounds Formulas Prefix Subsampled Smooth VCal UCal.
From Truecal Require Import Witnesses Copies.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The theorems, in the words of Definitions.v. *)
Section Best.
Variable R : realFieldType.
Implicit Types c : R.
Let w01 := one01 (unit01 R).
Let h01 := one01 (half01 R).
Let two01 := @pair01 R 0.
Let two_stepCE := @pair_stepCE R 0.

(* claim: TIGHT-sign-step *)
Theorem signCE_3stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s g, predictions p ->
  is_stepCE x p setT s -> is_signCE x p setT g -> g <= c * s) -> 3%:R <= c.
Proof. by move/(_ _ _ _ _ _ two01 two_stepCE (@pair_signCE R 0)); rewrite mulr1. Qed.

(* claim: TIGHT-step-sign *)
Theorem stepCE_signCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) g s, predictions p ->
  is_signCE x p setT g -> is_stepCE x p setT s -> s <= c * g) -> 1 <= c.
Proof. by move/(_ _ _ _ _ _ w01 (whole_signCE R) (whole_stepCE R)); rewrite mulr1. Qed.

(* claim: TIGHT-ucal-vcal *)
Theorem UCal_2VCal_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v u, predictions p ->
  is_VCal x p setT v -> is_UCal x p setT u -> u <= c * v) -> 2%:R <= c.
Proof. by move/(_ _ _ _ _ _ h01 (half_VCal1 R) (half_UCal R)); rewrite mulr1. Qed.

(* claim: TIGHT-vcal-ucal *)
Theorem VCal_UCal_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) u v, predictions p ->
  is_UCal x p setT u -> is_VCal x p setT v -> v <= c * u) -> 1 <= c.
Proof. by move/(_ _ _ _ _ _ w01 (whole_UCal R) (whole_VCal R)); rewrite ler_pmull ?ltr0n. Qed.

(* claim: TIGHT-vcal-step *)
Theorem VCal_4stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v, predictions p ->
  is_stepCE x p setT s -> is_VCal x p setT v -> v <= c * s) -> 4%:R <= c.
Proof. by move/(_ _ _ _ _ _ two01 two_stepCE (@pair_VCal R 0)); rewrite mulr1. Qed.

(* claim: TIGHT-ucal-step *)
Theorem UCal_8stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s u, predictions p ->
  is_stepCE x p setT s -> is_UCal x p setT u -> u <= c * s) -> 8%:R <= c.
Proof.
move/(_ _ _ _ _ _ (@pair01 R 2) (@pair_stepCE R 2) (UCalP _ _ (@pair01 R 2))).
by move/(le_trans (four_UCal R)); rewrite mulr1.
Qed.

(* claim: TIGHT-sub-step *)
Theorem stepCE_2stepCE_sub_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v s,
  predictions p -> is_stepCE_sub x p v -> is_stepCE x p setT s -> s <= c * v) -> 2%:R <= c.
Proof.
move/(_ _ _ _ _ _ w01 (stepCE_subP one_x w01) (whole_stepCE R)).
by rewrite whole_stepCE_sub mul1r ler_pdivl_mulr ?ltr0n // mul1r.
Qed.

Theorem smCE_2SSCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v s, predictions p ->
  is_SSCE x p v -> is_smCE x p setT s -> s <= c * v) -> 2%:R <= c.
Proof.
move/(_ _ _ _ _ _ w01 (SSCEP one_x w01) (whole_smCE R)).
have -> : SSCE one_x (one_p (1 : R)) = 1 / 2%:R.
  by apply/eqP; rewrite eq_le SSCE_le_half // whole_SSCE.
by rewrite mul1r ler_pdivl_mulr ?ltr0n // mul1r.
Qed.

(* claim: TIGHT-smce-step *)
Theorem smCE_2stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v, predictions p ->
  is_stepCE x p setT s -> is_smCE x p setT v -> v <= c * s) -> 2%:R <= c.
Proof. by move/(_ _ _ _ _ _ two01 two_stepCE (two_smCE R)); rewrite mulr1. Qed.

Theorem smCE_ECE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_smCE x p setT s -> s <= c * ECE x p setT) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_smCE R)); rewrite whole_ECE mulr1. Qed.

(* claim: TIGHT-step-ece *)
Theorem stepCE_ECE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_stepCE x p setT s -> s <= c * ECE x p setT) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_stepCE R)); rewrite whole_ECE mulr1. Qed.

(* claim: claim-union-of-intervals *)
Theorem intervalCE_2stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> is_stepCE x p setT s -> is_intervalCE x p setT v -> v <= c * s) -> 2%:R <= c.
Proof. by move/(_ _ _ _ _ _ two01 two_stepCE (@pair_intervalCE R 0)); rewrite mulr1. Qed.

(* claim: claim-union-of-intervals *)
Theorem stepCE_intervalCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v s,
  predictions p -> is_intervalCE x p setT v -> is_stepCE x p setT s -> s <= c * v) -> 1 <= c.
Proof. by move/(_ _ _ _ _ _ w01 (whole_intervalCE R) (whole_stepCE R)); rewrite mulr1. Qed.

(* claim: TIGHT-ece-step *)
Theorem ECE_stepCE_best m c : (0 < m)%N -> (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s,
  predictions p -> size (undup [seq p t | t in setT]) = m -> is_stepCE x p setT s ->
  ECE x p setT <= c * s) -> (2 * m - 1)%:R <= c.
Proof.
move=> m0 /(_ _ _ _ _ (@levels01 R m) (@levels_size R m) (levels_stepCE R m0)).
by rewrite levels_ECE // mulr1.
Qed.

(* claim: TIGHT-k-interval *)
Theorem union_stepCE_attained k : (0 < k)%N ->
  exists T (x : 'I_T -> bool) (p : 'I_T -> R) (a b : 'I_k -> R), [/\ predictions p,
    is_stepCE x p setT 1, forall i j d, a i <= d <= b i -> a j <= d <= b j -> i = j &
    `|\sum_(t in [set: 'I_T] | [exists i, a i <= p t <= b i]) residual x p t| = (2 * k)%:R].
Proof.
move=> k0; have k20 : (0 < k.*2)%N by rewrite double_gt0.
exists _, (@levels_x k.*2), (@levels_p R k.*2); do 2 eexists.
split; [exact: levels01|exact: levels_stepCE|exact: (@odd_disjoint R k)|].
by rewrite odd_union normrN ger0_norm ?ler0n.
Qed.

(* claim: TIGHT-k-interval *)
Theorem union_stepCE_best k c : (0 < k)%N ->
  (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s (a b : 'I_k -> R), predictions p ->
  is_stepCE x p setT s -> (forall i j d, a i <= d <= b i -> a j <= d <= b j -> i = j) ->
  `|\sum_(t in [set: 'I_T] | [exists i, a i <= p t <= b i]) residual x p t| <= c * s) ->
  (2 * k)%:R <= c.
Proof.
move=> k0 best; have [T [x [p [a [b [p01 sP disjoint seen]]]]]] := union_stepCE_attained k0.
by have := best _ _ _ _ _ _ p01 sP disjoint; rewrite seen mulr1.
Qed.

(* claim: def-CM-range-corrected *)
Theorem ECE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R), predictions p ->
  ECE x p setT <= c * T%:R) -> 1 <= c.
Proof. by move/(_ _ one_x _ w01); rewrite whole_ECE mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem smCE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_smCE x p setT s -> s <= c * T%:R) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_smCE R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem stepCE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_stepCE x p setT s -> s <= c * T%:R) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_stepCE R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem signCE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_signCE x p setT s -> s <= c * T%:R) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_signCE R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem intervalCE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_intervalCE x p setT s -> s <= c * T%:R) -> 1 <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_intervalCE R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected; claim: TIGHT-range *)
Theorem VCal_2T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_VCal x p setT s -> s <= c * T%:R) -> 2%:R <= c.
Proof. by move/(_ _ _ _ _ w01 (whole_VCal R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected; claim: TIGHT-range *)
Theorem UCal_2T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_UCal x p setT s -> s <= c * T%:R) -> 2%:R <= c.
Proof. by move/(_ _ _ _ _ h01 (half_UCal R)); rewrite mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem stepCE_sub_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_stepCE_sub x p s -> s <= c * T%:R) -> 1 / 2%:R <= c.
Proof. by move/(_ _ _ _ _ w01 (stepCE_subP one_x w01)); rewrite whole_stepCE_sub mulr1. Qed.

(* claim: def-CM-range-corrected *)
Theorem SSCE_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_SSCE x p s -> s <= c * T%:R) -> 1 / 2%:R <= c.
Proof.
by move/(_ _ _ _ _ w01 (SSCEP one_x w01))/(le_trans (whole_SSCE R)); rewrite mulr1.
Qed.

(* claim: def-CM-range-corrected *)
Theorem VCal_sub_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_VCal_sub x p s -> s <= c * T%:R) -> 1 <= c.
Proof.
by move/(_ _ _ _ _ w01 (VCal_subP one_x w01))/(le_trans (whole_VCal_sub R)); rewrite mulr1.
Qed.

(* claim: def-CM-range-corrected *)
Theorem UCal_sub_T_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_UCal_sub x p s -> s <= c * T%:R) -> 1 <= c.
Proof.
move/(_ _ _ _ _ w01 (is_meanP (fun S => UCalP one_x S w01))); rewrite mulr1.
exact: le_trans (whole_UCal_sub R).
Qed.

(* claim: TIGHT-c6-variance *)
Theorem squares_3stepCE_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s, predictions p ->
  is_stepCE x p setT s -> \sum_(t in [set: 'I_T]) residual x p t ^+ 2 <=
  \sum_(t in [set: 'I_T]) p t * (1 - p t) + c * s) -> 3%:R <= c.
Proof.
move/(_ _ _ _ _ two01 two_stepCE).
by rewrite two_squares two_variance add0r mulr1.
Qed.

(* claim: TIGHT-c6-variance *)
Theorem variance_quarter_best c : (forall T (p : 'I_T -> R), predictions p ->
  \sum_(t in [set: 'I_T]) p t * (1 - p t) <= c * T%:R) -> 1 / 4%:R <= c.
Proof.
move/(_ _ _ h01); rewrite one_sum mulr1 /one_p.
by have -> : 1 / 2%:R * (1 - 1 / 2%:R) = 1 / 4%:R :> R by field.
Qed.
End Best.

(* The control: the same inequalities with constants that are smaller by 1/100 are false. *)
Section Moved.
Variable R : realFieldType.
Definition tick : R := 1 / 100%:R.

(* What forces k <= c on a constant c does not hold of a smaller one. *)
Lemma moved (P : R -> Prop) k : (forall c, P c -> k <= c) -> ~ P (k - tick).
Proof. by move=> best /best; rewrite ler_subr_addl ger_addr leNgt divr_gt0 ?ltr01 ?ltr0n. Qed.

(* A measure, and that one is at most c times another one, ECE, or the number of rounds. *)
Definition measured := forall T, ('I_T -> bool) -> ('I_T -> R) -> {set 'I_T} -> R -> Prop.
Definition at_most (M N : measured) c := forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> M T x p setT s -> N T x p setT v -> v <= c * s.
Definition at_most_ECE (N : measured) c := forall T (x : 'I_T -> bool) (p : 'I_T -> R) v,
  predictions p -> N T x p setT v -> v <= c * ECE x p setT.
Definition at_most_T (N : measured) c := forall T (x : 'I_T -> bool) (p : 'I_T -> R) v,
  predictions p -> N T x p setT v -> v <= c * T%:R.
(* Subsampled measures are of all rounds. *)
Definition of_all (N : forall T, ('I_T -> bool) -> ('I_T -> R) -> R -> Prop) : measured :=
  fun T x p _ => N T x p.

Fact signCE_3stepCE_moved : ~ at_most (@is_stepCE R) (@is_signCE R) (3%:R - tick).
Proof. exact: (moved (@signCE_3stepCE_best R)). Qed.
Fact stepCE_signCE_moved : ~ at_most (@is_signCE R) (@is_stepCE R) (1 - tick).
Proof. exact: (moved (@stepCE_signCE_best R)). Qed.
Fact UCal_2VCal_moved : ~ at_most (@is_VCal R) (@is_UCal R) (2%:R - tick).
Proof. exact: (moved (@UCal_2VCal_best R)). Qed.
Fact VCal_UCal_moved : ~ at_most (@is_UCal R) (@is_VCal R) (1 - tick).
Proof. exact: (moved (@VCal_UCal_best R)). Qed.
Fact VCal_4stepCE_moved : ~ at_most (@is_stepCE R) (@is_VCal R) (4%:R - tick).
Proof. exact: (moved (@VCal_4stepCE_best R)). Qed.
Fact UCal_8stepCE_moved : ~ at_most (@is_stepCE R) (@is_UCal R) (8%:R - tick).
Proof. exact: (moved (@UCal_8stepCE_best R)). Qed.
Fact stepCE_2stepCE_sub_moved : ~ at_most (of_all (@is_stepCE_sub R)) (@is_stepCE R) (2%:R - tick).
Proof. exact: (moved (@stepCE_2stepCE_sub_best R)). Qed.
Fact smCE_2stepCE_moved : ~ at_most (@is_stepCE R) (@is_smCE R) (2%:R - tick).
Proof. exact: (moved (@smCE_2stepCE_best R)). Qed.
Fact smCE_2SSCE_moved : ~ at_most (of_all (@is_SSCE R)) (@is_smCE R) (2%:R - tick).
Proof. exact: (moved (@smCE_2SSCE_best R)). Qed.
Fact smCE_ECE_moved : ~ at_most_ECE (@is_smCE R) (1 - tick).
Proof. exact: (moved (@smCE_ECE_best R)). Qed.
Fact stepCE_ECE_moved : ~ at_most_ECE (@is_stepCE R) (1 - tick).
Proof. exact: (moved (@stepCE_ECE_best R)). Qed.
Fact intervalCE_2stepCE_moved : ~ at_most (@is_stepCE R) (@is_intervalCE R) (2%:R - tick).
Proof. exact: (moved (@intervalCE_2stepCE_best R)). Qed.
Fact stepCE_intervalCE_moved : ~ at_most (@is_intervalCE R) (@is_stepCE R) (1 - tick).
Proof. exact: (moved (@stepCE_intervalCE_best R)). Qed.
Fact ECE_stepCE_moved m : (0 < m)%N -> ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s,
  predictions p -> size (undup [seq p t | t in setT]) = m -> is_stepCE x p setT s ->
  ECE x p setT <= ((2 * m - 1)%:R - tick) * s).
Proof. by move=> m0; exact: (moved (fun c => @ECE_stepCE_best R m c m0)). Qed.
Fact union_stepCE_moved k : (0 < k)%N ->
  ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s (a b : 'I_k -> R), predictions p ->
  is_stepCE x p setT s -> (forall i j d, a i <= d <= b i -> a j <= d <= b j -> i = j) ->
  `|\sum_(t in [set: 'I_T] | [exists i, a i <= p t <= b i]) residual x p t| <=
  ((2 * k)%:R - tick) * s).
Proof. by move=> k0; exact: (moved (fun c => @union_stepCE_best R k c k0)). Qed.
Fact ECE_T_moved : ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R), predictions p ->
  ECE x p setT <= (1 - tick) * T%:R).
Proof. exact: (moved (@ECE_T_best R)). Qed.
Fact smCE_T_moved : ~ at_most_T (@is_smCE R) (1 - tick).
Proof. exact: (moved (@smCE_T_best R)). Qed.
Fact stepCE_T_moved : ~ at_most_T (@is_stepCE R) (1 - tick).
Proof. exact: (moved (@stepCE_T_best R)). Qed.
Fact signCE_T_moved : ~ at_most_T (@is_signCE R) (1 - tick).
Proof. exact: (moved (@signCE_T_best R)). Qed.
Fact intervalCE_T_moved : ~ at_most_T (@is_intervalCE R) (1 - tick).
Proof. exact: (moved (@intervalCE_T_best R)). Qed.
Fact VCal_2T_moved : ~ at_most_T (@is_VCal R) (2%:R - tick).
Proof. exact: (moved (@VCal_2T_best R)). Qed.
Fact UCal_2T_moved : ~ at_most_T (@is_UCal R) (2%:R - tick).
Proof. exact: (moved (@UCal_2T_best R)). Qed.
Fact stepCE_sub_T_moved : ~ at_most_T (of_all (@is_stepCE_sub R)) (1 / 2%:R - tick).
Proof. exact: (moved (@stepCE_sub_T_best R)). Qed.
Fact SSCE_T_moved : ~ at_most_T (of_all (@is_SSCE R)) (1 / 2%:R - tick).
Proof. exact: (moved (@SSCE_T_best R)). Qed.
Fact VCal_sub_T_moved : ~ at_most_T (of_all (@is_VCal_sub R)) (1 - tick).
Proof. exact: (moved (@VCal_sub_T_best R)). Qed.
Fact UCal_sub_T_moved : ~ at_most_T (of_all (@is_UCal_sub R)) (1 - tick).
Proof. exact: (moved (@UCal_sub_T_best R)). Qed.
Fact squares_3stepCE_moved : ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s,
  predictions p -> is_stepCE x p setT s -> \sum_(t in [set: 'I_T]) residual x p t ^+ 2 <=
  \sum_(t in [set: 'I_T]) p t * (1 - p t) + (3%:R - tick) * s).
Proof. exact: (moved (@squares_3stepCE_best R)). Qed.
Fact variance_quarter_moved : ~ (forall T (p : 'I_T -> R), predictions p ->
  \sum_(t in [set: 'I_T]) p t * (1 - p t) <= (1 / 4%:R - tick) * T%:R).
Proof. exact: (moved (@variance_quarter_best R)). Qed.
End Moved.

(* Best because of n copies of a sequence, for every n: this takes a field in which every number is
   below some n, as the reals are; and roots, as the proofs bound stepCE_sub by one. *)
Section Limit.
Variable R : rcfType.
Hypothesis archimedes : Num.archimedean_axiom R.
Implicit Types c d : R.
Let one01 n : predictions (@copies_p R 0 n _) := copies01 (one01 (unit01 R)).
Let two01 n : predictions (@copies_p R 2 n _) := copies01 (@pair01 R 0).
Let four01 n : predictions (@copies_p R 4 n _) := copies01 (@pair01 R 2).

(* What is positive, and at most c times what is not negative. *)
Let factor_ge0 a c (v : R) : 0 < a -> 0 <= v -> a <= c * v -> 0 <= c.
Proof.
move=> a0 v0 av; rewrite leNgt; apply/negP => /ltW c0.
by have := le_lt_trans (mulr_le0_ge0 c0 v0) a0; rewrite ltNge av.
Qed.

(* claim: informal-inheritance *)
Theorem UCal_16stepCE_sub_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v u,
  predictions p -> is_stepCE_sub x p v -> is_UCal x p setT u -> u <= c * v) -> 16%:R <= c.
Proof.
move=> best; have le_c n := le_trans (copies_four_UCal R n)
  (best _ _ _ _ _ (@four01 n.+1) (stepCE_subP _ (@four01 n.+1)) (UCalP _ _ (@four01 n.+1))).
have c0 : 0 <= c by apply: factor_ge0 (le_c 0%N); rewrite ?stepCE_sub_ge0 // mulr1 ltr0n.
have -> : 16%:R = 2%:R * 8%:R :> R by ring.
apply: (half_outgrows_root archimedes) => n; apply: le_trans (le_c n) _.
by apply: ler_wpmul2l => //; exact: copies_stepCE_sub (@pair01 R 2) (@pair_stepCE R 2).
Qed.

(* claim: TIGHT-c7 *)
Theorem SSCE_2stepCE_sub_best c : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) v w,
  predictions p -> is_stepCE_sub x p v -> is_SSCE x p w -> w <= c * v) -> 2%:R <= c.
Proof.
move=> best; have le_c n : n%:R <= c * stepCE_sub (copies_x _) (copies_p _) :=
  le_trans (copies_two_SSCE R n)
    (best _ _ _ _ _ (@two01 n) (stepCE_subP _ (@two01 n)) (SSCEP _ (@two01 n))).
have c0 : 0 <= c by apply: factor_ge0 (le_c 1%N); rewrite ?stepCE_sub_ge0 // ltr01.
rewrite -[2%:R]mulr1; apply: (half_outgrows_root archimedes) => n.
rewrite mul1r; apply: le_trans (le_c n.+1) _.
by apply: ler_wpmul2l => //; exact: copies_stepCE_sub (@pair01 R 0) (@pair_stepCE R 0).
Qed.

(* However large the root counts. *)
(* claim: lemma:stepCE-vs-stepCEsub *)
Theorem stepCE_sub_half_best c d : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= c * s + d * Num.sqrt T%:R) -> 1 / 2%:R <= c.
Proof.
move=> best; rewrite -subr_le0; apply: (@linear_outgrows_root _ archimedes _ d) => n.
have := best _ (copies_x one_x) _ _ _ (@one01 n.+1) (stepCEP _ _ (@one01 n.+1))
  (stepCE_subP _ (@one01 n.+1)).
have := stepCE_le_2sub (copies_x one_x) (copies_p (one_p (1 : R)) : 'I_(n.+1 * 1) -> R).
rewrite copies_stepCE (sup_unique (stepCEP _ _ (Witnesses.one01 (unit01 R))) (whole_stepCE R)).
rewrite mulr1 -ler_pdivr_mull ?ltr0n // => half /(le_trans half).
by rewrite [in Num.sqrt _]muln1 mulrBl ler_subl_addl mul1r.
Qed.

(* The control. *)
Fact UCal_16stepCE_sub_moved : ~ at_most (of_all (@is_stepCE_sub R)) (@is_UCal R) (16%:R - tick R).
Proof. exact: (moved UCal_16stepCE_sub_best). Qed.
Fact SSCE_2stepCE_sub_moved :
  ~ at_most (of_all (@is_stepCE_sub R)) (of_all (@is_SSCE R)) (2%:R - tick R).
Proof. exact: (moved SSCE_2stepCE_sub_best). Qed.
Fact stepCE_sub_half_moved d : ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= (1 / 2%:R - tick R) * s + d * Num.sqrt T%:R).
Proof. exact: (moved (fun c => @stepCE_sub_half_best c d)). Qed.
End Limit.

(* With a root: a lower bound of the best constant only, from three rounds. *)
Section Root.
Variable R : rcfType.

(* claim: TIGHT-c6 *)
Theorem stepCE_sub_root_at_least (c : R) : (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= s / 2%:R + c * Num.sqrt T%:R) -> 1 / (2%:R * Num.sqrt 3%:R) <= c.
Proof.
move/(_ _ _ _ _ _ (@pair01 R 0) (@pair_stepCE R 0) (stepCE_subP _ (@pair01 R 0))).
move/(le_trans (two_stepCE_sub R)); rewrite ler_pdivr_mulr ?mulr_gt0 ?sqrtr_gt0 ?ltr0n //.
rewrite -(ler_pmul2l (ltr0Sn R 1)) mulr1.
have -> : 2%:R * (1 / 2%:R + c * Num.sqrt 3%:R) = 1 + c * (2%:R * Num.sqrt 3%:R) by field.
by rewrite mulr2n ler_add2l.
Qed.

Fact stepCE_sub_root_moved : ~ (forall T (x : 'I_T -> bool) (p : 'I_T -> R) s v,
  predictions p -> is_stepCE x p setT s -> is_stepCE_sub x p v ->
  v <= s / 2%:R + (1 / (2%:R * Num.sqrt 3%:R) - 1 / 100%:R) * Num.sqrt T%:R).
Proof. exact: (moved stepCE_sub_root_at_least). Qed.
End Root.
