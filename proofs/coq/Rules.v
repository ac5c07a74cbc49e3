(* Proper scoring rules (L331): the V-shaped rules are proper and bounded (eq:vcaleq, L342), the
   mean of the outcomes is a best constant prediction for every proper rule (L1927), and properness
   is kept by sums and nonnegative multiples. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Signs, and one outcome against one probability. *)
Section Signs.
Variable R : realFieldType.
Implicit Types (a b c z : R) (y : bool).

(* A value times a sign is at most its absolute value, in absolute value. *)
Lemma norm_mul_sg z c : `|z * Num.sg c| <= `|z|.
Proof. by rewrite normrM ler_pimulr // normr_sg; case: (c != 0); rewrite ?lexx ?ler01. Qed.

(* An outcome and a probability differ by at most 1. *)
Lemma norm_sub_outcome a y : 0 <= a <= 1 -> `|a - y%:R| <= 1.
Proof.
case/andP=> a0 a1; rewrite ler_norml; case: y => /=.
  by rewrite ler_subr_addl subrr a0 ler_subl_addr (le_trans a1) // ler_addl ler01.
by rewrite subr0 a1 (le_trans _ a0) // oppr_le0 ler01.
Qed.

(* The expected loss of the V-shaped rule. *)
Lemma expected_vshaped a b c : expected_loss (vshaped a) c b = (a - c) * Num.sg (b - a).
Proof. by rewrite /expected_loss /vshaped /=; ring. Qed.

Lemma expected_vshaped_truth a b : expected_loss (vshaped a) b b = - `|b - a|.
Proof. by rewrite expected_vshaped normrEsg -mulrN opprB mulrC. Qed.

Lemma vshaped_proper a : 0 <= a <= 1 -> proper (vshaped a).
Proof.
move=> _ c b _ _; rewrite !expected_vshaped -(opprB c a) !mulNr ler_opp2.
rewrite [X in _ <= X]mulrC -normrEsg.
exact: le_trans (ler_norm _) (norm_mul_sg _ _).
Qed.

Lemma vshaped_bounded a : 0 <= a <= 1 -> bounded (vshaped a).
Proof.
move=> a01 y b _; rewrite -ler_norml.
exact: le_trans (norm_mul_sg _ _) (norm_sub_outcome y a01).
Qed.
End Signs.

(* Losses over the rounds of S. *)
Section Mean.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (l : rule R) (b c : R).

(* The number of ones. *)
Definition ones x S : R := \sum_(t in S) (x t)%:R.

Lemma ones_ge0 x S : 0 <= ones x S.
Proof. by apply: sumr_ge0 => t _; exact: ler0n. Qed.

Lemma count_rounds S : #|S|%:R = \sum_(t in S) 1 :> R.
Proof. by rewrite sumr_const. Qed.

Lemma ones_le_card x S : ones x S <= #|S|%:R.
Proof. by rewrite count_rounds; apply: ler_sum => t _; rewrite lern1 leq_b1. Qed.

Lemma mu_in01 x S : 0 <= mu R x S <= 1.
Proof.
rewrite /mu divr_ge0 ?ones_ge0 ?ler0n //=.
have [->|cardN0] := eqVneq #|S| 0%N; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivr_mulr ?mul1r ?ones_le_card // ltr0n lt0n.
Qed.

(* The mean times the number of rounds is the number of ones, also when there are no rounds. *)
Lemma mu_card x S : mu R x S * #|S|%:R = ones x S.
Proof.
have [S0|cardN0] := eqVneq #|S| 0%N; last by rewrite /mu divfK // pnatr_eq0.
by rewrite S0 mulr0 /ones (cards0_eq S0) big_set0.
Qed.

(* If the mean is 0, all outcomes are 0; if it is 1, all are 1. *)
Lemma outcome_mu0 x S t : mu R x S <= 0 -> t \in S -> x t = false.
Proof.
move=> m0 tS; apply/negbTE/negP => xt; have: ones x S <= 0.
  by rewrite -mu_card mulr_le0_ge0 ?ler0n.
rewrite /ones (bigD1 t) //= xt leNgt ltr_paddr ?ltr01 //.
by apply: sumr_ge0 => u _; exact: ler0n.
Qed.

Lemma outcome_mu1 x S t : 1 <= mu R x S -> t \in S -> x t.
Proof.
move=> m1 tS; apply/negP => /negP xt; have: 0 <= ones x S - #|S|%:R.
  by rewrite -mu_card subr_ge0 ler_pemull ?ler0n.
rewrite count_rounds -sumrB (bigD1 t) //= (negbTE xt) sub0r addrC subr_ge0 leNgt.
rewrite (le_lt_trans _ ltr01) // -oppr_ge0 -sumrN; apply: sumr_ge0 => u _.
by rewrite opprB subr_ge0 lern1 leq_b1.
Qed.

(* The loss of a constant prediction depends on the number of ones and of rounds only. *)
Lemma loss_constant l x S b :
  loss l x (fun=> b) S = ones x S * l true b + (#|S|%:R - ones x S) * l false b.
Proof.
rewrite count_rounds -sumrB !mulr_suml -big_split; apply: eq_bigr => t _ /=.
by case: (x t); rewrite ?subrr ?subr0 ?mul1r ?mul0r ?addr0 ?add0r.
Qed.

(* It is the number of rounds times the expected loss at the mean. *)
Lemma loss_constant_mu l x S b :
  loss l x (fun=> b) S = #|S|%:R * expected_loss l (mu R x S) b.
Proof. by rewrite loss_constant -(mu_card x S) /expected_loss; ring. Qed.

(* Against the losses to be expected of the predictions, the regret of the V-shaped rule is the
   signed sum (L970-979). *)
Lemma sgn_benchmark x p S a : loss (vshaped a) x p S - \sum_(t in S) - `|p t - a| =
  \sum_(t in S) residual x p t * Num.sg (a - p t).
Proof.
rewrite /loss -sumrB; apply: eq_bigr => t _.
by rewrite /vshaped /residual normrEsg -[a - p t]opprB sgrN; move: (Num.sg _) => s; ring.
Qed.

(* No constant prediction does better than the mean (L1927). *)
Lemma proper_constant l x S b : proper l -> 0 <= b <= 1 ->
  loss l x (fun=> mu R x S) S <= loss l x (fun=> b) S.
Proof.
by move=> lP b01; rewrite !loss_constant_mu ler_wpmul2l ?ler0n // lP // mu_in01.
Qed.

Lemma mean_best l x S : proper l -> is_best_constant l x S (loss l x (fun=> mu R x S) S).
Proof.
move=> lP; apply: inf_attained; first by exists (mu R x S); rewrite ?mu_in01.
by move=> _ [b b01 ->]; exact: proper_constant.
Qed.
End Mean.

(* Sums and nonnegative multiples of rules. *)
Section Combine.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (l m : rule R) (a b c : R).

Lemma expected_add l m a b :
  expected_loss (fun y q => l y q + m y q) a b = expected_loss l a b + expected_loss m a b.
Proof. by rewrite /expected_loss; ring. Qed.

Lemma expected_scale c l a b :
  expected_loss (fun y q => c * l y q) a b = c * expected_loss l a b.
Proof. by rewrite /expected_loss; ring. Qed.

Lemma proper_add l m : proper l -> proper m -> proper (fun y q => l y q + m y q).
Proof. by move=> lP mP a b a01 b01; rewrite !expected_add ler_add ?lP ?mP. Qed.

Lemma proper_scale c l : 0 <= c -> proper l -> proper (fun y q => c * l y q).
Proof. by move=> c0 lP a b a01 b01; rewrite !expected_scale ler_wpmul2l ?lP. Qed.

(* The loss is linear in the rule. *)
Lemma loss_add l m x p S :
  loss (fun y q => l y q + m y q) x p S = loss l x p S + loss m x p S.
Proof. exact: big_split. Qed.

Lemma loss_scale c l x p S : loss (fun y q => c * l y q) x p S = c * loss l x p S.
Proof. by rewrite /loss mulr_sumr. Qed.
End Combine.
