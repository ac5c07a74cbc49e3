(* What is proved of the paper, claim by claim, in three files: here the formulas of all measures,
   and what is proved of its preliminaries (L296-393), of calibrated predictions and of forecasters.
   Every theorem is evidence for the claims and laws that its comment names (`truecal claims ID`
   shows both side by side), for every number of rounds T, all outcomes x, all real predictions p in
   [0,1], and every set S of rounds, but for a few that say otherwise: means over sets of rounds and
   forecasters are of all rounds. A theorem may show a part of a claim only: a law or a check of the
   claim counts as proved by Coq only if theorems state all of it. Statements use the words of
   Definitions.v; where a finite formula or a flow is meant, of Formulas.v and Smooth.v. That no
   smaller constants would do is in Tight.v. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix Rules Step ECE Smooth Regret VCal.
From Truecal Require Import UCal Majorant Constant Subsampled Rates Natures.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Every supremum exists, and is the value of a finite formula; so there is one value only:
   Prefix.v, Step.v, SmoothDual.v, Smooth.v, Regret.v, UCal.v. *)
Section Formulas.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (s : R).

Lemma value_of (A : R -> Prop) v s : is_sup A v -> is_sup A s <-> s = v.
Proof. by move=> vP; split=> [sP|->] //; exact: sup_unique sP vP. Qed.

(* claim: def-stepCE; claim: footnote-T+1-values *)
Theorem stepCE_attained x p S s : predictions p -> is_stepCE x p S s ->
  exists2 a, 0 <= a <= 1 & s = `|\sum_(t in S | p t <= a) residual x p t|.
Proof. exact: Prefix.stepCE_threshold. Qed.

(* claim: def-stepCE; claim: reading:stepce *)
Theorem stepCE_formula x p S s : predictions p -> is_stepCE x p S s <-> s = stepCE x p S.
Proof. by move=> p01; exact: value_of (stepCEP x S p01). Qed.

(* claim: reading:signce *)
Theorem signCE_formula x p S s : predictions p -> is_signCE x p S s <-> s = signCE x p S.
Proof. by move=> p01; exact: value_of (signCEP x S p01). Qed.

(* claim: reading:intervalce *)
Theorem intervalCE_formula x p S s :
  predictions p -> is_intervalCE x p S s <-> s = intervalCE x p S.
Proof. by move=> p01; exact: value_of (intervalCEP x S p01). Qed.

(* The largest prefix sum less the smallest, where that of no round, 0, counts. *)
(* claim: reading:intervalce *)
Theorem intervalCE_range x p S s : predictions p -> is_intervalCE x p S s <->
  s = \big[Num.max/0]_(t in S) upto x p S (p t) + \big[Num.max/0]_(t in S) - upto x p S (p t).
Proof. by move=> p01; rewrite -Step.intervalCE_range; exact: intervalCE_formula. Qed.

(* claim: reading:smce *)
Theorem smCE_formula x p S s : predictions p -> is_smCE x p S s <-> s = smCE x p S.
Proof. by move=> p01; exact: value_of (smCEP x S p01). Qed.

(* smCE is also the least cost of a flow: phi a units of bias move from each level a to the next, at
   the price of the distance, and what stays costs its absolute value. *)
(* claim: reading:smce *)
Theorem smCE_least_flow x p S s : predictions p -> is_smCE x p S s <->
  is_inf (fun v => exists phi, v = flow_cost x p S phi) s.
Proof.
move=> p01; split=> [/smCE_formula-> //|sP]; first exact: smCE_flow.
by apply/smCE_formula => //; exact: inf_unique sP (smCE_flow x p S).
Qed.

(* claim: reading:vcal *)
Theorem VCal_formula x p S s : predictions p -> is_VCal x p S s <-> s = VCal x p S.
Proof. by move=> p01; exact: value_of (VCalP x S p01). Qed.

(* claim: reading:ucal; claim: UCAL-FORMULA *)
Theorem UCal_formula x p S s : predictions p -> is_UCal x p S s <-> s = UCal x p S.
Proof. by move=> p01; exact: value_of (UCalP x S p01). Qed.

(* A mean over sets of rounds. *)
Lemma mean_value (M : {set 'I_T} -> R -> Prop) m s :
  (forall S v, M S v <-> v = m S) -> is_mean M s <-> s = mean m.
Proof.
move=> mP; split=> [[n nP ->]|->]; last by exists m => // S; apply/mP.
by congr (_ / _); apply: eq_bigr => S _; apply/mP/nP.
Qed.

(* claim: reading:stepce_sub *)
Theorem stepCE_sub_formula x p s : predictions p -> is_stepCE_sub x p s <-> s = stepCE_sub x p.
Proof. by move=> p01; apply: mean_value => S v; exact: stepCE_formula. Qed.

(* claim: reading:vcal_sub *)
Theorem VCal_sub_formula x p s : predictions p -> is_VCal_sub x p s <-> s = VCal_sub x p.
Proof. by move=> p01; apply: mean_value => S v; exact: VCal_formula. Qed.

(* claim: reading:ucal_sub; claim: eq:subsampled *)
Theorem UCal_sub_formula x p s : predictions p -> is_UCal_sub x p s <-> s = UCal_sub x p.
Proof. by move=> p01; apply: mean_value => S v; exact: UCal_formula. Qed.

(* claim: reading:ssce; claim: eq:ssce *)
Theorem SSCE_formula x p s : predictions p -> is_SSCE x p s <-> s = SSCE x p.
Proof. by move=> p01; apply: mean_value => S v; exact: smCE_formula. Qed.

(* The second form: all rounds, each counted or not. *)
(* claim: eq:ssce *)
Theorem SSCE_counted x p s : is_SSCE x p s <-> is_mean (fun S => is_sup (fun w =>
  exists f : R -> R, [/\ lipschitz f, within f &
  w = \sum_t (t \in S)%:R * f (p t) * residual x p t])) s.
Proof.
have same S (f : R -> R) : \sum_(t in S) f (p t) * residual x p t =
    \sum_t (t \in S)%:R * f (p t) * residual x p t.
  by rewrite big_mkcond; apply: eq_bigr => t _; case: (t \in S); rewrite ?mul1r ?mul0r.
split=> -[m mP ->]; exists m => // S; case: (mP S) => ub least; split.
- by move=> _ [f [lip bnd ->]]; apply: ub; exists f; rewrite same.
- by move=> u le_u; apply: least => _ [f [lip bnd ->]]; apply: le_u; exists f; rewrite same.
- by move=> _ [f [lip bnd ->]]; apply: ub; exists f; rewrite -same.
- by move=> u le_u; apply: least => _ [f [lip bnd ->]]; apply: le_u; exists f; rewrite -same.
Qed.
End Formulas.

(* Preliminaries (L296-393): Rules.v, Regret.v, UCal.v, Majorant.v. *)
Section Preliminaries.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b s u v w : R).

(* claim: eq:vcaleq *)
Theorem vshaped_proper_bounded a : 0 <= a <= 1 -> proper (vshaped a) /\ bounded (vshaped a).
Proof. by move=> a01; split; [exact: vshaped_proper|exact: vshaped_bounded]. Qed.

(* claim: beta=mu; claim: eq:V-calibration *)
Theorem best_constant_is_mean x S a b : 0 <= a <= 1 -> 0 <= b <= 1 ->
  loss (vshaped a) x (fun=> (\sum_(t in S) (x t)%:R) / #|S|%:R) S <=
  loss (vshaped a) x (fun=> b) S.
Proof. exact: beta_mu. Qed.

(* claim: eq:U-calibration *)
Theorem best_constant (l : rule R) x S :
  proper l -> is_best_constant l x S (loss l x (fun=> mu R x S) S).
Proof. exact: mean_best. Qed.

(* claim: eq:V-calibration *)
Theorem VCal_reached x p S v : predictions p -> is_VCal x p S v ->
  (exists2 a, 0 <= a <= 1 & regret x p S a (mu R x S) = v) <-> v = 0.
Proof. by move=> p01 /VCal_formula-> //; exact: Regret.VCal_reached. Qed.

(* claim: prop:altform; claim: A-chain; claim: beta=mu; claim: eq:V-calibration *)
Theorem VCal_against_mean x p S v : predictions p -> is_VCal x p S v <->
  is_sup (fun w => exists2 a, 0 <= a <= 1 & w = regret x p S a (mu R x S)) v.
Proof.
move=> p01; split=> vP; first by rewrite (sup_unique vP (VCalP x S p01)); exact: mean_VCalP.
by rewrite (sup_unique vP (mean_VCalP x S p01)); exact: VCalP.
Qed.

(* claim: prop:altform; claim: A-chain *)
Theorem altform x p S v w :
  predictions p -> is_VCal x p S v -> is_sup_g x p S w -> v = 2%:R * w.
Proof. exact: Regret.altform. Qed.

(* claim: prop:altform; claim: A-chain *)
Theorem sup_g_exists x p S : predictions p -> exists w, is_sup_g x p S w.
Proof. by move=> p01; exists (VCal x p S / 2%:R); exact: gP. Qed.

(* claim: UCAL-FORMULA *)
Theorem UCal_is_4_majorant x p S u m : predictions p ->
  is_UCal x p S u -> is_majorant x p S (1 / 2%:R) m -> u = 4%:R * m.
Proof. exact: UCAL_FORMULA. Qed.

(* claim: UCAL-FORMULA *)
Theorem majorant_exists x p S : predictions p -> exists m, is_majorant x p S (1 / 2%:R) m.
Proof. by move=> p01; eexists; exact: majorantP. Qed.

(* claim: UCAL-FORMULA *)
Theorem UCal_closed_majorant x p S u : predictions p -> is_UCal x p S u <->
  is_inf (fun v => exists2 h, over_closure x p S h & v = 4%:R * h (1 / 2%:R)) u.
Proof.
move=> p01; split=> [/UCal_formula-> //|uP]; first exact: closed_majorantP.
by apply/UCal_formula => //; exact: inf_unique uP (closed_majorantP x S p01).
Qed.

(* claim: UCAL-FORMULA *)
Theorem UCal_least_line x p S u : predictions p -> is_UCal x p S u ->
  (exists h k, u = 2%:R * (h + k) /\
    forall a, 0 <= a <= 1 -> Definitions.g x p S a <= h * (1 - a) + k * a) /\
  (forall h k, (forall a, 0 <= a <= 1 -> Definitions.g x p S a <= h * (1 - a) + k * a) ->
    u <= 2%:R * (h + k)).
Proof. by move=> p01 /UCal_formula-> //; exact: Majorant.UCal_least_line. Qed.

(* claim: UCAL-FORMULA; claim: eq:U-calibration *)
Theorem UCal_attained x p S u : predictions p -> is_UCal x p S u -> exists k m e f a b i,
  let l : rule R := fun y q => k * kinked e a y q + m * kinked f b y q in
  [/\ 0 <= k /\ 0 <= m, 0 <= a <= 1 /\ 0 <= b <= 1, proper l, bounded l &
      is_best_constant l x S i /\ u = loss l x p S - i].
Proof. exact: UCal.UCal_attained. Qed.

(* claim: lemma:UCal-vs-VCal; claim: TIGHT-ucal-vcal; law: ucal <= 2*vcal *)
Theorem UCal_le_2VCal x p S u v : predictions p ->
  is_UCal x p S u -> is_VCal x p S v -> u <= 2%:R * v.
Proof. by move=> p01 /UCal_formula-> // /VCal_formula-> //; exact: UCal.UCal_le_2VCal. Qed.

(* claim: lemma:UCal-vs-VCal; claim: TIGHT-vcal-ucal; claim: TIGHT-range;
   law: vcal <= ucal *)
Theorem VCal_le_UCal x p S u v : predictions p ->
  is_UCal x p S u -> is_VCal x p S v -> v <= u.
Proof. by move=> p01 /UCal_formula-> // /VCal_formula-> //; exact: UCal.VCal_le_UCal. Qed.

(* claim: UCAL-COROLLARIES-e *)
Theorem VCal0_g x p S v : predictions p -> is_VCal x p S v ->
  v = 0 <-> forall a, 0 <= a <= 1 -> Definitions.g x p S a <= 0.
Proof. by move=> p01 /VCal_formula-> //; exact: Regret.VCal0_g. Qed.

(* claim: UCAL-COROLLARIES-e; law: ucal == 0 => vcal == 0; law: vcal == 0 => ucal == 0 *)
Theorem UCal0_VCal0 x p S u v : predictions p ->
  is_UCal x p S u -> is_VCal x p S v -> u = 0 <-> v = 0.
Proof.
move=> p01 uP vP; have lo := VCal_le_UCal p01 uP vP; have hi := UCal_le_2VCal p01 uP vP.
have [u0 v0] : 0 <= u /\ 0 <= v.
  by move/UCal_formula: uP => -> //; move/VCal_formula: vP => -> //; rewrite UCal_ge0 ?VCal_ge0.
split=> zero; apply/eqP; rewrite eq_le ?u0 ?v0 andbT; first by rewrite zero in lo.
by rewrite zero mulr0 in hi.
Qed.
End Preliminaries.

(* The range of each measure (L311): what is left of [0, T], and what takes its place. In the files
   of the measures. *)
Section Ranges.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (s : R).

(* claim: def-CM-range-corrected; law: ece <= T *)
Theorem ECE_le_T x p S : predictions p -> ECE x p S <= #|S|%:R.
Proof. exact: ECE_le_card. Qed.

(* claim: def-CM-range-corrected; claim: eq:ssce; law: smce <= T *)
Theorem smCE_le_T x p S s : predictions p -> is_smCE x p S s -> s <= #|S|%:R.
Proof. by move=> p01 /smCE_formula-> //; exact: smCE_le_card. Qed.

(* claim: def-CM-range-corrected; law: stepce <= T *)
Theorem stepCE_le_T x p S s : predictions p -> is_stepCE x p S s -> s <= #|S|%:R.
Proof. by move=> p01 /stepCE_formula-> //; exact: stepCE_le_card. Qed.

(* claim: def-CM-range-corrected; law: signce <= T *)
Theorem signCE_le_T x p S s : predictions p -> is_signCE x p S s -> s <= #|S|%:R.
Proof. by move=> p01 /signCE_formula-> //; exact: signCE_le_card. Qed.

(* claim: def-CM-range-corrected; law: intervalce <= T *)
Theorem intervalCE_le_T x p S s : predictions p -> is_intervalCE x p S s -> s <= #|S|%:R.
Proof. by move=> p01 /intervalCE_formula-> //; exact: intervalCE_le_card. Qed.

(* claim: def-CM-range-corrected; claim: TIGHT-range; law: vcal <= 2*T *)
Theorem VCal_le_2T x p S s : predictions p -> is_VCal x p S s -> s <= 2%:R * #|S|%:R.
Proof. by move=> p01 /VCal_formula-> //; exact: VCal_le_2card. Qed.

(* claim: def-CM-range-corrected; claim: TIGHT-range; law: ucal <= 2*T *)
Theorem UCal_le_2T x p S s : predictions p -> is_UCal x p S s -> s <= 2%:R * #|S|%:R.
Proof. by move=> p01 /UCal_formula-> //; exact: UCal_le_2card. Qed.

(* claim: def-CM-range-corrected; law: stepce_sub <= T/2 *)
Theorem stepCE_sub_le_half_T x p s : predictions p -> is_stepCE_sub x p s -> s <= T%:R / 2%:R.
Proof. by move=> p01 /stepCE_sub_formula-> //; exact: stepCE_sub_le_half. Qed.

(* claim: def-CM-range-corrected; law: ssce <= T/2 *)
Theorem SSCE_le_half_T x p s : predictions p -> is_SSCE x p s -> s <= T%:R / 2%:R.
Proof. by move=> p01 /SSCE_formula-> //; exact: SSCE_le_half. Qed.

(* claim: def-CM-range-corrected; law: vcal_sub <= T *)
Theorem VCal_sub_le_T x p s : predictions p -> is_VCal_sub x p s -> s <= T%:R.
Proof. by move=> p01 /VCal_sub_formula-> //; exact: VCal_sub_le. Qed.

(* claim: def-CM-range-corrected; law: ucal_sub <= T *)
Theorem UCal_sub_le_T x p s : predictions p -> is_UCal_sub x p s -> s <= T%:R.
Proof. by move=> p01 /UCal_sub_formula-> //; exact: UCal_sub_le. Qed.

(* claim: def-CM-range-corrected; claim: eq:ssce;
   law: min(ece, smce, stepce, signce, intervalce, vcal, ucal) >= 0 *)
Theorem measures_ge0 x p S : predictions p -> [/\ 0 <= ECE x p S,
  forall s, is_smCE x p S s -> 0 <= s, forall s, is_stepCE x p S s -> 0 <= s &
  [/\ forall s, is_signCE x p S s -> 0 <= s, forall s, is_intervalCE x p S s -> 0 <= s,
      forall s, is_VCal x p S s -> 0 <= s & forall s, is_UCal x p S s -> 0 <= s]].
Proof.
move=> p01; split; [exact: ECE_ge0| | |split] => s.
- by move/smCE_formula=> -> //; exact: smCE_ge0.
- by move/stepCE_formula=> -> //; exact: stepCE_ge0.
- by move/signCE_formula=> -> //; exact: signCE_ge0.
- by move/intervalCE_formula=> -> //; exact: intervalCE_ge0.
- by move/VCal_formula=> -> //; exact: VCal_ge0.
- by move/UCal_formula=> -> //; exact: UCal_ge0.
Qed.

(* claim: def-CM-range-corrected; law: min(stepce_sub, vcal_sub, ucal_sub, ssce) >= 0 *)
Theorem subsampled_ge0 x p : predictions p -> [/\ forall s, is_stepCE_sub x p s -> 0 <= s,
  forall s, is_VCal_sub x p s -> 0 <= s, forall s, is_UCal_sub x p s -> 0 <= s &
  forall s, is_SSCE x p s -> 0 <= s].
Proof.
move=> p01; split=> s.
- by move/stepCE_sub_formula=> -> //; exact: stepCE_sub_ge0.
- by move/VCal_sub_formula=> -> //; exact: VCal_sub_ge0.
- by move/UCal_sub_formula=> -> //; exact: UCal_sub_ge0.
- by move/SSCE_formula=> -> //; exact: SSCE_ge0.
Qed.

(* claim: UCAL-COROLLARIES-d; law: vcal >= 0 *)
Theorem VCal_ge0 x p S s : predictions p -> is_VCal x p S s -> 0 <= s.
Proof. by move=> p01 /VCal_formula-> //; exact: Regret.VCal_ge0. Qed.
End Ranges.

(* Perfectly calibrated predictions (L314-328), and constant ones: ECE.v, Constant.v. *)
Section Calibrated.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (b c s : R).

(* claim: claim-perfectly-calibrated-no-regret *)
Theorem calibrated_iff x p S : calibrated x p S <-> ECE x p S = 0.
Proof. exact: calibrated_ECE. Qed.

(* claim: claim-perfectly-calibrated-no-regret *)
Theorem no_regret (l : rule R) x p S b : predictions p -> calibrated x p S -> proper l ->
  0 <= b <= 1 -> loss l x p S <= loss l x (fun=> b) S.
Proof. exact: ECE.no_regret. Qed.

(* The same of somebody who acts on predictions (L325-328): u a y is the utility of the action a if
   y happens, and r q is the action that is taken when q is predicted, a best one if the probability
   of a 1 is q. That the same prediction is always answered by the same action is needed. *)
(* claim: claim-perfectly-calibrated-no-regret *)
Theorem no_regret_acting (A : Type) (u : A -> bool -> R) (r : R -> A) x p S :
  predictions p -> calibrated x p S ->
  (forall q a, 0 <= q <= 1 ->
    q * u a true + (1 - q) * u a false <= q * u (r q) true + (1 - q) * u (r q) false) ->
  forall a, \sum_(t in S) u a (x t) <= \sum_(t in S) u (r (p t)) (x t).
Proof.
move=> p01 cal best a; pose l : rule R := fun y q => - u (r q) y.
have lP : proper l by move=> q b q01 _; rewrite /expected_loss !mulrN -!opprD ler_opp2 best.
have := ECE.no_regret p01 cal lP (mu_in01 R x S); rewrite /loss !sumrN ler_opp2; apply: le_trans.
have total (b : A) : \sum_(t in S) u b (x t) =
    #|S|%:R * expected_loss (fun y _ => u b y) (mu R x S) 0.
  exact: (loss_constant_mu (fun y _ => u b y) x S 0).
by rewrite !total ler_wpmul2l ?ler0n // best // mu_in01.
Qed.

(* claim: claim-perfectly-calibrated-no-regret; claim: completeness; law: ece == 0 => stepce == 0 *)
Theorem stepCE_calibrated x p S s :
  predictions p -> ECE x p S = 0 -> is_stepCE x p S s -> s = 0.
Proof. by move=> p01 /calibrated_ECE cal /stepCE_formula-> //; exact: ECE.stepCE_calibrated. Qed.

(* claim: claim-perfectly-calibrated-no-regret; law: ece == 0 => smce == 0 *)
Theorem smCE_calibrated x p S s : predictions p -> ECE x p S = 0 -> is_smCE x p S s -> s = 0.
Proof. by move=> p01 /calibrated_ECE cal /smCE_formula-> //; exact: Smooth.smCE_calibrated. Qed.

(* claim: claim-perfectly-calibrated-no-regret; law: ece == 0 => vcal == 0 *)
Theorem VCal_calibrated x p S s : predictions p -> ECE x p S = 0 -> is_VCal x p S s -> s = 0.
Proof. by move=> p01 /calibrated_ECE cal /VCal_formula-> //; exact: VCal.VCal_calibrated. Qed.

(* claim: claim-perfectly-calibrated-no-regret; law: ece == 0 => ucal == 0 *)
Theorem UCal_calibrated x p S s : predictions p -> ECE x p S = 0 -> is_UCal x p S s -> s = 0.
Proof. by move=> p01 /calibrated_ECE cal /UCal_formula-> //; exact: UCal.UCal_calibrated. Qed.

(* law: ece == 0 => signce == 0 *)
Theorem signCE_calibrated x p S s : predictions p -> ECE x p S = 0 -> is_signCE x p S s -> s = 0.
Proof. by move=> p01 /calibrated_ECE cal /signCE_formula-> //; exact: ECE.signCE_calibrated. Qed.

(* law: ece == 0 => intervalce == 0 *)
Theorem intervalCE_calibrated x p S s :
  predictions p -> ECE x p S = 0 -> is_intervalCE x p S s -> s = 0.
Proof.
by move=> p01 /calibrated_ECE cal /intervalCE_formula-> //; exact: ECE.intervalCE_calibrated.
Qed.

(* Who predicts what happens has no error by any measure. *)
(* claim: def:complete-and-sound *)
Theorem foreseen_ECE x p S : (forall t, t \in S -> p t = (x t)%:R) -> ECE x p S = 0.
Proof.
move=> foreseen; apply/calibrated_ECE => a; apply: big1 => t /andP[tS _].
by rewrite /residual foreseen // subrr.
Qed.

(* claim: def:complete-and-sound *)
Theorem foreseen_subsampled x p : (forall t, p t = (x t)%:R) ->
  [/\ forall s, is_stepCE_sub x p s -> s = 0, forall s, is_VCal_sub x p s -> s = 0,
      forall s, is_UCal_sub x p s -> s = 0 & forall s, is_SSCE x p s -> s = 0].
Proof.
move=> foreseen; have p01 : predictions p.
  by move=> t; rewrite foreseen; case: (x t); rewrite lexx ler01.
have none S : ECE x p S = 0 by apply: foreseen_ECE => t _.
have mean0 (M : {set 'I_T} -> R -> Prop) s : (forall S v, M S v -> v = 0) -> is_mean M s -> s = 0.
  by move=> M0 [m mP ->]; rewrite big1 ?mul0r // => S _; exact: M0 (mP S).
split=> s; apply: mean0 => S v.
- exact: stepCE_calibrated.
- exact: VCal_calibrated.
- exact: UCal_calibrated.
- exact: smCE_calibrated.
Qed.

(* claim: completeness; law: squares == 0 => stepce == 0 *)
Theorem stepCE_exact x p S s : predictions p ->
  \sum_(t in S) residual x p t ^+ 2 = 0 -> is_stepCE x p S s -> s = 0.
Proof. by move=> p01 sq /stepCE_formula-> //; exact: stepCE_squares0. Qed.

(* claim: completeness; law: m == 1 => stepce == abs(bias) *)
Theorem stepCE_one_level x p S c s : predictions p -> (forall t, t \in S -> p t = c) ->
  is_stepCE x p S s -> s = `|\sum_(t in S) residual x p t|.
Proof. by move=> p01 one /stepCE_formula-> //; exact: stepCE_constant one. Qed.

(* claim: UCAL-COROLLARIES-a; law: m == 1 => vcal == 2*abs(bias) *)
Theorem VCal_one_level x p S c s : predictions p -> (forall t, t \in S -> p t = c) ->
  is_VCal x p S s -> s = 2%:R * `|\sum_(t in S) residual x p t|.
Proof. by move=> p01 one /VCal_formula-> //; exact: VCal_constant one. Qed.

(* claim: UCAL-COROLLARIES-a *)
Theorem UCal_one_level x p S c s : predictions p -> 0 <= c <= 1 -> (forall t, t \in S -> p t = c) ->
  is_UCal x p S s -> s = 2%:R * `|\sum_(t in S) residual x p t| / Num.max c (1 - c).
Proof. by move=> p01 c01 one /UCal_formula-> //; exact: UCal_constant. Qed.
End Calibrated.

(* Sequential prediction (L297-311, L366-376): Natures.v. *)
Section Sequential.
Variables (R : realFieldType) (T : nat).
Implicit Types (CM : measure R T) (D : outcomes T -> R) (alpha beta lo hi : R).

(* claim: def-truthful *)
Theorem truthful_forecasts D : distribution D -> forecasting (truthful D).
Proof. exact: forecasting_truthful. Qed.

(* Whatever is predicted after a history of probability 0. *)
(* claim: def-truthful *)
Theorem truthful_chain_rule D (q : forecaster R) (x : outcomes T) : distribution D ->
  (forall h, (size h < T)%N -> \sum_(y : outcomes T | history y (size h) == h) D y != 0 ->
    q h = truthful D h) ->
  D x = \prod_t (if x t then q (history x t) else 1 - q (history x t)).
Proof. exact: chain_rule. Qed.

(* Every forecaster is the truthful one of some distribution, after what can happen there. *)
(* claim: def-truthful *)
Theorem truthful_of_some (q : forecaster R) : forecasting q -> exists2 D : outcomes T -> R,
  distribution D & forall h, (size h < T)%N ->
    \sum_(x : outcomes T | history x (size h) == h) D x != 0 -> truthful D h = q h.
Proof.
by move=> q01; exists (nature q); [exact: nature_distribution|exact: truthful_nature].
Qed.

(* claim: def-truthful *)
Theorem OPT_le_truthful CM D opt : distribution D -> is_OPT CM D opt ->
  opt <= err CM D (truthful D).
Proof. exact: Natures.OPT_le_truthful. Qed.

(* Where the optimum exists, truthfulness is what the paper says, and a gap implies the paper's. *)
(* claim: eq:gap *)
Theorem truthful_OPT CM D opt alpha beta : 0 <= alpha -> distribution D -> is_OPT CM D opt ->
  err CM D (truthful D) <= alpha * opt + beta <->
  (forall A, forecasting A -> err CM D (truthful D) <= alpha * err CM D A + beta).
Proof. exact: Natures.truthful_OPT. Qed.

(* claim: eq:gap *)
Theorem gap_OPT CM D opt alpha : is_OPT CM D opt ->
  (forall e, 0 < e -> exists2 A, forecasting A & err CM D A <= alpha + e) -> opt <= alpha.
Proof. exact: Natures.gap_OPT. Qed.

(* claim: eq:gap *)
Theorem gap_OPT_excludes_truthful CM D opt alpha beta lo hi : 0 <= alpha ->
  truthful_up_to CM alpha beta -> distribution D -> is_OPT CM D opt -> opt <= lo ->
  hi <= err CM D (truthful D) -> hi <= alpha * lo + beta.
Proof. exact: Natures.gap_OPT_excludes_truthful. Qed.

(* claim: eq:gap *)
Theorem gap_excludes_truthful CM alpha beta lo hi : 0 <= alpha ->
  truthful_up_to CM alpha beta -> has_gap CM lo hi -> hi <= alpha * lo + beta.
Proof. exact: Natures.gap_excludes_truthful. Qed.
End Sequential.
