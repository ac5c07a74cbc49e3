(* UCal is four times the least concave majorant of g at 1/2 (UCAL_FORMULA; beyond the paper): a
   line over the upper hull of g is concave, and any concave function over g is over the chords of
   its upper closure as well, because it is nearly continuous inside (above_near). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Rules Step Abel ECE.
From Truecal Require Import Probability Subsampled Hull Regret VCal UCal.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The least concave majorant. *)
Section Majorant.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b e u v w : R) (h : R -> R).

(* A concave function at 1/2 is at least its chords there. *)
Lemma concave_chord h a b : concave h -> 0 <= a -> a < b -> b <= 1 -> 2%:R * a <= 1 ->
  1 <= 2%:R * b ->
  (2%:R * b - 1) * h a + (1 - 2%:R * a) * h b <= 2%:R * (b - a) * h (1 / 2%:R).
Proof.
move=> hP a0 ab b1 a_half b_half; have d0 : 0 < 2%:R * (b - a) by rewrite mulr_gt0 ?ltr0n ?subr_gt0.
have dN0 : 2%:R * (b - a) != 0 by rewrite gt_eqF.
have bN0 : b - a != 0 by rewrite subr_eq0 gt_eqF.
pose c := (2%:R * b - 1) / (2%:R * (b - a)).
have c01 : 0 <= c <= 1.
  rewrite divr_ge0 ?subr_ge0 ?(ltW d0) //= ler_pdivr_mulr // mul1r.
  by apply: same_gap a_half; ring.
have a01 : 0 <= a <= 1 by rewrite a0 (le_trans (ltW ab)).
have b01 : 0 <= b <= 1 by rewrite b1 (le_trans a0 (ltW ab)).
have := ler_wpmul2l (ltW d0) (hP a b c a01 b01 c01).
have -> : c * a + (1 - c) * b = 1 / 2%:R by rewrite /c; field; rewrite bN0.
by apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /c; field.
Qed.

(* What holds with every small error holds. *)
Lemma small_errors v w d k : 0 < d -> (forall e, 0 < e <= d -> v <= w + e * k) -> v <= w.
Proof.
move=> d0 close; apply/ler_addgt0Pr => e e0; have k0 : 0 < 1 + `|k| by rewrite ltr_paddr ?ltr01.
pose f := Num.min d (e / (1 + `|k|)); have f0 : 0 < f by rewrite lt_minr d0 divr_gt0.
apply: le_trans (close f _) _; first by rewrite f0 le_minl lexx.
rewrite ler_add2l (le_trans (ler_wpmul2l (ltW f0) (ler_norm k))) //.
have: f * (1 + `|k|) <= e by rewrite -ler_pdivl_mulr // le_minl lexx orbT.
by apply: le_trans; rewrite ler_wpmul2l ?(ltW f0) // ler_addr ler01.
Qed.

Section Above.
Variables (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (h : R -> R).
Hypothesis p01 : predictions p.
Hypothesis hP : concave h.
Hypothesis gh : forall b, 0 <= b <= 1 -> g x p S b <= h b.
Let m := h (1 / 2%:R).

(* A concave function over g is nonnegative at the ends, *)
Lemma above_ends : 0 <= h 0 /\ 0 <= h 1.
Proof.
by split; [rewrite -{1}(g_at0 x S p01)|rewrite -{1}(g_at1 x S p01)];
  apply: gh; rewrite ?lexx ?ler01.
Qed.

(* and so at 1/2. *)
Lemma above_half : 0 <= m.
Proof.
have [h0 h1] := above_ends; have := concave_chord hP (lexx 0) ltr01 (lexx 1).
rewrite mulr0 mulr1 ler01 (ler_nat _ 1 2) => /(_ isT isT); rewrite !subr0 mulr1 => chord.
rewrite -(pmulr_rge0 _ (ltr0Sn R 1)); apply: le_trans chord.
by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?ler01 ?(ler_nat _ 1 2).
Qed.

(* Near 1/2 it is hardly smaller than at 1/2. *)
Lemma above_near b e : 0 <= b <= 1 -> `|2%:R * b - 1| <= e -> h b <= m + e * m.
Proof.
move=> /andP[b0 b1]; have [h0 h1] := above_ends; have m0 := above_half.
have scale k : k <= 1 + e -> k * m <= m + e * m.
  by move=> ke; rewrite -{2}[m]mul1r -mulrDl ler_wpmul2r.
case: (leP (2%:R * b) 1) => [b_half|b_half].
  rewrite ler0_norm ?subr_le0 // opprB => be.
  have bl : b < 1 by rewrite -(ltr_pmul2l (ltr0Sn R 1)) mulr1 (le_lt_trans b_half) ?(ltr_nat _ 1 2).
  have := concave_chord hP b0 bl (lexx 1) b_half; rewrite mulr1 (ler_nat _ 1 2) => /(_ isT).
  have -> : 2%:R - 1 = 1 :> R by ring.
  rewrite mul1r => chord; apply: le_trans (scale (2%:R * (1 - b)) _).
    by apply: le_trans chord; rewrite ler_addl mulr_ge0 // subr_ge0.
  by apply: same_gap be; ring.
rewrite gtr0_norm ?subr_gt0 // => be.
have bg : 0 < b by rewrite -(pmulr_rgt0 _ (ltr0Sn R 1)) (lt_trans ltr01).
have := concave_chord hP (lexx 0) bg b1; rewrite mulr0 ler01 subr0 mul1r => /(_ isT (ltW b_half)).
rewrite subr0 => chord; apply: le_trans (scale (2%:R * b) _).
  by apply: le_trans chord; rewrite ler_addr mulr_ge0 // subr_ge0 ltW.
by apply: same_gap be; ring.
Qed.

(* So it is at least the closure of g at 1/2, *)
Lemma above_middle a : 2%:R * a = 1 -> gbar x p S a <= m.
Proof.
move=> half; have a01 : 0 <= a <= 1.
  rewrite -(pmulr_rge0 _ (ltr0Sn R 1)) -[a <= 1](ler_pmul2l (ltr0Sn R 1)) half ler01.
  by rewrite mulr1 (ler_nat _ 1 2).
apply: (@small_errors _ _ 1 (1 + 2%:R * m) ltr01) => e /andP[e0 _].
have [b [b01 ba gb]] := approach x S p01 a01 e0.
have := le_trans gb (gh b01); have near : `|2%:R * b - 1| <= 2%:R * e.
  have -> : 2%:R * b - 1 = 2%:R * (b - a) by rewrite mulrBr half.
  by rewrite normrM ger0_norm ?ler0n // ler_wpmul2l ?ler0n.
move/le_trans/(_ (above_near b01 near)); rewrite ler_subl_addr.
by move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* and so, at 1/2, at least every chord of the closure of g. *)
Lemma above_chord a b : 0 <= a <= 1 -> 0 <= b <= 1 -> 2%:R * a <= 1 -> 1 <= 2%:R * b ->
  chord x p S a b <= m.
Proof.
move=> a01 b01; rewrite /chord; case: eqP => [<-|/eqP neqab] a_half b_half.
  by apply: above_middle; apply/eqP; rewrite eq_le a_half.
have ab : a < b by rewrite lt_neqAle neqab -(ler_pmul2l (ltr0Sn R 1)) (le_trans a_half).
have d0 : 0 < 2%:R * (b - a) by rewrite mulr_gt0 ?ltr0n ?subr_gt0.
rewrite ler_pdivr_mulr // [X in _ <= X]mulrC; move: a_half b_half.
rewrite le_eqVlt => /orP[/eqP half|a_half].
  rewrite half subrr mul0r addr0 [2%:R * (b - a)]mulrBr half -subr_ge0 => b_half.
  by rewrite ler_wpmul2l ?above_middle.
rewrite le_eqVlt => /orP[/eqP/esym half|b_half].
  rewrite half subrr mul0r add0r [2%:R * (b - a)]mulrBr half.
  by rewrite ler_wpmul2l ?above_middle ?subr_ge0 // ltW.
set A := gbar x p S a; set B := gbar x p S b.
pose d := Num.min ((1 - 2%:R * a) / 4%:R) ((2%:R * b - 1) / 4%:R).
apply: (@small_errors _ _ d (2%:R * (`|A| + `|B| + 1 + 2%:R * m))).
  by rewrite lt_minr !divr_gt0 ?ltr0n ?subr_gt0.
move=> e /andP[e0]; rewrite le_minr !ler_pdivl_mulr ?ltr0n // => /andP[ea eb].
have [a' [a01' aa' ga]] := approach x S p01 a01 e0.
have [b' [b01' bb' gb]] := approach x S p01 b01 e0.
have near c c' : `|c' - c| <= e -> c - e <= c' <= c + e.
  by rewrite ler_norml => /andP[]; rewrite ler_subr_addl => ->; rewrite ler_subl_addl => ->.
have less : e * 2%:R < e * 4%:R by rewrite ltr_pmul2l ?ltr_nat.
have a_half' : 2%:R * a' < 1.
  have /andP[_ aa] := near _ _ aa'; apply: le_lt_trans (ler_wpmul2l (ler0n R 2) aa) _.
  by rewrite mulrDr -ltr_subr_addl mulrC (lt_le_trans less).
have b_half' : 1 < 2%:R * b'.
  have /andP[bb _] := near _ _ bb'; apply: lt_le_trans (ler_wpmul2l (ler0n R 2) bb).
  by rewrite mulrBr ltr_subr_addl -ltr_subr_addr mulrC (lt_le_trans less).
have ab' : a' < b' by rewrite -(ltr_pmul2l (ltr0Sn R 1)) (lt_trans a_half').
have /andP[a'0 a'1] := a01'; have /andP[b'0 b'1] := b01'.
have chords : (2%:R * b' - 1) * (A - e) + (1 - 2%:R * a') * (B - e) <= 2%:R * (b' - a') * m.
  apply: le_trans _ (concave_chord hP a'0 ab' b'1 (ltW a_half') (ltW b_half')).
  apply: ler_add; rewrite ler_wpmul2l ?subr_ge0 ?(ltW a_half') ?(ltW b_half') //.
    exact: le_trans ga (gh a01').
  exact: le_trans gb (gh b01').
have error1 : (b' - b - (a' - a)) * m <= (e + e) * m.
  rewrite ler_wpmul2r ?above_half // (le_trans (ler_norm _)) // (le_trans (ler_norm_sub _ _)) //.
  exact: ler_add.
have error2 : - ((b' - b) * A) <= e * `|A|.
  by rewrite (le_trans (ler_norm _)) // normrN normrM ler_wpmul2r.
have error3 : (a' - a) * B <= e * `|B| by rewrite (le_trans (ler_norm _)) // normrM ler_wpmul2r.
have error4 : (b' - a') * e <= 1 * e.
  by rewrite ler_wpmul2r ?(ltW e0) // ler_subl_addr (le_trans b'1) // ler_addl.
have errors := ler_add (ler_add error1 error2) (ler_add error3 error4).
apply: same_gap (ler_add chords (ler_wpmul2l (ler0n R 2) errors)).
by ring.
Qed.
End Above.

Lemma line_concave u w : concave (line u w).
Proof.
by move=> a b c _ _ _; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /line; ring.
Qed.

(* The least concave majorant of g at 1/2: the line over g through the hull there. *)
Theorem majorantP x p S : predictions p -> is_majorant x p S (1 / 2%:R) (UCal x p S / 4%:R).
Proof.
move=> p01; apply: inf_attained => [|_ [h [hP gh ->]]]; last first.
  have [h0 h1] := above_ends p01 gh; have m0 := above_half p01 hP gh.
  rewrite ler_pdivr_mulr ?ltr0n // mulrC; apply: UCal_le => [|a b aC bC a_half b_half].
    by rewrite mulr_ge0 ?ler0n.
  rewrite ler_wpmul2l ?ler0n // (above_chord p01 hP gh) //.
    exact: corners01 aC.
  exact: corners01 bC.
have [u [w [uw total]]] := UCal_line x S p01; exists (line u w); split.
- exact: line_concave.
- by move=> b b01; apply: le_trans (g_le_gbar x p S b) (uw b b01).
- by rewrite -total /line; field.
Qed.

(* UCAL-FORMULA: UCal is four times the least concave majorant of g at 1/2. *)
Theorem UCAL_FORMULA x p S u v : predictions p ->
  is_UCal x p S u -> is_majorant x p S (1 / 2%:R) v -> u = 4%:R * v.
Proof.
move=> p01 /(UCal_value p01) -> /inf_unique/(_ (majorantP x S p01)) ->.
by rewrite quarter_UCal.
Qed.

(* It is also twice the sum of the ends of a line over g, and no such line has a smaller sum. *)
Theorem UCal_least_line x p S : predictions p ->
  (exists u w, UCal x p S = 2%:R * (u + w) /\ forall a, 0 <= a <= 1 -> g x p S a <= line u w a) /\
  (forall u w, (forall a, 0 <= a <= 1 -> g x p S a <= line u w a) -> UCal x p S <= 2%:R * (u + w)).
Proof.
move=> p01; split=> [|u w above].
  have [u [w [uw total]]] := UCal_line x S p01; exists u, w; split=> // a a01.
  exact: le_trans (g_le_gbar x p S a) (uw a a01).
have: UCal x p S / 4%:R <= line u w (1 / 2%:R).
  by apply: inf_le (majorantP x S p01) _; exists (line u w); split=> //; exact: line_concave.
rewrite ler_pdivr_mulr ?ltr0n // => /le_trans; apply; rewrite le_eqVlt; apply/orP; left.
by apply/eqP; rewrite /line; field.
Qed.

(* What comes near values of a function below a line is below the line. *)
Lemma near_line (G : R -> R) u w a l : (forall b, 0 <= b <= 1 -> G b <= line u w b) ->
  (forall e, 0 < e -> exists b, [/\ 0 <= b <= 1, `|b - a| <= e & l - e <= G b]) ->
  l <= line u w a.
Proof.
move=> above near; apply/ler_addgt0Pr => e e0.
pose d := e / (1 + (1 + `|w - u|)).
have n0 : 0 < 1 + `|w - u| by rewrite ltr_paddr ?ltr01.
have m0 : 0 < 1 + (1 + `|w - u|) by rewrite addr_gt0 ?ltr01.
have d0 : 0 < d by rewrite divr_gt0.
have [b [b01 ba le]] := near d d0; have up := above b b01.
have slope : line u w b <= line u w a + `|w - u| * d.
  have -> : line u w b = line u w a + (w - u) * (b - a) by rewrite /line; ring.
  by rewrite ler_add2l; apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l.
have -> : e = (1 + `|w - u|) * d + d.
  have -> : (1 + `|w - u|) * d + d = d * (1 + (1 + `|w - u|)) by ring.
  by rewrite /d divfK // gt_eqF.
move: le; rewrite ler_subl_addr => /le_trans; apply; rewrite addrA ler_add2r.
apply: (le_trans up); apply: (le_trans slope); rewrite ler_add2l.
by rewrite ler_wpmul2r ?(ltW d0) // ler_addr ler01.
Qed.

(* What has a limit comes near it. *)
Lemma near_above (G : R -> R) a l : 0 <= a -> a < 1 -> limit_above G a l ->
  forall e, 0 < e -> exists b, [/\ 0 <= b <= 1, `|b - a| <= e & l - e <= G b].
Proof.
move=> a0 a1 lP e e0; have [d ad near] := lP e e0.
pose c := Num.min (Num.min d 1) (a + e).
have ac : a < c by rewrite !lt_minr ad a1 ltr_addl.
have [ab bc] : a < (a + c) / 2%:R /\ (a + c) / 2%:R < c.
  by rewrite ltr_pdivl_mulr ?ltr0n // ltr_pdivr_mulr ?ltr0n // !mulr_natr !mulr2n
    ltr_add2l ltr_add2r ac.
have cd : c <= d by rewrite !le_minl lexx.
have c1 : c <= 1 by rewrite !le_minl lexx orbT.
have ce : c <= a + e by rewrite !le_minl lexx !orbT.
exists ((a + c) / 2%:R); split.
- by rewrite (le_trans a0 (ltW ab)) (ltW (lt_le_trans bc c1)).
- rewrite ger0_norm ?subr_ge0 ?(ltW ab) // ler_subl_addl.
  exact: le_trans (ltW bc) ce.
- have := near ((a + c) / 2%:R); rewrite ab (lt_le_trans bc cd) => /(_ isT).
  by rewrite ler_norml ler_subr_addr addrC => /andP[].
Qed.

Lemma near_below (G : R -> R) a l : 0 < a -> a <= 1 -> limit_below G a l ->
  forall e, 0 < e -> exists b, [/\ 0 <= b <= 1, `|b - a| <= e & l - e <= G b].
Proof.
move=> a0 a1 lP e e0; have [d ad near] := lP e e0.
pose c := Num.max (Num.max d 0) (a - e).
have ca : c < a by rewrite !lt_maxl ad a0 ltr_subl_addr ltr_addl.
have [cb ba] : c < (c + a) / 2%:R /\ (c + a) / 2%:R < a.
  by rewrite ltr_pdivl_mulr ?ltr0n // ltr_pdivr_mulr ?ltr0n // !mulr_natr !mulr2n
    ltr_add2l ltr_add2r ca.
have cd : d <= c by rewrite !le_maxr lexx.
have c0 : 0 <= c by rewrite !le_maxr lexx orbT.
have ce : a - e <= c by rewrite !le_maxr lexx !orbT.
exists ((c + a) / 2%:R); split.
- by rewrite (ltW (le_lt_trans c0 cb)) (le_trans (ltW ba) a1).
- rewrite distrC ger0_norm ?subr_ge0 ?(ltW ba) // ler_subl_addr -ler_subl_addl.
  exact: le_trans ce (ltW cb).
- have := near ((c + a) / 2%:R); rewrite ba (le_lt_trans cd cb) => /(_ isT).
  by rewrite ler_norml ler_subr_addr addrC => /andP[].
Qed.

(* The closure of g has no other majorant at 1/2 than g itself. *)
Lemma closed_majorantP x p S : predictions p ->
  is_inf (fun v => exists2 h, over_closure x p S h & v = 4%:R * h (1 / 2%:R)) (UCal x p S).
Proof.
move=> p01; apply: inf_attained => [|_ [h [hP gh] ->]]; last first.
  rewrite -quarter_UCal ler_wpmul2l ?ler0n //.
  by apply: (inf_le (majorantP x S p01)); exists h; split=> // b /gh[].
have [h [k [hk tot]]] := UCal_line x S p01; exists (line h k); last first.
  by rewrite -tot /line; field.
split; first exact: line_concave.
move=> b b01; have g_le c : 0 <= c <= 1 -> g x p S c <= line h k c.
    by move=> c01; apply: le_trans (g_le_gbar x p S c) (hk c c01).
  have [b0 b1] := andP b01; split=> [|l b_lt1 lP|l b_gt0 lP]; first exact: g_le.
    exact: near_line g_le (near_above b0 b_lt1 lP).
  exact: near_line g_le (near_below b_gt0 b1 lP).
Qed.
End Majorant.
