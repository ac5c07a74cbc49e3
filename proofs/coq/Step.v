(* stepCE (L965), its sign variant signCE (fact:equivfactor, L989, proved at L2059-2137) and
   intervalCE (intervals and unions of them, L969): the formulas of signCE and intervalCE are the
   suprema of Definitions.v, and the three measures differ by constant factors at most. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Truecal Require Import Definitions Bounds Formulas Prefix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Step.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b c : R).

(* The signed sum at a threshold, in prefix sums. *)
Lemma signed_sum x p S a : \sum_(t in S) residual x p t * Num.sg (a - p t) =
  upto x p S a + below x p S a - bias x p S.
Proof.
rewrite /upto /below /bias !big_mkcondr -big_split -sumrB; apply: eq_bigr => t _ /=.
case: (ltgtP (p t) a) => [lt_ta|lt_at|->].
- by rewrite gtr0_sg ?subr_gt0 // mulr1 addrK.
- by rewrite ltr0_sg ?subr_lt0 // mulrN1 !add0r.
- by rewrite subrr sgr0 mulr0 addr0 subrr.
Qed.

(* The formula of signCE is at least each of its terms. *)
Lemma signCE_ge_at x p S t : t \in S ->
  `|upto x p S (p t) + below x p S (p t) - bias x p S| <= signCE x p S.
Proof.
by move=> tS; rewrite /signCE; apply: le_trans (bigmax_ge _ tS); rewrite le_maxr lexx.
Qed.

Lemma signCE_ge_above x p S t : t \in S -> p t < 1 ->
  `|2%:R * upto x p S (p t) - bias x p S| <= signCE x p S.
Proof.
move=> tS t1; rewrite /signCE; apply: le_trans (bigmax_ge _ tS).
by rewrite t1 !le_maxr lexx orbT.
Qed.

Lemma signCE_ge_below x p S t : t \in S -> 0 < p t ->
  `|2%:R * below x p S (p t) - bias x p S| <= signCE x p S.
Proof.
move=> tS t0; rewrite /signCE; apply: le_trans (bigmax_ge _ tS).
by rewrite t0 !le_maxr lexx !orbT.
Qed.

(* It is at most what bounds all of them. *)
Lemma signCE_le x p S c : 0 <= c ->
  (forall t, t \in S -> `|upto x p S (p t) + below x p S (p t) - bias x p S| <= c) ->
  (forall t, t \in S -> p t < 1 -> `|2%:R * upto x p S (p t) - bias x p S| <= c) ->
  (forall t, t \in S -> 0 < p t -> `|2%:R * below x p S (p t) - bias x p S| <= c) ->
  signCE x p S <= c.
Proof.
move=> c0 at_le above_le below_le; apply: bigmax_le => // t tS.
rewrite !le_maxl at_le //=; apply/andP; split; case: ifP => // room.
  exact: above_le.
exact: below_le.
Qed.

Lemma signCE_ge0 x p S : 0 <= signCE x p S.
Proof. exact: bigmax_ge0. Qed.

(* No rounds are below the smallest prediction. *)
Lemma below_first x p S a : (forall t, t \in S -> a <= p t) -> below x p S a = 0.
Proof. by move=> every; rewrite /below sum_none // => t /every; rewrite leNgt. Qed.

(* A round predicted at least 1 is not underestimated, one predicted at most 0 not overestimated. *)
Lemma residual_le0 x p t : 1 <= p t -> residual x p t <= 0.
Proof. by move=> t1; rewrite subr_le0; apply: le_trans t1; case: (x t); rewrite ?ler01. Qed.

Lemma residual_ge0 x p t : p t <= 0 -> 0 <= residual x p t.
Proof. by move=> t0; rewrite subr_ge0; apply: le_trans t0 _; case: (x t); rewrite ?ler01. Qed.

(* A nonnegative bias is at most signCE, seen from the largest prediction. *)
Lemma pos_bias_le_signCE x p S : 0 <= bias x p S -> bias x p S <= signCE x p S.
Proof.
move=> b0; have [S0|[t0 t0S]] := set_0Vmem S.
  by apply: le_trans (signCE_ge0 x p S); rewrite S0 /bias big_set0.
have [t tS tmax] := argmax p t0S.
have [t1|t1] := ltP (p t) 1.
  apply: le_trans (signCE_ge_above x tS t1).
  by rewrite -(bias_upto _ tmax) mulr_natl mulr2n addrK ler_norm.
apply: le_trans (signCE_ge_at x p tS).
rewrite -(bias_upto _ tmax) addrAC subrr add0r; apply: le_trans (ler_norm _).
rewrite -subr_le0 -from_below -oppr_ge0 -sumrN; apply: sumr_ge0 => u /andP[_ tu].
by rewrite oppr_ge0; exact/residual_le0/(le_trans t1).
Qed.

(* A negative one too, seen from the smallest prediction. *)
Lemma neg_bias_le_signCE x p S : bias x p S <= 0 -> - bias x p S <= signCE x p S.
Proof.
move=> b0; have [S0|[t0 t0S]] := set_0Vmem S.
  by apply: le_trans (signCE_ge0 x p S); rewrite S0 /bias big_set0 oppr0.
have [t tS tmin] := argmin p t0S.
have [t_gt0|t_le0] := ltP 0 (p t).
  apply: le_trans (signCE_ge_below x tS t_gt0).
  by rewrite below_first // mulr0 add0r ler_norm.
apply: le_trans (signCE_ge_at x p tS).
rewrite below_first // addr0; apply: le_trans (ler_norm _).
rewrite ler_addr; apply: sumr_ge0 => u /andP[_ ut].
exact/residual_ge0/(le_trans ut).
Qed.

(* It is also at most the signed sum at an end of [0,1] (L2069-2094). *)
Lemma bias_le_sign_at_ends x p S : predictions p ->
  (0 <= bias x p S -> `|bias x p S| <= \sum_(t in S) residual x p t * Num.sg (1 - p t)) /\
  (bias x p S <= 0 -> `|bias x p S| <= \sum_(t in S) residual x p t * Num.sg (0 - p t)).
Proof.
move=> p01; split=> b0; [rewrite ger0_norm //|rewrite ler0_norm // -sumrN]; apply: ler_sum => t _.
  have /andP[_] := p01 t; rewrite le_eqVlt => /orP[/eqP t1|t1].
    by rewrite t1 subrr sgr0 mulr0 residual_le0 // t1.
  by rewrite gtr0_sg ?subr_gt0 // mulr1.
have /andP[+ _] := p01 t; rewrite le_eqVlt => /orP[/eqP t0|t0].
  by rewrite -t0 subrr sgr0 mulr0 oppr_le0 residual_ge0 // -t0.
by rewrite ltr0_sg ?subr_lt0 // mulrN1.
Qed.

(* The total bias is at most signCE (eq:total-bias-bound, L2064). *)
Lemma bias_le_signCE x p S : `|bias x p S| <= signCE x p S.
Proof.
have [b0|/ltW b0] := leP 0 (bias x p S).
  by rewrite ger0_norm // pos_bias_le_signCE.
by rewrite ler0_norm // neg_bias_le_signCE.
Qed.

(* Just above a threshold there are no predictions, and just below it neither. *)
Lemma gap_above p S a c : a < c -> exists b, [/\ a < b, b < c &
  forall t, t \in S -> (p t <= b) = (p t <= a) /\ (p t < b) = (p t <= a)].
Proof.
move=> ac.
have [d [ad dc none]] : exists d, [/\ a < d, d <= c &
    forall t, t \in S -> a < p t -> d <= p t].
  have [none|[s [_ as_ same]]] := first_above p S a.
    by exists c; split=> // t /none/negbTE->.
  exists (Num.min c (p s)); split; rewrite ?lt_minr ?ac ?le_minl ?lexx // => t tS.
  by rewrite same // le_minl => ->; rewrite orbT.
have [ab bd] := midf_lt ad; exists ((a + d) / 2%:R); split=> //; first exact: lt_le_trans dc.
move=> t tS; have [ta|at_] := leP (p t) a.
  by have tb := le_lt_trans ta ab; rewrite tb ltW.
have bt := lt_le_trans bd (none t tS at_).
by split; apply/negbTE; rewrite -?ltNge -?leNgt // ltW.
Qed.

Lemma gap_below p S a c : c < a -> exists b, [/\ c < b, b < a &
  forall t, t \in S -> (p t <= b) = (p t < a) /\ (p t < b) = (p t < a)].
Proof.
move=> ca.
have [d [cd da none]] : exists d, [/\ c <= d, d < a &
    forall t, t \in S -> p t < a -> p t <= d].
  have [none|[s [_ sa same]]] := last_below p S a.
    by exists c; split=> // t /none/negbTE->.
  exists (Num.max c (p s)); split; rewrite ?lt_maxl ?ca ?le_maxr ?lexx // => t tS.
  by rewrite same // le_maxr => ->; rewrite orbT.
have [db ba] := midf_lt da; exists ((d + a) / 2%:R); split=> //; first exact: le_lt_trans db.
move=> t tS; have [ta|at_] := ltP (p t) a.
  by have tb := le_lt_trans (none t tS ta) db; rewrite tb ltW.
have bt := lt_le_trans ba at_.
by split; apply/negbTE; rewrite -?ltNge -?leNgt // ltW.
Qed.

(* The signed sum at a threshold in [0,1] is at most the formula. *)
Lemma signed_sum_le x p S a : 0 <= a <= 1 ->
  `|upto x p S a + below x p S a - bias x p S| <= signCE x p S.
Proof.
case/andP=> _ a1; case: (pickP [pred t in S | p t == a]) => [t /andP[tS /eqP <-]|no_level].
  exact: signCE_ge_at.
have upto_below : below x p S a = upto x p S a.
  by apply: sum_in => t tS; rewrite lt_neqAle; have := no_level t; rewrite /= tS /= => ->.
have [none|[t [tS ta same]]] := last_upto p S a.
  rewrite upto_below /upto sum_none // addr0 add0r normrN; exact: bias_le_signCE.
have t1 : p t < 1.
  apply: lt_le_trans a1; rewrite lt_neqAle ta andbT.
  by have := no_level t; rewrite /= tS /= => ->.
apply: le_trans (signCE_ge_above x tS t1).
by rewrite upto_below /upto (sum_in _ same) mulr_natl mulr2n.
Qed.

(* signCE is the supremum over the thresholds in [0,1]. *)
Lemma signCEP x p S : predictions p -> is_signCE x p S (signCE x p S).
Proof.
move=> p01; split=> [_ [a a01 ->]|u ub]; first by rewrite signed_sum signed_sum_le.
have {}ub a : 0 <= a <= 1 -> `|upto x p S a + below x p S a - bias x p S| <= u.
  by move=> a01; rewrite -signed_sum; apply: ub; exists a.
apply: signCE_le => [|t _|t _ t1|t _ t0].
- by apply: le_trans (ub 0 _); rewrite // lexx ler01.
- exact: ub.
- have [b [tb b1 same]] := gap_above p S t1; case/andP: (p01 t) => t_ge0 _.
  rewrite mulr_natl mulr2n /upto -{1}(sum_in _ (fun s sS => proj1 (same s sS))).
  rewrite -(sum_in _ (fun s sS => proj2 (same s sS))); apply: ub.
  by rewrite (le_trans t_ge0 (ltW tb)) ltW.
- have [b [b0 bt same]] := gap_below p S t0; case/andP: (p01 t) => _ t_le1.
  rewrite mulr_natl mulr2n /below -{1}(sum_in _ (fun s sS => proj1 (same s sS))).
  rewrite -(sum_in _ (fun s sS => proj2 (same s sS))); apply: ub.
  by rewrite (le_trans (ltW bt) t_le1) ltW.
Qed.

(* The signed sum at any threshold is at most signCE: outside [0,1] it is the bias. *)
Lemma signed_sum_le_signCE x p S a : predictions p ->
  `|\sum_(t in S) residual x p t * Num.sg (a - p t)| <= signCE x p S.
Proof.
move=> p01; have [a0|a0] := leP 0 a; last first.
  rewrite (eq_bigr (fun t => - residual x p t)); first by rewrite sumrN normrN bias_le_signCE.
  by move=> t _; rewrite ltr0_sg ?mulrN1 // subr_lt0 (lt_le_trans a0) //; case/andP: (p01 t).
have [a1|a1] := leP a 1; first by rewrite signed_sum signed_sum_le ?a0.
rewrite (eq_bigr (residual x p)); first exact: bias_le_signCE.
by move=> t _; rewrite gtr0_sg ?mulr1 // subr_gt0 (le_lt_trans _ a1) //; case/andP: (p01 t).
Qed.

(* A prefix sum is the mean of the bias and the signed sum just above it (L2098-2110). *)
Lemma upper_part x p S a b : predictions p -> a < b ->
  (forall t, t \in S -> ~~ (a < p t <= b)) ->
  2%:R * `|upto x p S a| <= `|bias x p S| +
    `|\sum_(t in S) residual x p t * Num.sg (b - p t)| <= 2%:R * signCE x p S.
Proof.
move=> p01 ab none; apply/andP; split; last first.
  by rewrite mulr_natl mulr2n ler_add ?bias_le_signCE ?signed_sum_le_signCE.
have same t : t \in S -> (p t <= b) = (p t <= a) /\ (p t < b) = (p t <= a).
  move=> tS; have := none t tS; rewrite negb_and -leNgt -ltNge.
  have [ta _|at_ /= bt] := leP (p t) a.
    by rewrite (le_lt_trans ta ab) ltW // (le_lt_trans ta).
  by rewrite !leNgt bt /= ltNge ltW.
rewrite signed_sum; have -> : upto x p S b = upto x p S a.
  by apply: sum_in => t tS; have [->] := same t tS.
have -> : below x p S b = upto x p S a by apply: sum_in => t tS; have [_ ->] := same t tS.
rewrite -[X in X * `|_|]ger0_norm ?ler0n // -normrM mulr_natl mulr2n.
by rewrite -[X in `|X| <= _](addrNK (bias x p S)) addrC ler_norm_add.
Qed.

(* A sign in prefixes (L2121-2124). *)
Lemma sign_in_prefixes a b : b <= 1 ->
  Num.sg (a - b) = (b <= a)%R%:R - (b <= 1)%R%:R + (b < a)%R%:R.
Proof.
move=> b1; rewrite b1; case: (ltgtP b a) => [ba|ab|->] /=; rewrite ?subrr ?sgr0 ?addr0 //.
  by rewrite gtr0_sg ?subr_gt0 // add0r.
by rewrite ltr0_sg ?subr_lt0 // sub0r.
Qed.

(* Every signed sum consists of three prefix sums, so signCE is at most three times stepCE. *)
Lemma signed_sum_le_3stepCE x p S a :
  `|\sum_(t in S) residual x p t * Num.sg (a - p t)| <= 3%:R * stepCE x p S.
Proof.
rewrite signed_sum mulr_natl mulrSr mulr2n.
apply: le_trans (ler_norm_sub _ _) (ler_add _ (bias_le_stepCE x p S)).
exact: le_trans (ler_norm_add _ _) (ler_add (upto_le_stepCE x p S a) (below_le_stepCE x p S a)).
Qed.

(* fact:equivfactor, first inequality. *)
Theorem signCE_le_3stepCE x p S : predictions p -> signCE x p S <= 3%:R * stepCE x p S.
Proof.
by move=> p01; apply: sup_le (signCEP x S p01) _ => _ [a _ ->]; exact: signed_sum_le_3stepCE.
Qed.

(* A prefix sum is the mean of the bias and a signed sum, so stepCE is at most signCE:
   fact:equivfactor, second inequality. *)
Theorem stepCE_le_signCE x p S : predictions p -> stepCE x p S <= signCE x p S.
Proof.
move=> p01; apply: bigmax_le => [|t tS]; first exact: signCE_ge0.
have [t1|t1] := ltP (p t) 1; last first.
  rewrite -(@bias_upto _ _ x p S) ?bias_le_signCE // => u _.
  by apply: le_trans t1; case/andP: (p01 u).
rewrite -(ler_pmul2l (ltr0Sn R 1)) -[X in X * `|_|]ger0_norm ?ler0n // -normrM.
rewrite -[X in `|X|](subrK (bias x p S)) [X in _ <= X]mulr_natl [X in _ <= X]mulr2n.
apply: le_trans (ler_norm_add _ _) (ler_add _ (bias_le_signCE x p S)).
exact: signCE_ge_above.
Qed.

(* The sum in an interval, in prefix sums. *)
Lemma between_upto x p S a b : a <= b -> between x p S a b = upto x p S b - below x p S a.
Proof.
move=> ab; rewrite /between /upto /below !big_mkcondr -sumrB; apply: eq_bigr => t _ /=.
have [at_|ta] := leP a (p t); rewrite /= ?subr0 //.
by rewrite (le_trans (ltW ta) ab) subrr.
Qed.

(* An empty interval. *)
Lemma between_none x p S a b : b < a -> between x p S a b = 0.
Proof.
move=> ba; rewrite /between sum_none // => t _; rewrite negb_and -!ltNge.
by have [_|at_] := ltP (p t) a; rewrite //= (lt_le_trans ba).
Qed.

(* The sum in any interval is at most twice stepCE. *)
Lemma between_le_2stepCE x p S a b : `|between x p S a b| <= 2%:R * stepCE x p S.
Proof.
have [ab|ba] := leP a b; last first.
  by rewrite between_none // normr0 mulr_ge0 ?ler0n ?stepCE_ge0.
rewrite between_upto // mulr_natl mulr2n; apply: le_trans (ler_norm_sub _ _) _.
exact: ler_add (upto_le_stepCE x p S b) (below_le_stepCE x p S a).
Qed.

Lemma intervalCE_ge0 x p S : 0 <= intervalCE x p S.
Proof. exact: bigmax_ge0. Qed.

(* The formula of intervalCE is at least each of its terms. *)
Lemma intervalCE_ge x p S s t : s \in S -> t \in S ->
  `|between x p S (p s) (p t)| <= intervalCE x p S.
Proof.
move=> sS tS; rewrite /intervalCE; apply: le_trans (bigmax_ge _ sS).
exact: (@bigmax_ge _ _ _ (fun t => `|between x p S (p s) (p t)|)).
Qed.

(* It is at most what bounds all of them. *)
Lemma intervalCE_le x p S c : 0 <= c ->
  (forall s t, s \in S -> t \in S -> `|between x p S (p s) (p t)| <= c) -> intervalCE x p S <= c.
Proof.
by move=> c0 le_c; apply: bigmax_le => // s sS; apply: bigmax_le => // t tS; exact: le_c.
Qed.

(* The sum in any interval is at most the formula. *)
Lemma between_le_intervalCE x p S a b : `|between x p S a b| <= intervalCE x p S.
Proof.
have [none|[s [sS _ same_s]]] := first_from p S a.
  rewrite /between sum_none ?normr0 ?intervalCE_ge0 // => t /none at_.
  by rewrite negb_and at_.
have [none|[t [tS _ same_t]]] := last_upto p S b.
  rewrite /between sum_none ?normr0 ?intervalCE_ge0 // => t /none tb.
  by rewrite negb_and tb orbT.
apply: le_trans (intervalCE_ge x p sS tS).
rewrite /between (@sum_in _ _ _ _ (fun u => p s <= p u <= p t)) // => u uS.
by rewrite same_s ?same_t.
Qed.

(* intervalCE is the supremum over the intervals in [0,1]. *)
Lemma intervalCEP x p S : predictions p -> is_intervalCE x p S (intervalCE x p S).
Proof.
move=> p01; split=> [_ [a [b [_ _ ->]]]|u ub]; first exact: between_le_intervalCE.
apply: intervalCE_le => [|s t _ _]; last by apply: ub; exists (p s), (p t).
by apply: le_trans (ub `|between x p S 0 0| _) => //; exists 0, 0; rewrite !lexx ler01.
Qed.

(* A prefix is an interval that begins at the smallest prediction. *)
Theorem stepCE_le_intervalCE x p S : stepCE x p S <= intervalCE x p S.
Proof.
apply: bigmax_le => [|t tS]; first exact: intervalCE_ge0.
have [s sS smin] := argmin p tS; apply: le_trans (intervalCE_ge x p sS tS).
by rewrite between_upto ?smin // below_first // subr0.
Qed.

(* Prefix sums differ by the sum in an interval. *)
Lemma upto_diff_le x p S a b : a <= b -> `|upto x p S b - upto x p S a| <= intervalCE x p S.
Proof.
move=> ab; pose P t := (t \in S) && (a < p t <= b).
have -> : upto x p S b - upto x p S a = \sum_(t | P t) residual x p t.
  rewrite /upto /P !big_mkcondr -sumrB; apply: eq_bigr => t _ /=.
  by have [ta|at_] := leP (p t) a; rewrite /= ?subr0 // (le_trans ta ab) subrr.
have [t0 Pt0|none] := pickP P; last by rewrite big_pred0 // normr0 intervalCE_ge0.
have [s /and3P[sS as_ sb] least] := argmin p Pt0.
apply: le_trans (between_le_intervalCE x p S (p s) b); rewrite le_eqVlt; apply/orP; left.
apply/eqP; congr `|_|; apply: eq_bigl => t; apply/andP/and3P => [[tS /andP[at_ tb]]|[tS st tb]].
  by split=> //; apply: least; rewrite /P tS at_.
by split=> //; rewrite (lt_le_trans as_ st).
Qed.

(* So intervalCE is the difference between the largest and the smallest prefix sum, where that of no
   rounds, 0, counts. *)
Theorem intervalCE_range x p S : intervalCE x p S =
  \big[Num.max/0]_(t in S) upto x p S (p t) + \big[Num.max/0]_(t in S) - upto x p S (p t).
Proof.
set M := \big[_/_]_(t in S) upto x p S (p t); set m := \big[_/_]_(t in S) - upto x p S (p t).
have [M0 m0] : 0 <= M /\ 0 <= m by rewrite !bigmax_ge0.
have bounds a : - m <= upto x p S a <= M.
  have [none|[t [tS _ same]]] := last_upto p S a.
    by rewrite /upto sum_none ?oppr_le0 ?m0.
  rewrite (_ : upto x p S a = upto x p S (p t)); last exact: sum_in.
  rewrite ler_oppl (@bigmax_ge _ _ (mem S) (fun t => - upto x p S (p t))) //=.
  exact: (@bigmax_ge _ _ (mem S) (fun t => upto x p S (p t))).
have below_bounds a : - m <= below x p S a <= M.
  have [none|[t [_ _ same]]] := last_below p S a; last by rewrite /below (sum_in _ same) bounds.
  by rewrite /below sum_none ?oppr_le0 ?m0.
apply/eqP; rewrite eq_le; apply/andP; split.
  apply: intervalCE_le => [|s t _ _]; first exact: addr_ge0.
  have [ts|st] := ltP (p t) (p s); first by rewrite between_none // normr0 addr_ge0.
  have [/andP[lo hi] /andP[lo' hi']] := (bounds (p t), below_bounds (p s)).
  rewrite between_upto // ler_norml opprD; apply/andP; split; last first.
    by rewrite ler_add // ler_oppl.
  by rewrite addrC ler_add // ler_opp2.
have half a : upto x p S a <= intervalCE x p S /\ - upto x p S a <= intervalCE x p S.
  have := le_trans (upto_le_stepCE x p S a) (stepCE_le_intervalCE x p S).
  by rewrite ler_norml => /andP[lo ->]; rewrite ler_oppl.
have [none|[t _ top]] := bigmax_attained (mem S) (fun t => upto x p S (p t)).
  rewrite [M]none add0r; apply: bigmax_le => [|s _]; first exact: intervalCE_ge0.
  by have [] := half (p s).
rewrite [M]top -ler_subr_addl; apply: bigmax_le => [|s _].
  by rewrite subr_ge0; have [] := half (p t).
rewrite ler_subr_addl.
have [st|ts] := leP (p s) (p t); first exact: le_trans (ler_norm _) (upto_diff_le x p S st).
by apply: le_trans (ler_norm _) _; rewrite distrC upto_diff_le // ltW.
Qed.

(* An interval is the difference of two prefixes. *)
Theorem intervalCE_le_2stepCE x p S : intervalCE x p S <= 2%:R * stepCE x p S.
Proof.
apply: intervalCE_le => [|s t _ _]; last exact: between_le_2stepCE.
by rewrite mulr_ge0 ?ler0n ?stepCE_ge0.
Qed.

(* The threshold sweep (L2154): prefix sums take one value for each round, and 0. *)
Theorem upto_values x p S (s : seq R) :
  (size (undup [seq upto x p S a | a <- s]) <= #|S|.+1)%N.
Proof.
have size_values : size (0 :: [seq upto x p S (p t) | t in S]) = #|S|.+1.
  by rewrite /= size_map -cardE.
rewrite -size_values; apply: uniq_leq_size; first exact: undup_uniq.
move=> v; rewrite mem_undup inE => /mapP[a _ ->].
have [none|[t [tS _ same]]] := last_upto p S a.
  by rewrite /upto sum_none ?eqxx.
by apply/orP; right; rewrite /upto (sum_in _ same); apply/mapP; exists t; rewrite ?mem_enum.
Qed.
End Step.
