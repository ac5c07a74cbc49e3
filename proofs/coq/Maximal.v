(* A maximal inequality for sums of numbers with random signs, by a potential: the mean of the
   largest absolute sum on the way is at most b + V / (2 b) for every b > 0, where V is the sum of
   the squares, and so at most the root of 2 V. No integrals and no tail bounds: it takes the place
   of Kolmogorov's inequality in the proof of lemma:stepCE-vs-stepCEsub (L2182-2194). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Formulas Probability.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The potential of a walk that is now at m, s being the largest of b and its absolute values. *)
Section Potential.
Variable R : realFieldType.
Implicit Types b s m n k : R.

(* Twice b times the peak, less the square, and more if m is far out. *)
Definition potential b s m : R :=
  2%:R * b * s - m ^+ 2 + Num.max 0 (`|m| - (s - b)) ^+ 2.

(* The excess of |m| over c is at most the distance of m to any k in [-c, c]. *)
Lemma sqr_le_dist k m c : `|k| <= c -> 0 <= `|m| - c -> (`|m| - c) ^+ 2 <= (m - k) ^+ 2.
Proof.
move=> kc c0; rewrite -[(m - k) ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE ?normr_ge0 //.
rewrite ler_subl_addr (le_trans _ (ler_add (lexx _) kc)) //.
by rewrite -[in `|m|](subrK k m) ler_norm_add.
Qed.

(* What it is to bound. *)
Lemma potential_ge b s m : 2%:R * b * s - m ^+ 2 <= potential b s m.
Proof. by rewrite ler_addl sqr_ge0. Qed.

(* As a function of m it is at most each line of slope -2k with |k| <= s - b, ... *)
Lemma potential_le b s m k : `|k| <= s - b ->
  potential b s m <= 2%:R * b * s + k ^+ 2 - 2%:R * k * m.
Proof.
move=> ks; suff sq : Num.max 0 (`|m| - (s - b)) ^+ 2 <= (m - k) ^+ 2.
  rewrite -subr_ge0 /potential; move: sq; set z := Num.max _ _ => sq.
  by rewrite [X in 0 <= X](_ : _ = (m - k) ^+ 2 - z ^+ 2) ?subr_ge0 //; ring.
have [neg|pos] := leP (`|m| - (s - b)) 0; first by rewrite expr0n sqr_ge0.
exact: sqr_le_dist (ltW pos).
Qed.

(* ... and it meets one of them. *)
Lemma potential_line b s m : b <= s -> exists2 k, `|k| <= s - b &
  potential b s m = 2%:R * b * s + k ^+ 2 - 2%:R * k * m.
Proof.
rewrite -subr_ge0 /potential => s0; have [near|far] := leP `|m| (s - b).
  by exists m => //; rewrite max_l ?subr_le0 //; ring.
rewrite max_r ?subr_ge0 ?ltW //; have [m0|m0] := leP 0 m.
  by exists (s - b); [rewrite ger0_norm|rewrite (ger0_norm m0); ring].
by exists (- (s - b)); [rewrite normrN ger0_norm|rewrite (ltr0_norm m0); ring].
Qed.

(* So a step from m to n, wherever it leads, adds at most -2k(n - m) to it, for some k. *)
Lemma potential_step b s m : 0 <= b -> b <= s -> exists k, forall n,
  potential b (Num.max s `|n|) n <= potential b s m - 2%:R * k * (n - m).
Proof.
move=> b0 bs; have [k ks ->] := potential_line m bs; exists k => n.
rewrite [X in _ <= X](_ : _ = 2%:R * b * s + k ^+ 2 - 2%:R * k * n); last by ring.
have [_|far] := leP `|n| s; first exact: potential_le.
have sbn : 0 <= `|n| - (s - b).
  by rewrite opprB addrCA addr_ge0 // subr_ge0 ltW.
rewrite /potential opprB addrCA subrr addr0 max_r // -subr_ge0.
rewrite [X in 0 <= X](_ : _ = (`|n| - s) ^+ 2 + ((n - k) ^+ 2 - (`|n| - (s - b)) ^+ 2)).
  by rewrite addr_ge0 ?sqr_ge0 // subr_ge0 sqr_le_dist.
by ring.
Qed.
End Potential.

Section Maximal.
Variables (R : realFieldType) (T : nat) (a : 'I_T -> R).
Implicit Types (S : {set 'I_T}) (t : 'I_T) (r : seq 'I_T) (b : R).

(* On average the potential does not grow. *)
Lemma mean_potential b r : 0 <= b -> uniq r ->
  mean (fun S => potential b (peak a b r S) (walk a r S)) <= 2%:R * b ^+ 2.
Proof.
move=> b0; elim: r => [_|t r IH /= /andP[tr ur]].
  rewrite (mean_const T (potential b b 0)) /potential subrr subr0 normr0 maxxx.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite (mean_step a b (potential b) tr); apply: le_trans (IH ur); apply: mean_le => S.
have [k step] := potential_step (walk a r S) b0 (peak_ge a b r S).
have := ler_add (step (walk a r S + a t)) (step (walk a r S - a t)).
rewrite ler_pdivr_mulr ?ltr0n // => /le_trans; apply.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* The maximal inequality, with a free parameter. *)
Theorem maximal_lin b r : 0 < b -> uniq r ->
  mean (peak a b r) <= b + (\sum_(t <- r) a t ^+ 2) / (2%:R * b).
Proof.
move=> b0 ur; have b2 : 0 < 2%:R * b by rewrite mulr_gt0 ?ltr0n.
rewrite -(ler_pmul2l b2) -(mean_walk2 a ur).
rewrite [X in _ <= X](_ : _ = 2%:R * b ^+ 2 + mean (fun S => walk a r S ^+ 2)); last first.
  by field; rewrite gt_eqF.
rewrite -ler_subl_addr; apply: le_trans (mean_potential (ltW b0) ur).
by rewrite -meanZ -meanB; apply: mean_le => S; exact: potential_ge.
Qed.
End Maximal.

(* The parameter at its best. *)
Lemma best_parameter (R : rcfType) (A c Z : R) : 0 <= A -> 0 < c ->
  (forall b, 0 < b -> Z <= b + A / (c * b)) -> Z <= 2%:R * Num.sqrt (A / c).
Proof.
move=> A0 c0 H; have [Az|An] := eqVneq A 0.
  rewrite Az mul0r sqrtr0 mulr0; apply/ler_addgt0Pr => b b0; rewrite add0r.
  by have := H b b0; rewrite Az mul0r addr0.
set b := Num.sqrt (A / c); have b0 : 0 < b by rewrite sqrtr_gt0 divr_gt0 // lt_def An.
have b2 : b ^+ 2 = A / c by rewrite sqr_sqrtr // divr_ge0 // ltW.
apply: le_trans (H b b0) _; rewrite mulr_natl mulr2n ler_add2l.
by rewrite invfM mulrA -b2 expr2 mulfK ?gt_eqF.
Qed.

(* Twice a root is the root of four times as much. *)
Lemma sqrt_double (R : rcfType) (A : R) : 2%:R * Num.sqrt A = Num.sqrt (4%:R * A).
Proof.
have -> : 4%:R * A = 2%:R ^+ 2 * A by ring.
by rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm ?ler0n.
Qed.

(* The maximal inequality, with the root of 2 as its constant. *)
Theorem maximal_sqrt (R : rcfType) (T : nat) (a : 'I_T -> R) r : uniq r ->
  mean (peak a 0 r) <= Num.sqrt (2%:R * \sum_(t <- r) a t ^+ 2).
Proof.
move=> ur; set V := \sum_(t <- r) _; have V0 : 0 <= V by apply: sumr_ge0 => t _; exact: sqr_ge0.
have -> : 2%:R * V = 4%:R * (V / 2%:R) by field.
rewrite -sqrt_double; apply: best_parameter => // [|b b0]; first by rewrite ltr0n.
apply: le_trans (maximal_lin a b0 ur); apply: mean_le => S.
elim: r {ur V V0} => /= [|t r IH]; first exact: ltW.
by rewrite le_maxl le_maxr IH /= le_maxr lexx orbT.
Qed.
