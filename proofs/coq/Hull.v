(* The upper hull of g over [0,1], needed for U-calibration (eq:U-calibration, L332): g and its
   one-sided limits as sums over rounds, the mirror image that exchanges the two pieces of g, the
   best line over g (its height at 1/2 is that of the highest chord) and points near which g is
   close to its upper closure gbar (L1935, prop:altform L357). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Lines and chords of any function, over finitely many corners in [0,1]. *)
Section Line.
Variable R : realFieldType.
Implicit Types (a b u w m : R) (G : R -> R) (r : seq R).

(* The line of height u at 0 and w at 1. *)
Definition line u w a : R := u * (1 - a) + w * a.

Lemma line0 u w : line u w 0 = u.
Proof. by rewrite /line; ring. Qed.

Lemma line1 u w : line u w 1 = w.
Proof. by rewrite /line; ring. Qed.

Lemma line_flip u w a : line u w (1 - a) = line w u a.
Proof. by rewrite /line; ring. Qed.

(* A line of nonnegative ends is nonnegative, and at most the sum of its ends. *)
Lemma line_ge0 u w a : 0 <= u -> 0 <= w -> 0 <= a <= 1 -> 0 <= line u w a.
Proof. by move=> u0 w0 /andP[a0 a1]; rewrite addr_ge0 ?mulr_ge0 ?subr_ge0. Qed.

(* A line above another one at two points is above it in between. *)
Lemma line_between u w (X N q a z : R) : q <= a <= z -> q < z ->
  X - q * N <= line u w q -> X - z * N <= line u w z -> X - a * N <= line u w a.
Proof.
rewrite -[q < z]subr_gt0 => /andP[qa az] qz hq hz; rewrite -subr_ge0 -(pmulr_rge0 _ qz).
have -> : (z - q) * (line u w a - (X - a * N)) =
  (z - a) * (line u w q - (X - q * N)) + (a - q) * (line u w z - (X - z * N)).
  by rewrite /line; ring.
by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0.
Qed.

(* A nonempty list of values has a largest one. *)
Lemma list_max G b r : exists2 c, c \in b :: r & forall a, a \in b :: r -> G a <= G c.
Proof.
elim: r b => [|c r IH] b.
  by exists b; rewrite ?mem_head // => a; rewrite inE => /eqP->.
have [d dr dmax] := IH c; have [bd|db] := leP (G b) (G d).
  by exists d => [|a]; rewrite inE ?dr ?orbT // => /orP[/eqP-> //|/dmax].
exists b => [|a]; rewrite inE ?eqxx // => /orP[/eqP-> //|/dmax ad].
exact: le_trans ad (ltW db).
Qed.

(* If no chord over 1/2 is higher than m there, then a line through (1/2, m) is over all corners:
   its slope is the largest that a corner to the right of 1/2 requires. *)
Lemma hull_line G m r : 1 \in r ->
  (forall a, a \in r -> 2%:R * a = 1 -> G a <= m) ->
  (forall a b, a \in r -> b \in r -> 2%:R * a < 1 -> 1 < 2%:R * b ->
     (2%:R * b - 1) * G a + (1 - 2%:R * a) * G b <= m * (2%:R * (b - a))) ->
  exists u w, u + w = 2%:R * m /\ forall a, a \in r -> G a <= line u w a.
Proof.
move=> r1 mid chords; pose slope b := (G b - m) / (2%:R * b - 1).
have one : 1 \in [seq b <- r | 1 < 2%:R * b] by rewrite mem_filter r1 andbT mulr1 (ltr_nat _ 1 2).
have [c0 [s rs]] : exists c0 s, [seq b <- r | 1 < 2%:R * b] = c0 :: s.
  by case: [seq b <- r | 1 < 2%:R * b] one => // c0 s _; exists c0, s.
have [c] := list_max slope c0 s; rewrite -rs mem_filter => /andP[c1 cr] cmax.
have c0' : 0 < 2%:R * c - 1 by rewrite subr_gt0.
exists (m - slope c), (m + slope c); split=> [|a ar]; first by ring.
have -> : line (m - slope c) (m + slope c) a = m + slope c * (2%:R * a - 1).
  by rewrite /line; ring.
case: (ltgtP (2%:R * a) 1) => [a1|a1|a1]; last by rewrite a1 subrr mulr0 addr0 mid.
  rewrite -subr_ge0 -(pmulr_rge0 _ c0').
  have -> : (2%:R * c - 1) * (m + slope c * (2%:R * a - 1) - G a) =
    m * (2%:R * (c - a)) - ((2%:R * c - 1) * G a + (1 - 2%:R * a) * G c).
    by rewrite /slope; field; rewrite gt_eqF.
  by rewrite subr_ge0 chords.
have a0 : 0 < 2%:R * a - 1 by rewrite subr_gt0.
have := cmax a; rewrite mem_filter a1 ar => /(_ isT); rewrite {1}/slope ler_pdivr_mulr //.
by rewrite ler_subl_addl.
Qed.
End Line.

Section Pieces.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b k : R).

(* The two pieces of g. *)
Definition lower x p S a : R := X_lt x p S a - a * N_lt p S a.
Definition upper x p S a : R := a * N_gt p S a - X_gt x p S a.

(* Ones minus a times rounds, as a sum over rounds. *)
Lemma ones_sub x S (P : pred 'I_T) k :
  \sum_(t in S | P t) (x t)%:R - k * (\sum_(t in S | P t) 1) =
  \sum_(t in S | P t) ((x t)%:R - k).
Proof. by rewrite mulr_sumr -sumrB; under eq_bigr do rewrite mulr1. Qed.

Lemma lowE x p S a : low x p S a = \sum_(t in S | p t <= a) ((x t)%:R - a).
Proof. exact: ones_sub. Qed.

Lemma lowerE x p S a : lower x p S a = \sum_(t in S | p t < a) ((x t)%:R - a).
Proof. exact: ones_sub. Qed.

Lemma highE x p S a : high x p S a = \sum_(t in S | a <= p t) (a - (x t)%:R).
Proof. by rewrite /high -opprB ones_sub -sumrN; apply: eq_bigr => t _; rewrite opprB. Qed.

Lemma upperE x p S a : upper x p S a = \sum_(t in S | a < p t) (a - (x t)%:R).
Proof. by rewrite /upper -opprB ones_sub -sumrN; apply: eq_bigr => t _; rewrite opprB. Qed.

(* The mirror image: outcomes and predictions are replaced by their complements. *)
Definition flipx x : 'I_T -> bool := fun t => ~~ x t.
Definition flipp p : 'I_T -> R := fun t => 1 - p t.

Lemma flip_predictions p : predictions p -> predictions (flipp p).
Proof.
by move=> p01 t; have /andP[p0 p1] := p01 t; rewrite /flipp subr_ge0 p1 ler_subl_addr ler_addl.
Qed.

Lemma flip01 a : 0 <= a <= 1 -> 0 <= 1 - a <= 1.
Proof. by move=> /andP[a0 a1]; rewrite subr_ge0 a1 ler_subl_addr ler_addl. Qed.

Lemma flip_value (y : bool) : (~~ y)%:R = 1 - y%:R :> R.
Proof. by case: y; rewrite ?subrr ?subr0. Qed.

Lemma flip_le p t a : (flipp p t <= a) = (1 - a <= p t).
Proof. by rewrite /flipp ler_subl_addl ler_subl_addr. Qed.

Lemma flip_lt p t a : (flipp p t < a) = (1 - a < p t).
Proof. by rewrite /flipp ltr_subl_addl ltr_subl_addr. Qed.

Lemma flip_ge p t a : (a <= flipp p t) = (p t <= 1 - a).
Proof. by rewrite /flipp ler_subr_addl ler_subr_addr addrC. Qed.

Lemma flip_gt p t a : (a < flipp p t) = (p t < 1 - a).
Proof. by rewrite /flipp ltr_subr_addl ltr_subr_addr addrC. Qed.

Lemma low_flip x p S a : low (flipx x) (flipp p) S a = high x p S (1 - a).
Proof.
rewrite lowE highE; under eq_bigl do rewrite flip_le.
by apply: eq_bigr => t _; rewrite /flipx flip_value; ring.
Qed.

Lemma lower_flip x p S a : lower (flipx x) (flipp p) S a = upper x p S (1 - a).
Proof.
rewrite lowerE upperE; under eq_bigl do rewrite flip_lt.
by apply: eq_bigr => t _; rewrite /flipx flip_value; ring.
Qed.

Lemma high_flip x p S a : high (flipx x) (flipp p) S a = low x p S (1 - a).
Proof.
rewrite lowE highE; under eq_bigl do rewrite flip_ge.
by apply: eq_bigr => t _; rewrite /flipx flip_value; ring.
Qed.

Lemma upper_flip x p S a : upper (flipx x) (flipp p) S a = lower x p S (1 - a).
Proof.
rewrite lowerE upperE; under eq_bigl do rewrite flip_gt.
by apply: eq_bigr => t _; rewrite /flipx flip_value; ring.
Qed.

Lemma g_flip x p S a : g (flipx x) (flipp p) S a = g x p S (1 - a).
Proof.
rewrite /g -!/(lower _ _ _ _) -!/(upper _ _ _ _).
by rewrite lower_flip upper_flip; exact: maxC.
Qed.

Lemma gbar_flip x p S a : gbar (flipx x) (flipp p) S a = gbar x p S (1 - a).
Proof. by rewrite /gbar g_flip low_flip high_flip [X in Num.max _ X]maxC. Qed.

(* The four values of which gbar is the largest. *)
Lemma gbar_low x p S a : low x p S a <= gbar x p S a.
Proof. by rewrite /gbar !le_maxr lexx orbT. Qed.

Lemma gbar_high x p S a : high x p S a <= gbar x p S a.
Proof. by rewrite /gbar !le_maxr lexx !orbT. Qed.

Lemma gbar_lower x p S a : lower x p S a <= gbar x p S a.
Proof. by rewrite /gbar /g !le_maxr lexx. Qed.

Lemma gbar_upper x p S a : upper x p S a <= gbar x p S a.
Proof. by rewrite /gbar /g !le_maxr lexx orbT. Qed.

Lemma gbar_le x p S a v : (gbar x p S a <= v) =
  [&& lower x p S a <= v, upper x p S a <= v, low x p S a <= v & high x p S a <= v].
Proof. by rewrite /gbar /g !le_maxl -andbA. Qed.

Lemma g_le_gbar x p S a : g x p S a <= gbar x p S a.
Proof. by rewrite /gbar le_maxr lexx. Qed.

(* With no prediction below a the first piece is 0, with none above a the second. *)
Lemma lower_none x p S a : (forall t, t \in S -> ~~ (p t < a)) -> lower x p S a = 0.
Proof. by move=> none; rewrite lowerE sum_none. Qed.

Lemma upper_none x p S a : (forall t, t \in S -> ~~ (a < p t)) -> upper x p S a = 0.
Proof. by move=> none; rewrite upperE sum_none. Qed.

(* The ends of [0,1]. *)
Lemma lower_at0 x p S : predictions p -> lower x p S 0 = 0.
Proof. by move=> p01; apply: lower_none => t _; rewrite -leNgt; case/andP: (p01 t). Qed.

Lemma upper_at1 x p S : predictions p -> upper x p S 1 = 0.
Proof. by move=> p01; apply: upper_none => t _; rewrite -leNgt; case/andP: (p01 t). Qed.

Lemma low_at1 x p S : low x p S 1 <= 0.
Proof.
rewrite lowE -oppr_ge0 -sumrN sumr_ge0 // => t _.
by rewrite opprB; case: (x t); rewrite ?subrr ?subr0 ?ler01.
Qed.

Lemma high_at0 x p S : high x p S 0 <= 0.
Proof. by rewrite highE -oppr_ge0 -sumrN sumr_ge0 // => t _; rewrite opprB subr0 ler0n. Qed.

Lemma gbar_at0 x p S : predictions p -> 0 <= gbar x p S 0.
Proof. by move=> p01; rewrite -[X in X <= _](lower_at0 x S p01) gbar_lower. Qed.

Lemma gbar_at1 x p S : predictions p -> 0 <= gbar x p S 1.
Proof. by move=> p01; rewrite -[X in X <= _](upper_at1 x S p01) gbar_upper. Qed.
End Pieces.

(* A line over gbar at all corners is over gbar on all of [0,1]: between neighbouring predictions,
   each piece is affine. *)
Section Over.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b u w : R).

Definition over_corners x p S u w :=
  forall a, a \in corners p S -> gbar x p S a <= line u w a.
Definition over x p S u w := forall a, 0 <= a <= 1 -> gbar x p S a <= line u w a.

Lemma corner0 p S : 0 \in corners p S.
Proof. exact: mem_head. Qed.

Lemma corner1 p S : 1 \in corners p S.
Proof. by rewrite !inE eqxx orbT. Qed.

Lemma corner_prediction p S t : t \in S -> p t \in corners p S.
Proof. by move=> tS; rewrite !inE image_f ?orbT. Qed.

Lemma corners01 p S a : predictions p -> a \in corners p S -> 0 <= a <= 1.
Proof.
move=> p01; rewrite !inE => /or3P[/eqP->|/eqP->|/imageP[t _ ->]] //; by rewrite lexx ler01.
Qed.

Lemma over_ends x p S u w : predictions p -> over_corners x p S u w -> 0 <= u /\ 0 <= w.
Proof.
move=> p01 H; split.
  by rewrite -[u in _ <= u](line0 u w); apply: le_trans (gbar_at0 x S p01) (H _ (corner0 p S)).
by rewrite -[w in _ <= w](line1 u w); apply: le_trans (gbar_at1 x S p01) (H _ (corner1 p S)).
Qed.

(* The mirror image of a line over all corners. *)
Lemma flip_corners x p S u w : over_corners x p S u w ->
  over_corners (flipx x) (flipp p) S w u.
Proof.
move=> H a aC; rewrite gbar_flip -line_flip; apply: H; move: aC.
rewrite !inE => /or3P[/eqP->|/eqP->|/imageP[t tS ->]]; rewrite ?subr0 ?subrr ?eqxx ?orbT //.
by rewrite /flipp subKr image_f ?orbT.
Qed.

(* The first piece: affine from the last prediction below a to the next corner. *)
Lemma lower_le_line x p S u w a : predictions p -> over_corners x p S u w -> 0 <= a <= 1 ->
  lower x p S a <= line u w a.
Proof.
move=> p01 H a01; have [u0 w0] := over_ends p01 H.
have [none|[t [tS ta same]]] := last_below p S a.
  by rewrite (lower_none _ none) line_ge0.
have [b [bC ab sameb]] : exists b, [/\ b \in corners p S, a <= b &
    forall v, v \in S -> (p v < b) = (p v <= p t)].
  have [none|[v [vS av samev]]] := first_from p S a.
    exists 1; split=> [||v vS]; [exact: corner1|by case/andP: a01|].
    have va : p v < a by rewrite ltNge none.
    by rewrite -same // va (lt_le_trans va) //; case/andP: a01.
  exists (p v); split=> // [|s sS]; first exact: corner_prediction.
  by rewrite ltNge -samev // -ltNge same.
have affine k : (forall v, v \in S -> (p v < k) = (p v <= p t)) ->
    lower x p S k = X_le x p S (p t) - k * N_le p S (p t).
  by move=> E; rewrite /lower /X_lt /N_lt !(sum_in _ E).
rewrite affine //; apply: (@line_between _ _ _ _ _ (p t) _ b); rewrite ?(ltW ta) //.
- exact: lt_le_trans ta ab.
- by apply: le_trans (gbar_low x p S (p t)) (H _ (corner_prediction p tS)).
- by rewrite -affine //; apply: le_trans (gbar_lower x p S b) (H _ bC).
Qed.

(* Hence its limit from above, which differs from it at predictions only. *)
Lemma low_le_line x p S u w a : predictions p -> over_corners x p S u w -> 0 <= a <= 1 ->
  low x p S a <= line u w a.
Proof.
move=> p01 H a01; have [/imageP[t tS ->]|aP] := boolP (a \in [seq p t | t in S]).
  by apply: le_trans (gbar_low x p S (p t)) (H _ (corner_prediction p tS)).
rewrite (_ : low x p S a = lower x p S a); first exact: lower_le_line.
rewrite lowE lowerE; apply: sum_in => t tS; rewrite le_eqVlt.
by case: eqP => // pa; rewrite -pa image_f in aP.
Qed.

Lemma corners_over x p S u w : predictions p -> over_corners x p S u w -> over x p S u w.
Proof.
move=> p01 H a a01; rewrite gbar_le lower_le_line // low_le_line //=.
have H' := flip_corners H; have p01' := flip_predictions p01; have a01' := flip01 a01.
rewrite -[a](subKr 1) -lower_flip -low_flip !(line_flip u w).
by rewrite lower_le_line // low_le_line.
Qed.

(* Points near a at which g is close to gbar: to the right of a for the limit from above. *)
Lemma approach_low x p S a e : predictions p -> 0 <= a <= 1 -> 0 < e ->
  exists b, [/\ 0 <= b <= 1, `|b - a| <= e & low x p S a - e <= g x p S b].
Proof.
move=> p01 /andP[a0]; rewrite le_eqVlt => /orP[/eqP->|a1] e0.
  exists 1; rewrite ler01 lexx subrr normr0 ltW //; split=> //.
  rewrite le_maxr; apply/orP; right; rewrite -/(upper x p S 1) upper_at1 //.
  by rewrite subr_le0 (le_trans (low_at1 x p S)) // ltW.
have [z [az z1 zP]] : exists z, [/\ a < z, z <= 1 &
    forall t, t \in S -> p t < z -> p t <= a].
  have [none|[s [sS as_ same]]] := first_above p S a.
    by exists 1; split=> // t tS _; rewrite leNgt none.
  exists (p s); split=> // [|t tS]; first by case/andP: (p01 s).
  by rewrite ltNge -same // -leNgt.
have N0 : 0 <= N_le p S a by apply: sumr_ge0 => t _; exact: ler01.
pose d := e / (1 + N_le p S a); have N1 : 0 < 1 + N_le p S a by rewrite ltr_paddr ?ltr01.
have d0 : 0 < d by rewrite divr_gt0.
have de : d <= e by rewrite /d ler_pdivr_mulr // ler_pmulr // ler_addl.
pose b := Num.min (a + d) z; have ab : a < b by rewrite lt_minr az ltr_addl d0.
have bd : b - a <= d by rewrite ler_subl_addl le_minl lexx.
exists b; split; first by rewrite (le_trans a0 (ltW ab)) (le_trans _ z1) // le_minl lexx orbT.
  by rewrite ger0_norm ?subr_ge0 ?(ltW ab) // (le_trans bd).
rewrite le_maxr; apply/orP; left.
have same t : t \in S -> (p t < b) = (p t <= a).
  move=> tS; apply/idP/idP => [tb|ta]; last exact: le_lt_trans ta ab.
  by apply: zP => //; rewrite (lt_le_trans tb) // le_minl lexx orbT.
rewrite /X_lt /N_lt !(sum_in _ same) -/(X_le x p S a) -/(N_le p S a) /low.
rewrite -subr_ge0 (_ : _ - _ = e - (b - a) * N_le p S a); last by ring.
rewrite subr_ge0 (le_trans (ler_wpmul2r N0 bd)) //.
by rewrite /d mulrAC ler_pdivr_mulr // ler_wpmul2l ?(ltW e0) // ler_addr ler01.
Qed.

Lemma approach x p S a e : predictions p -> 0 <= a <= 1 -> 0 < e ->
  exists b, [/\ 0 <= b <= 1, `|b - a| <= e & gbar x p S a - e <= g x p S b].
Proof.
move=> p01 a01 e0; rewrite /gbar; case: (leP (g x p S a) _) => _; last first.
  by exists a; split; rewrite ?subrr ?normr0 ?ler_subl_addr ?ler_addl // ltW.
case: (leP (low x p S a) _) => _; last exact: approach_low.
have [b [b01 ba gb]] := approach_low (flipx x) S (flip_predictions p01) (flip01 a01) e0.
exists (1 - b); rewrite flip01 // -g_flip; split=> //; last by rewrite low_flip subKr in gb.
by rewrite (_ : 1 - b - a = 1 - a - b) 1?distrC //; ring.
Qed.
End Over.
