(* Predictions that are all the same: UCal in closed form (UCal_constant), from the symmetry between
   zeros and ones. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Formulas Prefix Hull Regret VCal UCal Majorant.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* UCal is at most twice the sum of the ends of a line over the corners. *)
Lemma UCal_le_line (R : realFieldType) T (x : 'I_T -> bool) (p : 'I_T -> R) S u w :
  predictions p -> over_corners x p S u w -> UCal x p S <= 2%:R * (u + w).
Proof.
move=> p01 /(corners_over p01) over; have [_] := UCal_least_line x S p01; apply=> a a01.
exact: le_trans (g_le_gbar x p S a) (over a a01).
Qed.

(* Zeros and ones exchanged, and predictions mirrored, UCal is the same. *)
Lemma UCal_flip (R : realFieldType) T (x : 'I_T -> bool) (p : 'I_T -> R) S :
  predictions p -> UCal (flipx x) (flipp p) S = UCal x p S.
Proof.
move=> p01; have q01 := flip_predictions p01; apply/eqP; rewrite eq_le; apply/andP; split.
  have [u [w [uw <-]]] := UCal_line x S p01; rewrite [u + w]addrC; apply: UCal_le_line => //.
  by apply: flip_corners => a /(corners01 p01); exact: uw.
have [u [w [uw <-]]] := UCal_line (flipx x) S q01; rewrite [u + w]addrC.
apply: UCal_le_line => // a /(corners01 p01)/flip01/uw.
by rewrite gbar_flip line_flip subKr.
Qed.

(* Predictions that are all c: the upper hull of g has its only corner at c, of the height of the
   absolute bias. *)
Section Constant.
Variables (R : realFieldType) (T : nat) (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (c : R).
Hypotheses (p01 : predictions p) (c01 : 0 <= c <= 1) (same : forall t, t \in S -> p t = c).
Let b := `|bias x p S|.
Let b0 : 0 <= b := normr_ge0 _.

(* It is the highest point of all, ... *)
Lemma gbar_constant a : gbar x p S a <= b.
Proof.
have := gbar_le_VCal x p S a; rewrite (VCal_constant x same).
by rewrite [2%:R * _]mulrC mulfK ?pnatr_eq0.
Qed.

Lemma gbar_top : gbar x p S c = b.
Proof.
apply/eqP; rewrite eq_le gbar_constant /= /b ler_norml; apply/andP; split.
  rewrite ler_oppl; apply: le_trans (gbar_high x p S c); rewrite highE.
  rewrite sum_every => [|t tS]; last by rewrite same.
  by rewrite -sumrN ler_sum // => t tS; rewrite opprB same.
apply: le_trans (gbar_low x p S c); rewrite lowE.
rewrite sum_every => [|t tS]; last by rewrite same.
by apply: ler_sum => t tS; rewrite /residual same.
Qed.

(* ... and above 0, if 0 is not predicted, the hull has no height. *)
Lemma gbar_zero : 0 < c -> gbar x p S 0 <= 0.
Proof.
move=> c0; rewrite gbar_le lower_at0 // lexx lowE sum_none; last first.
  by move=> t /same->; rewrite -ltNge.
rewrite lexx high_at0 /= andbT upperE -oppr_ge0 -sumrN sumr_ge0 // => t _.
by rewrite opprB subr0 ler0n.
Qed.

(* The hull is a line from the far end of [0,1]. *)
Lemma UCal_far_zero : 1 <= 2%:R * c -> UCal x p S = 2%:R * b / c.
Proof.
move=> half; have c0 : 0 < c by rewrite -(pmulr_rgt0 _ (ltr0Sn R 1)) (lt_le_trans ltr01).
have cN0 : c != 0 by rewrite gt_eqF.
apply/eqP; rewrite eq_le; apply/andP; split.
  rewrite -mulrA -[b / c]add0r; apply: UCal_le_line => // a.
  have bc : b <= b / c by rewrite ler_pdivl_mulr // ler_pimulr //; case/andP: c01.
  rewrite !inE /line => /or3P[/eqP->|/eqP->|/imageP[t tS ->]].
  - by rewrite mul0r add0r mulr0 gbar_zero.
  - by rewrite mul0r add0r mulr1 (le_trans (gbar_constant 1)).
  - by rewrite same // gbar_top mul0r add0r divfK.
have [t tS|none] := pickP (mem S); last first.
  by rewrite /b /bias big_pred0 // normr0 mulr0 mul0r UCal_ge0.
have cC : c \in corners p S by rewrite -(same tS) corner_prediction.
have := chord_le_UCal x (corner0 p S) cC _ half; rewrite mulr0 => /(_ ler01).
rewrite /chord lt_eqF // subr0 mulr0 subr0 mul1r gbar_top.
rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n // => top; rewrite ler_pdivr_mulr //.
have -> : UCal x p S * c = 2%:R * (UCal x p S / 4%:R * (2%:R * c)) by field.
rewrite ler_pmul2l ?ltr0n //; apply: le_trans top.
by rewrite ler_addr mulr_ge0 ?gbar_at0 // subr_ge0.
Qed.
End Constant.

Lemma flip_bias (R : realFieldType) T (x : 'I_T -> bool) (p : 'I_T -> R) S :
  bias (flipx x) (flipp p) S = - bias x p S.
Proof.
by rewrite /bias -sumrN; apply: eq_bigr => t _; rewrite /residual flip_value /flipp; ring.
Qed.

(* UCal of predictions that are all c. *)
Theorem UCal_constant (R : realFieldType) T (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) c :
  predictions p -> 0 <= c <= 1 -> (forall t, t \in S -> p t = c) ->
  UCal x p S = 2%:R * `|bias x p S| / Num.max c (1 - c).
Proof.
move=> p01 c01 same; have [half|half] := leP (1 - c) c.
  by apply: UCal_far_zero => //; rewrite mulr_natl mulr2n -ler_subl_addr.
rewrite -UCal_flip // -normrN -flip_bias; apply: UCal_far_zero.
- exact: flip_predictions.
- exact: flip01.
- by move=> t tS; rewrite /flipp same.
by rewrite mulr_natl mulr2n -ler_subl_addr opprB addrC subrK ltW.
Qed.
