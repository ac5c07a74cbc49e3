(* U-calibration (eq:U-calibration, L332): the supremum over all proper bounded rules is four times
   the height over 1/2 of the upper hull of g (UCalP). The upper bound: between neighbouring
   predictions a proper rule changes like a V-shaped rule whose kink lies between them
   (proper_change), so a line over the closure of g bounds each change, and the losses at the ends
   of [0,1] bound their sum (regret_le_line). The lower bound: V-shaped rules with kinks at the two
   ends of the highest chord add up to a bounded rule (two_kinks_bounded), which attains it
   (UCal_attained). Then the comparisons with VCal (lemma:UCal-vs-VCal, L353) and stepCE (L1001),
   the range, and the mean over all sets of rounds (eq:subsampled, L526). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Rules Step Abel ECE.
From Truecal Require Import Probability Subsampled Hull Regret VCal.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What does not grow between neighbours among finitely many points does not grow at all. *)
Section Gaps.
Variable R : realFieldType.
Implicit Types (a b c : R) (r : seq R) (G : R -> R).

Lemma monotone_gaps r G : (forall b c, 0 <= b -> b < c -> c <= 1 ->
    (forall a, a \in r -> ~~ (b < a < c)) -> G c <= G b) ->
  G 1 <= G 0.
Proof.
elim: r => [|a r IH] gap; first by apply: gap; rewrite ?lexx ?ltr01.
apply: IH => b c b0 bc c1 none; have [/andP[ba ac]|out] := boolP (b < a < c); last first.
  by apply: gap => // d; rewrite inE => /orP[/eqP-> //|]; exact: none.
apply: le_trans (gap a c _ ac c1 _) (gap b a b0 ba _ _).
- exact: le_trans b0 (ltW ba).
- move=> d; rewrite inE => /orP[/eqP->|/none]; first by rewrite ltxx.
  by apply: contra => /andP[ad ->]; rewrite (lt_trans ba).
- exact: le_trans (ltW ac) c1.
- move=> d; rewrite inE => /orP[/eqP->|/none]; first by rewrite ltxx andbF.
  by apply: contra => /andP[-> da]; rewrite (lt_trans da).
Qed.
End Gaps.

(* An inequality, from another one with the same difference of its sides. *)
Lemma same_gap (R : realFieldType) (a b c d : R) : b - a = d - c -> a <= b -> c <= d.
Proof. by move=> E; rewrite -subr_ge0 E subr_ge0. Qed.

(* How the expected loss changes from one prediction to another. *)
Lemma expected_change (R : realFieldType) (l : rule R) (a b c : R) :
  expected_loss l a c - expected_loss l a b =
  a * (l true c - l true b) + (1 - a) * (l false c - l false b).
Proof.
by rewrite /expected_loss; move: (l true b) (l true c) (l false b) (l false c) => *; ring.
Qed.

(* Two changes of which a mixture is nonnegative at b and nonpositive at c are those of a line that
   crosses 0 in between. *)
Lemma crossing (R : realFieldType) (b c d1 d0 : R) : b < c ->
  0 <= b * d1 + (1 - b) * d0 -> c * d1 + (1 - c) * d0 <= 0 -> exists k a : R,
  [/\ 0 <= k, b <= a <= c, d1 = k * (a - 1) & d0 = k * a].
Proof.
move=> bc lo hi; have bc' := ltW bc; have k0 : 0 <= d0 - d1.
  rewrite -(pmulr_rge0 _ (_ : 0 < c - b)) ?subr_gt0 //.
  rewrite (_ : _ * _ = b * d1 + (1 - b) * d0 - (c * d1 + (1 - c) * d0)); last by ring.
  by rewrite subr_ge0 (le_trans hi).
move: k0; rewrite le_eqVlt => /orP[|k0].
  rewrite eq_sym subr_eq0 => /eqP same; exists 0, b; rewrite !lexx !mul0r bc'.
  suff zero : d0 = 0 by rewrite -same zero.
  have mix e : e * d0 + (1 - e) * d0 = d0 by ring.
  by apply/eqP; rewrite eq_le; move: lo hi; rewrite -same !mix => -> ->.
have kN0 : d0 - d1 != 0 by rewrite gt_eqF.
exists (d0 - d1), (d0 / (d0 - d1)); split; first exact: ltW.
- rewrite ler_pdivl_mulr // ler_pdivr_mulr // -subr_ge0 -[X in _ && X]subr_le0.
  have mix e : d0 - e * (d0 - d1) = e * d1 + (1 - e) * d0 by ring.
  by rewrite !mix lo hi.
- by field.
- by rewrite mulrC divfK.
Qed.

(* One step of a proper rule: from the prediction b to c, both losses change like those of a
   V-shaped rule with a kink in between. *)
Lemma proper_change (R : realFieldType) (l : rule R) (b c : R) :
  proper l -> 0 <= b -> b < c -> c <= 1 -> exists k a : R,
  [/\ 0 <= k, b <= a <= c & forall y, l y c - l y b = k * (a - y%:R)].
Proof.
move=> lP b0 bc c1; have b01 : 0 <= b <= 1 by rewrite b0 (le_trans (ltW bc)).
have c01 : 0 <= c <= 1 by rewrite c1 (le_trans b0 (ltW bc)).
have := @crossing _ b c (l true c - l true b) (l false c - l false b) bc.
rewrite -!expected_change subr_ge0 subr_le0 !lP // => /(_ isT isT)[k [a [k0 a_in one zero]]].
by exists k, a; split=> // -[]; rewrite ?subr0.
Qed.

(* The upper bound. *)
Section Upper.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (l : rule R) (a b c u w : R).

(* Losses when all predictions, and the mean, are cut off at b. *)
Definition cut_regret l x p S b : R := \sum_(t in S)
  (l (x t) (Num.min (p t) b) - l (x t) (Num.min (mu R x S) b)).

(* The rounds on one side of a kink a between b and c, with no prediction between b and c. *)
Lemma one_side x p S a b c : b <= a <= c -> (forall t, t \in S -> ~~ (b < p t < c)) ->
  \sum_(t in S | p t < c) ((x t)%:R - a) <= gbar x p S a /\
  \sum_(t in S | c <= p t) (a - (x t)%:R) <= gbar x p S a.
Proof.
move=> /andP[ba]; rewrite le_eqVlt => /orP[/eqP<-|ac] none.
  by rewrite -lowerE -highE gbar_lower gbar_high.
have same t : t \in S -> (p t < c) = (p t <= a).
  move/none; rewrite negb_and -!leNgt => /orP[tb|ct]; last first.
    by rewrite [RHS]leNgt (lt_le_trans ac ct) ltNge ct.
  by rewrite (le_trans tb ba) (le_lt_trans tb) // (le_lt_trans ba).
rewrite (sum_in _ same) -lowE gbar_low (@sum_in _ _ S _ (fun t => a < p t)).
  by rewrite -upperE gbar_upper.
by move=> t /same tS; rewrite leNgt tS -ltNge.
Qed.

(* The regret grows by a value of the closure of g. *)
Lemma cut_change l x p S b c k a : b <= a <= c -> 0 <= k ->
  (forall y, l y c - l y b = k * (a - y%:R)) ->
  (forall d, d \in mu R x S :: [seq p t | t in S] -> ~~ (b < d < c)) ->
  cut_regret l x p S c - cut_regret l x p S b <= k * gbar x p S a.
Proof.
move=> abc k0 change none; have bc : b <= c by case/andP: abc => /le_trans; apply.
have cut q y : ~~ (b < q < c) ->
    l y (Num.min q c) - l y (Num.min q b) = (c <= q)%R%:R * (k * (a - y%:R)).
  rewrite negb_and -!leNgt; have [cq _|qc /orP[qb|//]] := leP c q.
    by rewrite mul1r (min_idPr (le_trans bc cq)).
  by rewrite (min_idPl qb) subrr mul0r.
have -> : cut_regret l x p S c - cut_regret l x p S b = k *
    \sum_(t in S) ((c <= p t)%R%:R - (c <= mu R x S)%R%:R) * (a - (x t)%:R).
  rewrite -sumrB mulr_sumr; apply: eq_bigr => t tS.
  have pt : p t \in mu R x S :: [seq p t | t in S] by rewrite inE image_f ?orbT.
  rewrite mulrBl mulrBr ![k * (_ * _)]mulrCA -(cut _ (x t) (none _ pt)).
  rewrite -(cut _ (x t) (none _ (mem_head _ _))).
  by move: (l _ _) (l _ _) (l _ _) (l _ _) => *; ring.
rewrite ler_wpmul2l //; have [|lo hi] := @one_side x p S a b c abc.
  by move=> t tS; apply: none; rewrite inE image_f ?orbT.
have [cm|mc] := leP c (mu R x S).
  apply: le_trans lo; rewrite big_mkcondr; apply: ler_sum => t _ /=.
  by rewrite ltNge; case: (c <= p t); rewrite ?subrr ?mul0r // sub0r mulN1r opprB.
apply: le_trans hi; rewrite big_mkcondr; apply: ler_sum => t _ /=.
by rewrite subr0; case: (c <= p t); rewrite ?mul1r ?mul0r.
Qed.

(* Under a line over the closure of g, losses at 0 and 1 pay for the regret. *)
Lemma regret_le_line l x p S u w : predictions p -> proper l -> over x p S u w ->
  loss l x p S - loss l x (fun=> mu R x S) S <=
  u * (l true 0 - l true 1) + w * (l false 1 - l false 0).
Proof.
move=> p01 lP uw; pose G b := cut_regret l x p S b + (u * l true b - w * l false b).
have cut1 : cut_regret l x p S 1 = loss l x p S - loss l x (fun=> mu R x S) S.
  rewrite /loss -sumrB; apply: eq_bigr => t _; have /andP[_ m1] := mu_in01 R x S.
  by have /andP[_ t1] := p01 t; rewrite (min_idPl t1) (min_idPl m1).
have cut0 : cut_regret l x p S 0 = 0.
  apply: big1 => t _; have /andP[m0 _] := mu_in01 R x S.
  by have /andP[t0 _] := p01 t; rewrite (min_idPr t0) (min_idPr m0) subrr.
rewrite -cut1; suff: G 1 <= G 0.
  apply: same_gap; rewrite /G cut0.
  by move: (l true 0) (l true 1) (l false 0) (l false 1) => *; ring.
apply: (@monotone_gaps _ (mu R x S :: [seq p t | t in S])) => b c b0 bc c1 none.
have [k [a [k0 abc change]]] := proper_change lP b0 bc c1.
have a01 : 0 <= a <= 1.
  by case/andP: abc => ba ac; rewrite (le_trans b0 ba) (le_trans ac c1).
have := cut_change abc k0 change none => /le_trans/(_ (ler_wpmul2l k0 (uw a a01))).
apply: same_gap; rewrite /G /line.
have one : l true c = l true b + k * (a - 1) by rewrite -(change true) addrC subrK.
have zero : l false c = l false b + k * a by rewrite -[a]subr0 -(change false) addrC subrK.
by rewrite one zero; move: (l true b) (l false b) => *; ring.
Qed.
End Upper.

(* The V-shaped rule with kink a for which the prediction a counts as above it, or as below it. *)
Section Kinked.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b : R) (e y : bool).

Lemma kinkedE e a y b :
  kinked e a y b = (a - y%:R) * side R (if e then a <= b else a < b).
Proof. by []. Qed.

Lemma norm_side e : `|side R e| = 1.
Proof. by case: e; rewrite /side ?normrN normr1. Qed.

Lemma kinked_proper e a : proper (kinked e a).
Proof.
move=> c b _ _; have expected d : expected_loss (kinked e a) c d =
    (a - c) * side R (if e then a <= d else a < d) by rewrite /expected_loss !kinkedE /=; ring.
rewrite !expected (_ : _ * _ = - `|a - c|); last first.
  case: (ltgtP c a) => [ca|ac|->]; last by rewrite subrr mul0r normr0 oppr0.
    by rewrite gtr0_norm ?subr_gt0 // if_same mulrN1.
  by rewrite ltr0_norm ?subr_lt0 // opprK if_same mulr1.
by rewrite ler_oppl (le_trans (ler_norm _)) // normrN normrM norm_side mulr1.
Qed.

(* Its losses are at most a at zeros, and 1 - a at ones. *)
Lemma norm_kinked e a y b : 0 <= a <= 1 -> `|kinked e a y b| = if y then 1 - a else a.
Proof.
case/andP=> a0 a1; rewrite kinkedE normrM norm_side mulr1.
by case: y; rewrite ?subr0 ?(ger0_norm a0) // distrC ger0_norm // subr_ge0.
Qed.

(* Its regret against 1 and against 0, where these are on either side of the kink, is that of the
   rounds on the other side. *)
Lemma regret_one x S (P : pred 'I_T) a : \sum_(t in S) (a - (x t)%:R) * (side R (P t) - 1) =
  2%:R * \sum_(t in S | ~~ P t) ((x t)%:R - a).
Proof.
rewrite big_mkcondr mulr_sumr; apply: eq_bigr => t _; rewrite /side /=.
by case: (P t); rewrite ?subrr ?mulr0 //=; ring.
Qed.

Lemma regret_zero x S (P : pred 'I_T) a : \sum_(t in S) (a - (x t)%:R) * (side R (P t) + 1) =
  2%:R * \sum_(t in S | P t) (a - (x t)%:R).
Proof.
rewrite big_mkcondr mulr_sumr; apply: eq_bigr => t _; rewrite /side /=.
by case: (P t); rewrite ?addNr ?mulr0 //; ring.
Qed.

(* Its regret against the mean is at least either; so for one of the two rules it is at least twice
   the closure of g. *)
Lemma kinked_regret x p S a : predictions p -> 0 <= a <= 1 -> exists e,
  2%:R * gbar x p S a <= loss (kinked e a) x p S - loss (kinked e a) x (fun=> mu R x S) S.
Proof.
move=> p01 /andP[a0 a1].
pose regret e b := loss (kinked e a) x p S - loss (kinked e a) x (fun=> b) S.
have mean e b : 0 <= b <= 1 -> regret e b <= regret e (mu R x S).
  by move=> b01; rewrite ler_add2l ler_opp2 proper_constant //; exact: kinked_proper.
have mean1 e : regret e 1 <= regret e (mu R x S) by apply: mean; rewrite ler01 lexx.
have mean0 e : regret e 0 <= regret e (mu R x S) by apply: mean; rewrite ler01 lexx.
have regretE e b : regret e b = \sum_(t in S) (a - (x t)%:R) *
    (side R (if e then a <= p t else a < p t) - side R (if e then a <= b else a < b)).
  by rewrite /regret -sumrB; apply: eq_bigr => t _; rewrite mulrBr.
have lower_case : 2%:R * lower x p S a <= regret true (mu R x S).
  apply: le_trans (mean1 true); rewrite regretE a1 regret_one lowerE.
  by under [X in _ <= _ * X]eq_bigl do rewrite -ltNge.
have upper_case : 2%:R * upper x p S a <= regret false (mu R x S).
  by apply: le_trans (mean0 false); rewrite regretE [a < 0]ltNge a0 opprK regret_zero upperE.
have high_case : 2%:R * high x p S a <= regret true (mu R x S).
  move: a0; rewrite le_eqVlt => /orP[/eqP a0|a0].
    apply: le_trans lower_case; rewrite ler_wpmul2l ?ler0n // -a0 lower_at0 //.
    exact: high_at0.
  by apply: le_trans (mean0 true); rewrite regretE [a <= 0]leNgt a0 opprK regret_zero highE.
have low_case : 2%:R * low x p S a <= regret false (mu R x S).
  move: a1; rewrite le_eqVlt => /orP[/eqP a1|a1].
    apply: le_trans upper_case; rewrite ler_wpmul2l ?ler0n // a1 upper_at1 //.
    exact: low_at1.
  apply: le_trans (mean1 false); rewrite regretE a1 regret_one lowE.
  by under [X in _ <= _ * X]eq_bigl do rewrite -leNgt.
have of_piece e v : 2%:R * v <= regret e (mu R x S) -> gbar x p S a <= v -> exists e',
    2%:R * gbar x p S a <= regret e' (mu R x S).
  by move=> ve av; exists e; apply: le_trans ve; rewrite ler_wpmul2l ?ler0n.
have := lexx (gbar x p S a); rewrite {2}/gbar /g !le_maxr -!orbA.
case/or4P; [exact: of_piece lower_case|exact: of_piece upper_case|exact: of_piece low_case|].
exact: of_piece high_case.
Qed.

(* Sums of two such rules, *)
Definition two_kinks k m e f a b : rule R := fun y q => k * kinked e a y q + m * kinked f b y q.

(* of which the losses are at most 1, at zeros and at ones. *)
Lemma two_kinks_bounded k m e f a b : 0 <= k -> 0 <= m -> 0 <= a <= 1 -> 0 <= b <= 1 ->
  k * a + m * b <= 1 -> k * (1 - a) + m * (1 - b) <= 1 -> bounded (two_kinks k m e f a b).
Proof.
move=> k0 m0 a01 b01 zeros ones y q _; rewrite -ler_norml (le_trans (ler_norm_add _ _)) //.
by rewrite (normrM k) (normrM m) (ger0_norm k0) (ger0_norm m0) !norm_kinked //; case: y.
Qed.

Lemma two_kinks_proper k m e f a b : 0 <= k -> 0 <= m -> proper (two_kinks k m e f a b).
Proof. by move=> k0 m0; apply: proper_add; apply: proper_scale => //; exact: kinked_proper. Qed.

(* For two of them the regret is large enough. *)
Lemma two_kinks_regret x p S a b k m : predictions p ->
  0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= k -> 0 <= m -> exists e f,
  2%:R * (k * gbar x p S a + m * gbar x p S b) <=
  loss (two_kinks k m e f a b) x p S - loss (two_kinks k m e f a b) x (fun=> mu R x S) S.
Proof.
move=> p01 a01 b01 k0 m0.
have [e ae] := kinked_regret x S p01 a01; have [f bf] := kinked_regret x S p01 b01.
exists e, f; rewrite /two_kinks !loss_add !loss_scale.
have := ler_add (ler_wpmul2l k0 ae) (ler_wpmul2l m0 bf); apply: same_gap.
by move: (loss _ _ _ _) (loss _ _ _ _) (loss _ _ _ _) (loss _ _ _ _) => *; ring.
Qed.
End Kinked.

(* UCal. *)
Section UCal.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b s u v w : R).

Lemma UCal_ge0 x p S : 0 <= UCal x p S.
Proof. by rewrite mulr_ge0 ?ler0n ?seqmax_ge0. Qed.

Lemma quarter_UCal x p S : 4%:R * (UCal x p S / 4%:R) = UCal x p S.
Proof. by rewrite mulrC divfK // pnatr_eq0. Qed.

(* Every chord over 1/2 is below a quarter of it there, *)
Lemma chord_le_UCal x p S a b : a \in corners p S -> b \in corners p S ->
  2%:R * a <= 1 -> 1 <= 2%:R * b -> chord x p S a b <= UCal x p S / 4%:R.
Proof.
move=> aC bC a1 b1; rewrite /UCal [4%:R * _]mulrC mulfK ?pnatr_eq0 //.
apply: (@seqmax_ge _ _ _ _ (fun ab => chord x p S ab.1 ab.2) (a, b)); last by rewrite /= a1.
exact: allpairs_f.
Qed.

(* and one of them is as high, or UCal is 0. *)
Lemma UCal_chord x p S : UCal x p S = 0 \/ exists a b, [/\ a \in corners p S, b \in corners p S,
  2%:R * a <= 1, 1 <= 2%:R * b & UCal x p S = 4%:R * chord x p S a b].
Proof.
rewrite /UCal.
have [->|[[a b] [/allpairsP[[c d] [cC dC [-> ->]]] /andP[a1 b1] ->]]] := seqmax_attained
  (allpairs pair (corners p S) (corners p S))
  (fun ab => (2%:R * ab.1 <= 1) && (1 <= 2%:R * ab.2)) (fun ab => chord x p S ab.1 ab.2).
  by left; rewrite mulr0.
by right; exists c, d.
Qed.

Lemma UCal_le x p S v : 0 <= v -> (forall a b, a \in corners p S -> b \in corners p S ->
    2%:R * a <= 1 -> 1 <= 2%:R * b -> 4%:R * chord x p S a b <= v) ->
  UCal x p S <= v.
Proof.
by move=> v0 bound; have [->|[a [b [aC bC a1 b1 ->]]]] := UCal_chord x p S; last exact: bound.
Qed.

(* A line over the closure of g whose height at 1/2 is a quarter of UCal. *)
Lemma UCal_line x p S : predictions p ->
  exists u w, over x p S u w /\ 2%:R * (u + w) = UCal x p S.
Proof.
move=> p01; pose m := UCal x p S / 4%:R.
have [a aC a1|a b aC bC a1 b1|u [w [uw above]]] :=
    @hull_line _ (gbar x p S) m (corners p S) (corner1 p S).
- by have := chord_le_UCal x aC aC; rewrite a1 /chord eqxx; apply.
- have ab : a < b by rewrite -(ltr_pmul2l (ltr0Sn R 1)) (lt_trans a1).
  have := chord_le_UCal x aC bC (ltW a1) (ltW b1).
  by rewrite /chord lt_eqF // ler_pdivr_mulr // mulr_gt0 ?ltr0n ?subr_gt0.
exists u, w; split; first exact: corners_over.
by rewrite uw mulrA -natrM quarter_UCal.
Qed.

(* Four chords are at most a regret. *)
Lemma chord_rule x p S a b : predictions p ->
  0 <= a <= 1 -> 0 <= b <= 1 -> 2%:R * a <= 1 -> 1 <= 2%:R * b -> exists k m e f,
  [/\ 0 <= k, 0 <= m, bounded (two_kinks k m e f a b) & 4%:R * chord x p S a b <=
   loss (two_kinks k m e f a b) x p S - loss (two_kinks k m e f a b) x (fun=> mu R x S) S].
Proof.
move=> p01 a01 b01 a1 b1; rewrite /chord; case: eqP => [eqab|/eqP neqab].
  have half : 2%:R * a = 1 by apply/eqP; rewrite eq_le a1 eqab b1.
  have [e [f ef]] := two_kinks_regret x S p01 a01 a01 (ler0n R 2) (lexx 0).
  exists 2%:R, 0, e, f; rewrite -eqab ler0n lexx; split=> //.
    apply: two_kinks_bounded; rewrite ?ler0n ?lexx // !mul0r !addr0 ?half //.
    by rewrite mulrBr half mulr1 ler_subl_addr.
  by move: ef; rewrite !mul0r !addr0 mulrA -natrM.
have ab : a < b by rewrite lt_neqAle neqab -(ler_pmul2l (ltr0Sn R 1)) (le_trans a1).
have d0 : 0 < b - a by rewrite subr_gt0.
have dN0 : b - a != 0 by rewrite gt_eqF.
pose k := (2%:R * b - 1) / (b - a); pose m := (1 - 2%:R * a) / (b - a).
have k0 : 0 <= k by rewrite divr_ge0 ?subr_ge0 // ltW.
have m0 : 0 <= m by rewrite divr_ge0 ?subr_ge0 // ltW.
have [e [f ef]] := two_kinks_regret x S p01 a01 b01 k0 m0; exists k, m, e, f; split=> //.
  apply: two_kinks_bounded => //; first by rewrite (_ : _ + _ = 1) // /k /m; field.
  by rewrite (_ : _ + _ = 1) // /k /m; field.
by apply: le_trans ef; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /k /m; field.
Qed.

(* So some sum of two kinked rules reaches UCal. *)
Lemma UCal_rule x p S : predictions p -> exists k m e f a b,
  [/\ 0 <= k /\ 0 <= m, 0 <= a <= 1 /\ 0 <= b <= 1, bounded (two_kinks k m e f a b) & UCal x p S <=
   loss (two_kinks k m e f a b) x p S - loss (two_kinks k m e f a b) x (fun=> mu R x S) S].
Proof.
move=> p01; have [zero|[a [b [aC bC a1 b1 ->]]]] := UCal_chord x p S; last first.
  have a01 := corners01 p01 aC; have b01 := corners01 p01 bC.
  have [k [m [e [f [k0 m0 lB le]]]]] := chord_rule x S p01 a01 b01 a1 b1.
  by exists k, m, e, f, a, b.
have in01 : 0 <= (0 : R) <= 1 by rewrite lexx ler01.
have [e [f ef]] := two_kinks_regret x S p01 in01 in01 (lexx 0) (lexx 0).
exists 0, 0, e, f, 0, 0; rewrite zero; split.
- by rewrite lexx.
- by split.
- by apply: two_kinks_bounded; rewrite ?mul0r ?addr0 ?ler01 ?lexx.
- by move: ef; rewrite !mul0r addr0 mulr0.
Qed.

(* UCal is the supremum, *)
Theorem UCalP x p S : predictions p -> is_UCal x p S (UCal x p S).
Proof.
move=> p01; split=> [_ [l [i [lP lB iP ->]]]|u ub].
  have [u [w [uw <-]]] := UCal_line x S p01.
  rewrite (inf_unique iP (mean_best x S lP)).
  apply: le_trans (regret_le_line p01 lP uw) _.
  have [u0 w0] := over_ends p01 (fun a aC => uw a (corners01 p01 aC)).
  have span y b c : 0 <= b <= 1 -> 0 <= c <= 1 -> l y b - l y c <= 2%:R.
    move=> /(lB y)/andP[_ hi] /(lB y)/andP[lo _].
    by rewrite (_ : 2%:R = 1 - -1) ?ler_sub // opprK.
  by rewrite [X in _ <= X]mulrDr ler_add // mulrC ler_wpmul2r // span ?lexx ?ler01.
have [k [m [e [f [a [b [[k0 m0] _ lB le]]]]]]] := UCal_rule x S p01; apply: le_trans le _.
have lP := two_kinks_proper e f a b k0 m0.
apply: ub; exists (two_kinks k m e f a b), (loss (two_kinks k m e f a b) x (fun=> mu R x S) S).
by split=> //; exact: mean_best.
Qed.

(* and attained by a sum of two kinked rules. *)
Theorem UCal_attained x p S u : predictions p -> is_UCal x p S u -> exists k m e f a b i,
  let l : rule R := fun y q => k * kinked e a y q + m * kinked f b y q in
  [/\ 0 <= k /\ 0 <= m, 0 <= a <= 1 /\ 0 <= b <= 1, proper l, bounded l &
      is_best_constant l x S i /\ u = loss l x p S - i].
Proof.
move=> p01 uP; have [k [m [e [f [a [b [[k0 m0] ab lB le]]]]]]] := UCal_rule x S p01.
have lP := two_kinks_proper e f a b k0 m0; have iP := mean_best x S lP.
exists k, m, e, f, a, b; eexists; split=> //; split; first exact: iP.
apply/eqP; rewrite eq_le (sup_unique uP (UCalP x S p01)) le /=.
by apply: (sup_ge (UCalP x S p01)); exists (two_kinks k m e f a b); eexists; split; last by [].
Qed.

(* Its value does not depend on how it is computed. *)
Lemma UCal_value x p S u : predictions p -> is_UCal x p S u -> u = UCal x p S.
Proof. by move=> p01 uP; exact: sup_unique uP (UCalP x S p01). Qed.
End UCal.

(* Comparisons. *)
Section Compare.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (u v : R).

(* lemma:UCal-vs-VCal (L353): VCal is at most UCal, since V-shaped rules are proper and bounded, *)
Theorem VCal_le_UCal x p S : predictions p -> VCal x p S <= UCal x p S.
Proof.
move=> p01; apply: sup_le (VCalP x S p01) _ => _ [a [b [a01 b01 ->]]].
apply: (@le_trans _ _ (loss (vshaped a) x p S - loss (vshaped a) x (fun=> mu R x S) S)).
  by rewrite ler_add2l ler_opp2 beta_mu.
apply: (sup_ge (UCalP x S p01)); exists (vshaped a), (loss (vshaped a) x (fun=> mu R x S) S).
by split; [exact: vshaped_proper|exact: vshaped_bounded|exact/mean_best/vshaped_proper|].
Qed.

(* and at least half of it, since no chord of the closure of g is over its maximum. *)
Theorem UCal_le_2VCal x p S : predictions p -> UCal x p S <= 2%:R * VCal x p S.
Proof.
move=> p01; have half a : gbar x p S a <= VCal x p S / 2%:R := gbar_le_VCal x p S a.
apply: UCal_le => [|a b aC bC a_half b_half]; first by rewrite mulr_ge0 ?ler0n ?VCal_ge0.
have -> : 2%:R * VCal x p S = 4%:R * (VCal x p S / 2%:R) by field.
rewrite ler_wpmul2l ?ler0n // /chord; case: eqP => [//|/eqP neqab].
have ab : a < b by rewrite lt_neqAle neqab -(ler_pmul2l (ltr0Sn R 1)) (le_trans a_half).
rewrite ler_pdivr_mulr; last by rewrite mulr_gt0 ?ltr0n ?subr_gt0.
have := ler_add (ler_wpmul2l _ (half a)) (ler_wpmul2l _ (half b)).
move=> /(_ (2%:R * b - 1) (1 - 2%:R * a)); rewrite !subr_ge0 => /(_ b_half a_half)/le_trans.
by apply; rewrite -mulrDl mulrC le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* stepCE (L1000). *)
Theorem UCal_le_8stepCE x p S : predictions p -> UCal x p S <= 8%:R * stepCE x p S.
Proof.
move=> p01; apply: le_trans (UCal_le_2VCal x S p01) _.
have -> : 8%:R = 2%:R * 4%:R :> R by rewrite -natrM.
by rewrite -mulrA ler_wpmul2l ?ler0n ?VCal_le_4stepCE.
Qed.

(* No round costs more than 2. *)
Theorem UCal_le_2card x p S : predictions p -> UCal x p S <= 2%:R * #|S|%:R.
Proof.
move=> p01; apply: sup_le (UCalP x S p01) _ => _ [l [i [lP lB iP ->]]].
rewrite (inf_unique iP (mean_best x S lP)) /loss -sumrB count_rounds mulr_sumr.
apply: ler_sum => t _; have /andP[_ hi] := lB (x t) _ (p01 t).
have /andP[lo _] := lB (x t) _ (mu_in01 R x S).
by rewrite mulr1 (_ : 2%:R = 1 - -1) ?ler_sub // opprK.
Qed.

(* Perfectly calibrated predictions have no regret. *)
Theorem UCal_calibrated x p S : predictions p -> calibrated x p S -> UCal x p S = 0.
Proof.
move=> p01 cal; apply/eqP; rewrite eq_le UCal_ge0 andbT.
by apply: le_trans (UCal_le_8stepCE x S p01) _; rewrite stepCE_calibrated // mulr0.
Qed.
End Compare.

(* The mean over all sets of rounds. *)
Section Sub.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R).

Theorem UCal_sub_ge0 x p : 0 <= UCal_sub x p.
Proof. by apply: mean_ge0 => S; exact: UCal_ge0. Qed.

Theorem UCal_sub_le x p : predictions p -> UCal_sub x p <= T%:R.
Proof.
move=> p01; have: UCal_sub x p <= 2%:R * mean (fun S : {set 'I_T} => #|S|%:R).
  by apply: mean_le_scale => S; exact: UCal_le_2card.
by rewrite mean_card mulrC divfK // pnatr_eq0.
Qed.

Theorem UCal_le_16stepCE_sub x p : predictions p -> UCal x p setT <= 16%:R * stepCE_sub x p.
Proof.
move=> p01; apply: le_trans (UCal_le_8stepCE x setT p01) _.
have -> : 16%:R = 8%:R * 2%:R :> R by rewrite -natrM.
by rewrite -mulrA ler_wpmul2l ?ler0n ?stepCE_le_2sub.
Qed.
End Sub.
