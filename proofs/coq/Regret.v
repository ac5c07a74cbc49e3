(* V-calibration (eq:V-calibration, L342-351): its value, twice the largest one-sided limit of g at
   a prediction (VCalP), and its alternative form (prop:altform, L357-365, proof L1916-2057): twice
   the supremum of g (gP, altform). The steps of that proof: the mean is a best constant (beta_mu,
   L1927); the regret against it is the average of its limits (f_average, L1955), and 0 and 1 do no
   harm (f_at0, f_at1, L1961); at typical thresholds, neither predictions nor the mean, it is twice
   g (typical_f2g, L2024), and the others may be left out (typical_gP, L2016-2022). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Rules Step Hull.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Every piece is at most a limit at a prediction, and so at most half of VCal. *)
Section Upper.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a v : R).

Lemma half_VCal x p S : VCal x p S / 2%:R =
  \big[Num.max/0]_(t in S) Num.max (low x p S (p t)) (high x p S (p t)).
Proof. by rewrite /VCal mulrC mulKf // pnatr_eq0. Qed.

Lemma VCal_ge0 x p S : 0 <= VCal x p S.
Proof. by rewrite mulr_ge0 ?ler0n ?bigmax_ge0. Qed.

Lemma half_VCal_ge0 x p S : 0 <= VCal x p S / 2%:R.
Proof. by rewrite half_VCal bigmax_ge0. Qed.

(* The mirror image has the same VCal. *)
Lemma VCal_flip x p S : VCal (flipx x) (flipp p) S = VCal x p S.
Proof.
congr (_ * _); apply: eq_bigr => t _; rewrite low_flip high_flip /flipp subKr.
exact: maxC.
Qed.

Lemma low_at_le_VCal x p S t : t \in S -> low x p S (p t) <= VCal x p S / 2%:R.
Proof.
move=> tS; rewrite half_VCal.
apply: le_trans (bigmax_ge (fun t => Num.max (low x p S (p t)) (high x p S (p t))) tS).
by rewrite le_maxr lexx.
Qed.

(* A threshold just above the last of the rounds counted only loses. *)
Lemma lower_le_VCal x p S a : lower x p S a <= VCal x p S / 2%:R.
Proof.
rewrite lowerE; have [none|[t [tS ta same]]] := last_below p S a.
  by rewrite sum_none // half_VCal_ge0.
apply: le_trans (low_at_le_VCal x p tS); rewrite (sum_in _ same) lowE.
by apply: ler_sum => u _; rewrite ler_add2l ler_opp2 ltW.
Qed.

Lemma low_le_VCal x p S a : low x p S a <= VCal x p S / 2%:R.
Proof.
rewrite lowE; have [none|[t [tS ta same]]] := last_upto p S a.
  by rewrite sum_none // half_VCal_ge0.
apply: le_trans (low_at_le_VCal x p tS); rewrite (sum_in _ same) lowE.
by apply: ler_sum => u _; rewrite ler_add2l ler_opp2.
Qed.

Lemma upper_le_VCal x p S a : upper x p S a <= VCal x p S / 2%:R.
Proof. by rewrite -VCal_flip -[a](subKr 1) -lower_flip lower_le_VCal. Qed.

Lemma high_le_VCal x p S a : high x p S a <= VCal x p S / 2%:R.
Proof. by rewrite -VCal_flip -[a](subKr 1) -low_flip low_le_VCal. Qed.

(* If VCal is not 0, no threshold reaches half of it: the last prediction below, as a limit, is
   better. *)
Lemma lower_lt_VCal x p S a : 0 < VCal x p S -> lower x p S a < VCal x p S / 2%:R.
Proof.
move=> V0; rewrite lowerE; have [none|[t [tS ta same]]] := last_below p S a.
  by rewrite sum_none // divr_gt0 ?ltr0n.
apply: lt_le_trans (low_at_le_VCal x p tS); rewrite (sum_in _ same) lowE -subr_gt0 -sumrB.
rewrite (eq_bigr (fun=> a - p t)) => [|u _]; last by ring.
rewrite (bigD1 t) /= ?tS ?lexx // ltr_paddr ?subr_gt0 //.
by apply: sumr_ge0 => u _; rewrite subr_ge0 ltW.
Qed.

Lemma upper_lt_VCal x p S a : 0 < VCal x p S -> upper x p S a < VCal x p S / 2%:R.
Proof. by rewrite -(VCal_flip x) => V0; rewrite -[a](subKr 1) -lower_flip lower_lt_VCal. Qed.

(* So g, and its closure, are at most half of VCal. *)
Lemma gbar_le_VCal x p S a : gbar x p S a <= VCal x p S / 2%:R.
Proof. by rewrite gbar_le lower_le_VCal upper_le_VCal low_le_VCal high_le_VCal. Qed.

Lemma g_le_VCal x p S a : g x p S a <= VCal x p S / 2%:R.
Proof. exact: le_trans (g_le_gbar x p S a) (gbar_le_VCal x p S a). Qed.

(* A bound of the closure of g at predictions bounds half of VCal. *)
Lemma half_VCal_le x p S v : 0 <= v -> (forall t, t \in S -> gbar x p S (p t) <= v) ->
  VCal x p S / 2%:R <= v.
Proof.
move=> v0 bound; rewrite half_VCal bigmax_le // => t /bound.
by rewrite gbar_le le_maxl => /and4P[_ _ -> ->].
Qed.

(* A bound of g on [0,1] bounds its closure, and so half of VCal. *)
Lemma gbar_le_bound x p S v : predictions p -> (forall a, 0 <= a <= 1 -> g x p S a <= v) ->
  forall a, 0 <= a <= 1 -> gbar x p S a <= v.
Proof.
move=> p01 bound a a01; apply/ler_addgt0Pr => e e0.
have [b [b01 _ ab]] := approach x S p01 a01 e0.
by rewrite -ler_subl_addr (le_trans ab) // bound.
Qed.

Lemma VCal_least x p S v : predictions p -> (forall a, 0 <= a <= 1 -> g x p S a <= v) ->
  VCal x p S / 2%:R <= v.
Proof.
move=> p01 bound; have bar := gbar_le_bound p01 bound.
apply: half_VCal_le => [|t _]; last exact: bar.
by apply: le_trans (gbar_at0 x S p01) (bar 0 _); rewrite lexx ler01.
Qed.

(* Half of VCal is the supremum of g over the thresholds in [0,1]. *)
Theorem gP x p S : predictions p -> is_sup_g x p S (VCal x p S / 2%:R).
Proof.
move=> p01; split=> [_ [a _ ->]|u ub]; first exact: g_le_VCal.
by apply: VCal_least => // a a01; apply: ub; exists a.
Qed.
End Upper.

(* The regret of the V-shaped rule with kink a against the constant b. *)
Section Regret.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b c e u v w : R).

Lemma regretE x p S a b : regret x p S a b =
  \sum_(t in S) ((x t)%:R - a) * (Num.sg (a - p t) - Num.sg (a - b)).
Proof.
rewrite /regret /loss -sumrB; apply: eq_bigr => t _.
rewrite /vshaped -(opprB (p t) a) -(opprB b a) !sgrN.
by move: (Num.sg _) (Num.sg _) => s r; ring.
Qed.

(* beta=mu (L1927): for the V-shaped rules too, the mean is a best constant. *)
Lemma beta_mu x S a b : 0 <= a <= 1 -> 0 <= b <= 1 ->
  loss (vshaped a) x (fun=> mu R x S) S <= loss (vshaped a) x (fun=> b) S.
Proof. by move=> a01 b01; apply: proper_constant => //; exact: vshaped_proper. Qed.

(* Only the side of the kink on which the constant is matters. *)
Lemma regret_above x p S a b : a < b -> regret x p S a b = lower x p S a + low x p S a.
Proof.
move=> ab; rewrite regretE lowerE lowE !big_mkcondr -big_split; apply: eq_bigr => t _ /=.
rewrite (ltr0_sg (_ : a - b < 0)) ?subr_lt0 //.
case: (ltgtP (p t) a) => [ta|ta|->]; last by rewrite subrr sgr0; ring.
  by rewrite gtr0_sg ?subr_gt0 //; ring.
by rewrite ltr0_sg ?subr_lt0 //; ring.
Qed.

Lemma regret_below x p S a b : b < a -> regret x p S a b = upper x p S a + high x p S a.
Proof.
move=> ba; rewrite regretE upperE highE !big_mkcondr -big_split; apply: eq_bigr => t _ /=.
rewrite (gtr0_sg (_ : 0 < a - b)) ?subr_gt0 //.
case: (ltgtP (p t) a) => [ta|ta|->]; last by rewrite subrr sgr0; ring.
  by rewrite gtr0_sg ?subr_gt0 //; ring.
by rewrite ltr0_sg ?subr_lt0 //; ring.
Qed.

Lemma regret_at x p S a : regret x p S a a = lower x p S a + upper x p S a.
Proof.
rewrite regretE lowerE upperE !big_mkcondr -big_split; apply: eq_bigr => t _ /=.
rewrite subrr sgr0; case: (ltgtP (p t) a) => [ta|ta|->]; last by rewrite subrr sgr0; ring.
  by rewrite gtr0_sg ?subr_gt0 //; ring.
by rewrite ltr0_sg ?subr_lt0 //; ring.
Qed.

(* Half of each is at most half of VCal, so the regret is at most VCal. *)
Lemma regret_le_VCal x p S a b : regret x p S a b <= VCal x p S.
Proof.
have half : VCal x p S = VCal x p S / 2%:R + VCal x p S / 2%:R by field.
rewrite half; case: (ltgtP a b) => [ab|ba|->].
- by rewrite regret_above // ler_add ?lower_le_VCal ?low_le_VCal.
- by rewrite regret_below // ler_add ?upper_le_VCal ?high_le_VCal.
- by rewrite regret_at ler_add ?lower_le_VCal ?upper_le_VCal.
Qed.

(* At typical thresholds the pieces are their limits, *)
Lemma low_typical x p S a : typical x p S a -> low x p S a = lower x p S a.
Proof. by case=> _ out; rewrite lowE lowerE; apply: sum_in => t tS; rewrite lt_neqAle out. Qed.

Lemma high_typical x p S a : typical x p S a -> high x p S a = upper x p S a.
Proof.
by case=> _ out; rewrite highE upperE; apply: sum_in => t tS; rewrite lt_neqAle eq_sym out.
Qed.

(* and the larger piece is that on the side on which the mean is not, *)
Lemma low_sub_upper x p S a : low x p S a - upper x p S a = (mu R x S - a) * #|S|%:R.
Proof.
rewrite mulrBl mu_card count_rounds mulr_sumr -sumrB lowE upperE.
rewrite [RHS](sum_split S (fun t => p t <= a)) -sumrN; congr (_ + _).
  by apply: eq_bigr => t _; rewrite mulr1.
by apply: eq_big => [t|t _]; rewrite ?opprB ?mulr1 -?ltNge.
Qed.

(* so that the regret against the mean is twice g (typical-f-2g, L2024-2056). *)
Lemma typical_f2g x p S a : typical x p S a -> regret x p S a (mu R x S) = 2%:R * g x p S a.
Proof.
move=> typ; have diff := low_sub_upper x p S a; rewrite low_typical // in diff.
have -> : g x p S a = Num.max (lower x p S a) (upper x p S a) by [].
have [am|ma|am] := ltgtP a (mu R x S); last by case: typ; rewrite am eqxx.
  rewrite regret_above // low_typical // mulr_natl mulr2n (max_idPl _) //.
  by rewrite -subr_ge0 diff mulr_ge0 ?ler0n // subr_ge0 ltW.
rewrite regret_below // high_typical // mulr_natl mulr2n (max_idPr _) //.
by rewrite -subr_le0 diff mulr_le0_ge0 ?ler0n // subr_le0 ltW.
Qed.

(* Typical thresholds are just above, and just below, any threshold. *)
Lemma typical_above x p S a c : a < c -> exists b, [/\ a < b, b < c, typical x p S b &
  forall t, t \in S -> (p t <= b) = (p t <= a)].
Proof.
move=> ac; pose d := if a < mu R x S < c then mu R x S else c.
have ad : a < d by rewrite /d; case: ifP => // /andP[].
have dc : d <= c by rewrite /d; case: ifP => // /andP[_ /ltW].
have [b [ab bd same]] := gap_above p S ad; exists b; split=> //.
- exact: lt_le_trans bd dc.
- split=> [|t tS]; apply/eqP => eb.
    by move: bd; rewrite /d eb ab /=; case: ifP => [_|bc]; rewrite ?ltxx // bc.
  by have [] := same t tS; rewrite eb lexx ltxx => <-.
- by move=> t /same[].
Qed.

Lemma typical_below x p S a c : c < a -> exists b, [/\ c < b, b < a, typical x p S b &
  forall t, t \in S -> (p t < b) = (p t < a)].
Proof.
move=> ca; pose d := if c < mu R x S < a then mu R x S else c.
have da : d < a by rewrite /d; case: ifP => // /andP[].
have cd : c <= d by rewrite /d; case: ifP => // /andP[/ltW].
have [b [db ba same]] := gap_below p S da; exists b; split=> //.
- exact: le_lt_trans cd db.
- split=> [|t tS]; apply/eqP => eb.
    by move: db; rewrite /d eb ba andbT /=; case: ifP => [_|cb]; rewrite ?ltxx // cb.
  by have [] := same t tS; rewrite eb lexx ltxx => <-.
- by move=> t /same[].
Qed.

(* Each piece is at most a value at a typical threshold (L1998-2009, with <= for =). *)
Lemma upper_le_typical x p S a : 0 <= a < 1 ->
  exists b, [/\ 0 <= b <= 1, typical x p S b & upper x p S a <= upper x p S b].
Proof.
case/andP=> a0 a1; have [b [ab b1 typ same]] := typical_above x p S a1.
exists b; split=> //; first by rewrite (le_trans a0 (ltW ab)) ltW.
rewrite !upperE [X in _ <= X](@sum_in _ _ _ _ (fun t => a < p t)) => [|t tS].
  by apply: ler_sum => t _; rewrite ler_add2r ltW.
by rewrite !ltNge same.
Qed.

Lemma lower_le_typical x p S a : 0 < a <= 1 ->
  exists b, [/\ 0 <= b <= 1, typical x p S b & lower x p S a <= lower x p S b].
Proof.
case/andP=> a0 a1; have [b [b0 ba typ same]] := typical_below x p S a0.
exists b; split=> //; first by rewrite (ltW b0) (le_trans (ltW ba)).
by rewrite !lowerE (sum_in _ same); apply: ler_sum => t _; rewrite ler_add2l ler_opp2 ltW.
Qed.

(* Near 0 the lower piece is close to a nonnegative value (what L2022 needs besides g(0) = 0). *)
Lemma typical_near0 x p S e : 0 < e ->
  exists b, [/\ 0 <= b <= 1, typical x p S b & - e <= lower x p S b].
Proof.
move=> e0; have card1 : 0 < 1 + #|S|%:R :> R by rewrite ltr_paddr ?ler0n ?ltr01.
pose c := Num.min 1 (e / (1 + #|S|%:R)).
have c0 : 0 < c by rewrite lt_minr ltr01 divr_gt0.
have [b [b0 bc typ _]] := typical_above x p S c0; exists b; split=> //.
  by rewrite (ltW b0) (le_trans (ltW bc)) // le_minl lexx.
have small : b * #|S|%:R <= e.
  have: b * (1 + #|S|%:R) <= e.
    by rewrite -ler_pdivl_mulr // (le_trans (ltW bc)) // le_minl lexx orbT.
  by apply: le_trans; rewrite ler_pmul2l // ler_addr ler01.
rewrite ler_oppl (le_trans _ small) // count_rounds mulr_sumr lowerE -sumrN big_mkcondr /=.
apply: ler_sum => t _; rewrite mulr1; case: ifP => _; last exact: ltW.
by rewrite opprB ler_subl_addr ler_addl ler0n.
Qed.

(* g-at-0-and-1 (L2016-2022): g is 0 at the ends of [0,1], *)
Lemma g_at0 x p S : predictions p -> g x p S 0 = 0.
Proof.
move=> p01; rewrite /g -/(lower x p S 0) lower_at0 // mul0r sub0r.
by apply/max_idPl; rewrite oppr_le0 sumr_ge0 // => t _; rewrite ler0n.
Qed.

Lemma g_at1 x p S : predictions p -> g x p S 1 = 0.
Proof.
by move=> p01; rewrite -(g_at0 (flipx x) S (flip_predictions p01)) g_flip subr0.
Qed.

(* and what bounds g at typical thresholds bounds it on [0,1]: *)
Lemma typical_bound x p S v : predictions p ->
  (forall a, 0 <= a <= 1 -> typical x p S a -> g x p S a <= v) ->
  forall a, 0 <= a <= 1 -> g x p S a <= v.
Proof.
move=> p01 bound; have v0 : 0 <= v.
  apply/ler_addgt0Pr => e /(typical_near0 x p S)[b [b01 typ eb]].
  rewrite -ler_subl_addr sub0r (le_trans eb) // (le_trans _ (bound b b01 typ)) //.
  by rewrite le_maxr lexx.
move=> a /andP[a0 a1]; rewrite /g le_maxl; apply/andP; split.
  move: a0; rewrite le_eqVlt => /orP[/eqP<-|a0]; first by rewrite -/(lower x p S 0) lower_at0.
  have [|b [b01 typ ab]] := @lower_le_typical x p S a; first by rewrite a0.
  by rewrite (le_trans ab) // (le_trans _ (bound b b01 typ)) // le_maxr lexx.
move: a1; rewrite le_eqVlt => /orP[/eqP->|a1]; first by rewrite -/(upper x p S 1) upper_at1.
have [|b [b01 typ ab]] := @upper_le_typical x p S a; first by rewrite a0.
by rewrite (le_trans ab) // (le_trans _ (bound b b01 typ)) // le_maxr lexx orbT.
Qed.

(* the supremum over typical thresholds is that over all of [0,1]. *)
Theorem typical_gP x p S : predictions p ->
  is_sup (fun v => exists a, [/\ 0 <= a <= 1, typical x p S a & v = g x p S a])
    (VCal x p S / 2%:R).
Proof.
move=> p01; split=> [_ [a [_ _ ->]]|u ub]; first exact: g_le_VCal.
by apply: VCal_least => //; apply: typical_bound => // a a01 typ; apply: ub; exists a.
Qed.

(* VCal is the supremum of the regrets. *)
Theorem VCalP x p S : predictions p -> is_VCal x p S (VCal x p S).
Proof.
move=> p01; split=> [_ [a [b [_ _ ->]]]|u ub]; first exact: regret_le_VCal.
rewrite -(ler_pmul2r (_ : 0 < 2%:R^-1)) ?invr_gt0 ?ltr0n //.
apply: VCal_least => //; apply: typical_bound => // a a01 typ.
rewrite ler_pdivl_mulr ?ltr0n // mulrC -typical_f2g //.
by apply: ub; exists a, (mu R x S); rewrite mu_in01.
Qed.

(* Against the mean alone (L1922). *)
Theorem mean_VCalP x p S : predictions p ->
  is_sup (fun v => exists2 a, 0 <= a <= 1 & v = regret x p S a (mu R x S)) (VCal x p S).
Proof.
move=> p01; split=> [_ [a _ ->]|u ub]; first exact: regret_le_VCal.
apply: sup_le (VCalP x S p01) _ => _ [a [b [a01 b01 ->]]].
apply: le_trans (ub _ (ex_intro2 _ _ a a01 erefl)).
by rewrite ler_add2l ler_opp2 beta_mu.
Qed.

(* VCal is attained only if it is 0 (L347). *)
Theorem VCal_reached x p S : predictions p ->
  (exists2 a, 0 <= a <= 1 & regret x p S a (mu R x S) = VCal x p S) <-> VCal x p S = 0.
Proof.
move=> p01; split=> [[a a01 reached]|zero].
  apply/eqP; rewrite eq_le VCal_ge0 andbT leNgt; apply/negP => V0.
  have half : VCal x p S = VCal x p S / 2%:R + VCal x p S / 2%:R by field.
  have lo := lower_lt_VCal a V0; have up := upper_lt_VCal a V0.
  suff: regret x p S a (mu R x S) < VCal x p S by rewrite reached ltxx.
  rewrite half; case: (ltgtP a (mu R x S)) => [am|ma|<-].
  - by rewrite regret_above // ltr_le_add // low_le_VCal.
  - by rewrite regret_below // ltr_le_add // high_le_VCal.
  - by rewrite regret_at ltr_add.
exists 0; rewrite ?lexx ?ler01 //; apply/eqP; rewrite eq_le regret_le_VCal zero /=.
have [m0 _] := andP (mu_in01 R x S).
case: (ltgtP 0 (mu R x S)) m0 => // [m0 _|m0 _].
  rewrite regret_above // lower_at0 // add0r lowE; apply: sumr_ge0 => t _.
  by rewrite subr0 ler0n.
rewrite -m0 regret_at lower_at0 // add0r upperE; apply: sumr_ge0 => t /andP[tS _].
by rewrite (@outcome_mu0 R T x S t) ?subrr // -m0.
Qed.

(* It is 0 exactly if g is nowhere positive. *)
Theorem VCal0_g x p S : predictions p ->
  VCal x p S = 0 <-> forall a, 0 <= a <= 1 -> g x p S a <= 0.
Proof.
move=> p01; split=> [zero a _|neg]; first by have := g_le_VCal x p S a; rewrite zero mul0r.
apply/eqP; rewrite eq_le VCal_ge0 andbT.
by have := VCal_least p01 neg; rewrite ler_pdivr_mulr ?ltr0n // mul0r.
Qed.

(* prop:altform: VCal is twice the supremum of g. *)
Theorem altform x p S v w : predictions p -> is_VCal x p S v -> is_sup_g x p S w -> v = 2%:R * w.
Proof.
move=> p01 /(sup_unique (VCalP x S p01)) <- /(sup_unique (gP x S p01)) <-.
by rewrite mulrC divfK // pnatr_eq0.
Qed.
End Regret.

(* The limits of the regret against the mean, f in the paper (L1930), from either side, for real
   thresholds. *)
Section Limits.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b d e k l q : R) (f : R -> R).

(* A small distance times a slope is small. *)
Lemma small_slope k e : 0 < e ->
  exists2 d, 0 < d & forall b, `|b| < d -> `|b * k| <= e.
Proof.
move=> e0; have k1 : 0 < 1 + `|k| by rewrite ltr_paddr ?ltr01.
exists (e / (1 + `|k|)) => [|b]; first by rewrite divr_gt0.
rewrite ltr_pdivl_mulr // => /ltW be; rewrite normrM (le_trans _ be) //.
by rewrite ler_wpmul2l // ler_addr ler01.
Qed.

(* What is affine on one side of a has a limit there. *)
Lemma affine_above f a l k d : a < d -> (forall b, a < b < d -> f b = l + (b - a) * k) ->
  limit_above f a l.
Proof.
move=> ad fE e /(small_slope k)[c c0 small].
exists (Num.min d (a + c)); first by rewrite lt_minr ad ltr_addl.
move=> b /andP[ab]; rewrite lt_minr => /andP[bd bc].
by rewrite fE ?ab // addrC addKr small // gtr0_norm ?subr_gt0 // ltr_subl_addl.
Qed.

Lemma affine_below f a l k d : d < a -> (forall b, d < b < a -> f b = l + (b - a) * k) ->
  limit_below f a l.
Proof.
move=> da fE e /(small_slope k)[c c0 small].
exists (Num.max d (a - c)); first by rewrite lt_maxl da ltr_subl_addr ltr_addl.
move=> b /andP[+ ba]; rewrite lt_maxl => /andP[db cb].
by rewrite fE ?db // addrC addKr small // ltr0_norm ?subr_lt0 // opprB ltr_subl_addr -ltr_subl_addl.
Qed.

(* The sign of a threshold minus q, just above and just below a threshold. *)
Definition side (above : bool) : R := if above then 1 else -1.

Lemma sg_side a q : Num.sg (a - q) = (side (q <= a) + side (q < a)) / 2%:R.
Proof.
case: (ltgtP q a) => [qa|aq|->]; rewrite /side; last by rewrite subrr sgr0; field.
  by rewrite gtr0_sg ?subr_gt0 //; field.
by rewrite ltr0_sg ?subr_lt0 //; field.
Qed.

Definition f_above x p S a : R :=
  \sum_(t in S) ((x t)%:R - a) * (side (p t <= a) - side (mu R x S <= a)).
Definition f_below x p S a : R :=
  \sum_(t in S) ((x t)%:R - a) * (side (p t < a) - side (mu R x S < a)).

(* Where every sign is the same, the sum is affine. *)
Lemma affine_sum x S (s : 'I_T -> R) a b : \sum_(t in S) ((x t)%:R - b) * s t =
  \sum_(t in S) ((x t)%:R - a) * s t + (b - a) * (- \sum_(t in S) s t).
Proof. by rewrite mulrN mulr_sumr -sumrB; apply: eq_bigr => t _; ring. Qed.

Lemma f_above_limit x p S a :
  limit_above (fun b => regret x p S b (mu R x S)) a (f_above x p S a).
Proof.
set m := mu R x S; pose c := if a < m then m else a + 1.
have ac : a < c by rewrite /c; case: ifP => //; rewrite ltr_addl ltr01.
have [d [ad dc same]] := gap_above p S ac.
pose s t := side (p t <= a) - side (m <= a).
apply: (affine_above (k := - \sum_(t in S) s t) ad) => b /andP[ab bd].
rewrite regretE; transitivity (\sum_(t in S) ((x t)%:R - b) * s t); last exact: affine_sum.
apply: eq_bigr => t tS; congr (_ * (_ - _)).
  case: (leP (p t) a) => [ta|/lt_geF at_]; first by rewrite gtr0_sg // subr_gt0 (le_lt_trans ta).
  rewrite ltr0_sg // subr_lt0 (lt_trans bd) // ltNge.
  by have [-> _] := same t tS; rewrite at_.
case: (leP m a) => ma; first by rewrite gtr0_sg // subr_gt0 (le_lt_trans ma).
by rewrite ltr0_sg // subr_lt0 (lt_trans bd) // (lt_le_trans dc) // /c ma.
Qed.

Lemma f_below_limit x p S a :
  limit_below (fun b => regret x p S b (mu R x S)) a (f_below x p S a).
Proof.
set m := mu R x S; pose c := if m < a then m else a - 1.
have ca : c < a by rewrite /c; case: ifP => //; rewrite ltr_subl_addr ltr_addl ltr01.
have [d [cd da same]] := gap_below p S ca.
pose s t := side (p t < a) - side (m < a).
apply: (affine_below (k := - \sum_(t in S) s t) da) => b /andP[db ba].
rewrite regretE; transitivity (\sum_(t in S) ((x t)%:R - b) * s t); last exact: affine_sum.
apply: eq_bigr => t tS; congr (_ * (_ - _)).
  case: (ltP (p t) a) => [ta|at_]; last by rewrite ltr0_sg // subr_lt0 (lt_le_trans ba).
  rewrite gtr0_sg // subr_gt0 (le_lt_trans _ db) //.
  by have [-> _] := same t tS; rewrite ta.
case: (ltP m a) => ma; last by rewrite ltr0_sg // subr_lt0 (lt_le_trans ba).
by rewrite gtr0_sg // subr_gt0 (lt_trans _ db) // (le_lt_trans _ cd) // /c ma.
Qed.

(* eq:f-average-of-two-limits (L1955): f is the average of its limits, at every threshold. *)
Theorem f_average x p S a :
  regret x p S a (mu R x S) = (f_below x p S a + f_above x p S a) / 2%:R.
Proof.
rewrite regretE -big_split mulr_suml; apply: eq_bigr => t _ /=.
by rewrite !sg_side; field.
Qed.

(* eq:f-alpha=0 (L1961): at 0 the limit from inside [0,1] is not the smaller one, and at 1. *)
Theorem f_at0 x p S : predictions p -> f_below x p S 0 <= f_above x p S 0.
Proof.
move=> p01; apply: ler_sum => t tS; have /andP[t0 _] := p01 t; have /andP[m0 _] := mu_in01 R x S.
rewrite !subr0 [p t < 0]ltNge t0 [mu R x S < 0]ltNge m0 subrr mulr0.
case: (leP (mu R x S) 0) => [/outcome_mu0 ->|_] //; first by rewrite mul0r.
rewrite mulr_ge0 ?ler0n // /side opprK; case: (p t <= 0); last by rewrite addNr.
by rewrite addr_ge0 ?ler01.
Qed.

Theorem f_at1 x p S : predictions p -> f_above x p S 1 <= f_below x p S 1.
Proof.
move=> p01; apply: ler_sum => t tS; have /andP[_ t1] := p01 t; have /andP[_ m1] := mu_in01 R x S.
rewrite t1 m1 subrr mulr0.
case: (ltP (mu R x S) 1) => [_|/outcome_mu1 ->] //; last by rewrite subrr mul0r.
rewrite mulr_le0 ?subr_le0 ?lern1 ?leq_b1 //.
by case: (p t < 1); rewrite // (le_trans (lerN10 R)) ?ler01.
Qed.
End Limits.

(* One round, an outcome of 1, predicted 0: g (a) is 1 - a for a > 0, and 0 at 0. So its supremum,
   1, is approached and not reached (against L1020). *)
Section NotAttained.
Variable R : realFieldType.
Implicit Types a b w : R.
Let x : 'I_1 -> bool := fun=> true.
Let p : 'I_1 -> R := fun=> 0.

Lemma one_g a : 0 <= a <= 1 -> g x p setT a = if 0 < a then 1 - a else 0.
Proof.
case/andP=> a0 a1; rewrite /g -/(lower x p setT a) -/(upper x p setT a).
have -> : upper x p setT a = 0 by apply: upper_none => t _; rewrite -leNgt.
case: ifP => [a_pos|none].
  rewrite lowerE (eq_bigl xpredT) ?big_ord1 => [|t]; last by rewrite in_setT.
  by apply/max_idPl; rewrite subr_ge0.
by rewrite lower_none ?maxxx // => t _; rewrite none.
Qed.

Theorem sup_g_not_attained : predictions p /\
  forall w, is_sup_g x p setT w -> forall a, 0 <= a <= 1 -> g x p setT a < w.
Proof.
split=> [t|w [ub _] a a01]; first by rewrite lexx ler01.
have below b : 0 < b <= 1 -> 1 - b <= w.
  case/andP=> b0 b1; have b01 : 0 <= b <= 1 by rewrite (ltW b0).
  by apply: ub; exists b => //; rewrite one_g // b0.
have two (c : R) : 0 < c -> 0 < c / 2%:R < c.
  by move=> c0; rewrite divr_gt0 ?ltr0n //= ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_addl.
rewrite one_g //; case: ifP => a_pos; move: (two _ ltr01); have := two a.
  rewrite a_pos => /(_ isT)/andP[h0 ha] _; apply: lt_le_trans (below (a / 2%:R) _).
    by rewrite ltr_add2l ltr_opp2.
  by rewrite h0 (le_trans (ltW ha)) //; case/andP: a01.
move=> _ /andP[h0 h1]; apply: lt_le_trans (below (1 / 2%:R) _); first by rewrite subr_gt0.
by rewrite h0 ltW.
Qed.
End NotAttained.
