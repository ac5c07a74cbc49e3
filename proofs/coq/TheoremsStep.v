(* What is proved of step calibration (L958-1071), and of the steps of proofs about it and about the
   alternative form of VCal (L1916-2137), claim by claim; TheoremsPreliminaries.v says how to read
   it. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Prefix Rules Step Abel ECE Smooth Hull Regret VCal.
From Truecal Require Import Rates TheoremsPreliminaries.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step calibration (L958-1071, L2059-2137): Step.v, Regret.v, VCal.v, UCal.v, ECE.v. *)
Section StepCalibration.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b e g s u v w : R).

(* claim: claim-sgn-benchmark *)
Theorem sgn_benchmark x p S a :
  (forall b, expected_loss (vshaped a) b b = (b - a) * Num.sg (a - b) /\
    expected_loss (vshaped a) b b = - `|b - a|) /\
  loss (vshaped a) x p S - \sum_(t in S) - `|p t - a| =
    \sum_(t in S) residual x p t * Num.sg (a - p t).
Proof.
split=> [b|]; last exact: Rules.sgn_benchmark.
rewrite expected_vshaped_truth; split=> //.
by rewrite -[RHS]mulrNN opprB -sgrN opprB -expected_vshaped expected_vshaped_truth.
Qed.

(* claim: fact:equivfactor; claim: TIGHT-sign-step; law: signce <= 3*stepce *)
Theorem signCE_le_3stepCE x p S s g : predictions p ->
  is_stepCE x p S s -> is_signCE x p S g -> g <= 3%:R * s.
Proof. by move=> p01 /stepCE_formula-> // /signCE_formula-> //; exact: Step.signCE_le_3stepCE. Qed.

(* claim: fact:equivfactor; claim: TIGHT-step-sign; law: stepce <= signce *)
Theorem stepCE_le_signCE x p S s g : predictions p ->
  is_stepCE x p S s -> is_signCE x p S g -> s <= g.
Proof. by move=> p01 /stepCE_formula-> // /signCE_formula-> //; exact: Step.stepCE_le_signCE. Qed.

(* claim: eq:total-bias-bound *)
Theorem bias_le_sign_at_ends x p S : predictions p ->
  (0 <= \sum_(t in S) residual x p t ->
    `|\sum_(t in S) residual x p t| <= \sum_(t in S) residual x p t * Num.sg (1 - p t)) /\
  (\sum_(t in S) residual x p t <= 0 ->
    `|\sum_(t in S) residual x p t| <= \sum_(t in S) residual x p t * Num.sg (0 - p t)).
Proof. exact: Step.bias_le_sign_at_ends. Qed.

(* claim: eq:total-bias-bound; law: abs(bias) <= signce *)
Theorem bias_le_signCE x p S g : predictions p -> is_signCE x p S g ->
  `|\sum_(t in S) residual x p t| <= g.
Proof. by move=> p01 /signCE_formula-> //; exact: Step.bias_le_signCE. Qed.

(* claim: OPT-constant-c; law: stepce >= abs(bias) *)
Theorem bias_le_stepCE x p S s : predictions p -> is_stepCE x p S s ->
  `|\sum_(t in S) residual x p t| <= s.
Proof. by move=> p01 /stepCE_formula-> //; exact: Prefix.bias_le_stepCE. Qed.

(* claim: A-chain *)
Theorem A_chain x p S v w :
  predictions p -> is_VCal x p S v -> is_sup_g x p S w -> w = v / 2%:R.
Proof. exact: VCal.A_chain. Qed.

(* claim: A-chain; law: ucal/4 <= vcal/2 *)
Theorem A_chain_UCal x p S u v w : predictions p -> is_UCal x p S u -> is_VCal x p S v ->
  is_sup_g x p S w -> w = v / 2%:R /\ u / 4%:R <= w.
Proof.
move=> p01 uP vP wP; rewrite (A_chain p01 vP wP); split=> //.
rewrite ler_pdivr_mulr ?ltr0n // (_ : v / 2%:R * 4%:R = 2%:R * v); last by field.
exact: UCal_le_2VCal uP vP.
Qed.

(* Such a b as the next theorem is about. *)
(* claim: case1 *)
Theorem case1_room (p : 'I_T -> R) S a : 0 < a ->
  exists2 b, 0 <= b < a & forall t, t \in S -> ~~ (b < p t < a).
Proof. exact: VCal.case1_room. Qed.

(* claim: case1 *)
Theorem case1 x p S a b s : predictions p -> is_stepCE x p S s ->
  b < a -> (forall t, t \in S -> ~~ (b < p t < a)) ->
  [/\ \sum_(t in S | p t <= b) residual x p t <= s,
      \sum_(t in S | p t <= b) residual x p t = \sum_(t in S | p t < a) residual x p t,
      X_lt x p S a - a * N_lt p S a <= \sum_(t in S | p t < a) residual x p t &
      X_lt x p S 0 - 0 * N_lt p S 0 = 0].
Proof.
move=> p01 /stepCE_formula-> // ba none; have [le_s eq_b ge_g] := VCal.case1 x ba none.
by split=> //; exact: lower_at0.
Qed.

(* claim: case2-ineq *)
Theorem case2_ineq x p S a :
  a * N_gt p S a - X_gt x p S a <= \sum_(t in S | a < p t) (p t - (x t)%:R).
Proof. exact: VCal.case2_ineq. Qed.

(* claim: case2-half *)
Theorem case2_half x p S a s : predictions p -> is_stepCE x p S s ->
  (a * N_gt p S a - X_gt x p S a) / 2%:R <=
  Num.max `|\sum_(t in S) residual x p t| `|\sum_(t in S | p t <= a) residual x p t| <= s.
Proof.
move=> p01 /stepCE_formula-> //; have := case2_half x S a p01.
by rewrite -(bias_upto x (fun t _ => proj2 (andP (p01 t)))).
Qed.

(* claim: VCal-bound; claim: TIGHT-vcal-step; law: vcal <= 4*stepce *)
Theorem VCal_le_4stepCE x p S s v : predictions p ->
  is_stepCE x p S s -> is_VCal x p S v -> v <= 4%:R * s.
Proof. by move=> p01 /stepCE_formula-> // /VCal_formula-> //; exact: VCal.VCal_le_4stepCE. Qed.

(* claim: VCal-bound; claim: TIGHT-vcal-step; law: T == 1 => vcal == 2*stepce *)
Theorem VCal_one_round x p S s v : predictions p -> #|S| = 1%N ->
  is_stepCE x p S s -> is_VCal x p S v -> v = 2%:R * s.
Proof. by move=> p01 one /stepCE_formula-> // /VCal_formula-> //; exact: VCal_single. Qed.

(* claim: TIGHT-sign-step; law: T == 1 => signce == stepce *)
Theorem signCE_one_round x p S s v : predictions p -> #|S| = 1%N ->
  is_stepCE x p S s -> is_signCE x p S v -> v = s.
Proof. by move=> p01 one /stepCE_formula-> // /signCE_formula-> //; exact: signCE_single. Qed.

(* claim: TIGHT-smce-step; law: T == 1 => smce == stepce *)
Theorem smCE_one_round x p S s v : predictions p -> #|S| = 1%N ->
  is_stepCE x p S s -> is_smCE x p S v -> v = s.
Proof. by move=> p01 one /stepCE_formula-> // /smCE_formula-> //; exact: smCE_single. Qed.

(* claim: TIGHT-ucal-step; law: T == 1 => ucal <= 4*stepce *)
Theorem UCal_one_round x p S s u : predictions p -> #|S| = 1%N ->
  is_stepCE x p S s -> is_UCal x p S u -> u <= 4%:R * s.
Proof.
move=> p01 one sP uP; have := UCal_le_2VCal p01 uP (VCalP x S p01).
by rewrite (VCal_one_round p01 one sP (VCalP x S p01)) mulrA -natrM.
Qed.

(* claim: stepCE-vs-UCal; claim: TIGHT-ucal-step; law: ucal <= 8*stepce *)
Theorem UCal_le_8stepCE x p S s u : predictions p ->
  is_stepCE x p S s -> is_UCal x p S u -> u <= 8%:R * s.
Proof. by move=> p01 /stepCE_formula-> // /UCal_formula-> //; exact: UCal.UCal_le_8stepCE. Qed.

(* claim: stepCE-vs-ECE; claim: TIGHT-step-ece; law: stepce <= ece *)
Theorem stepCE_le_ECE x p S s : predictions p -> is_stepCE x p S s -> s <= ECE x p S.
Proof. by move=> p01 /stepCE_formula-> //; exact: ECE.stepCE_le_ECE. Qed.

(* claim: TIGHT-ece-step; law: ece <= (2*m - 1)*stepce *)
Theorem ECE_le_stepCE x p S s : predictions p -> is_stepCE x p S s ->
  ECE x p S <= (2 * size (undup [seq p t | t in S]) - 1)%:R * s.
Proof. by move=> p01 /stepCE_formula-> //; exact: ECE.ECE_le_stepCE. Qed.

(* claim: claim-union-of-intervals; law: stepce <= intervalce *)
Theorem stepCE_le_intervalCE x p S s v : predictions p ->
  is_stepCE x p S s -> is_intervalCE x p S v -> s <= v.
Proof.
by move=> p01 /stepCE_formula-> // /intervalCE_formula-> //; exact: Step.stepCE_le_intervalCE.
Qed.

(* claim: claim-union-of-intervals; law: intervalce <= 2*stepce *)
Theorem intervalCE_le_2stepCE x p S s v : predictions p ->
  is_stepCE x p S s -> is_intervalCE x p S v -> v <= 2%:R * s.
Proof.
by move=> p01 /stepCE_formula-> // /intervalCE_formula-> //; exact: Step.intervalCE_le_2stepCE.
Qed.

(* Intervals of any kind, overlapping or not. *)
(* claim: claim-union-of-intervals; claim: TIGHT-k-interval *)
Theorem union_le_stepCE x p S s k (I : 'I_k -> pred R) : predictions p -> is_stepCE x p S s ->
  (forall i a b c, I i a -> I i c -> a <= b <= c -> I i b) ->
  `|\sum_(t in S | [exists i, I i (p t)]) residual x p t| <= (2 * k)%:R * s.
Proof. by move=> p01 /stepCE_formula-> // convex; exact: Abel.union_le_stepCE. Qed.

(* claim: claim-union-of-intervals *)
Theorem stepCE_le_union x p S s k v : predictions p -> (0 < k)%N -> is_stepCE x p S s ->
  (forall I : 'I_k -> pred R, (forall i a b c, I i a -> I i c -> a <= b <= c -> I i b) ->
    `|\sum_(t in S | [exists i, I i (p t)]) residual x p t| <= v) -> s <= v.
Proof.
move=> p01 k0 /(stepCE_attained p01)[a _ ->] all.
have := all (fun _ q => q <= a) (fun _ b c d _ da cd => le_trans (proj2 (andP cd)) da).
congr (`|_| <= _); apply: eq_bigl => t; congr (_ && _).
by apply/existsP/idP => [[]//|ta]; exists (Ordinal k0).
Qed.

(* claim: footnote-T+1-values *)
Theorem prefix_values x p S (thresholds : seq R) :
  (size (undup [seq (\sum_(t in S | p t <= a) residual x p t)%R | a <- thresholds]) <=
   #|S|.+1)%N.
Proof. exact: upto_values. Qed.

(* claim: TIGHT-smce-step; claim: TIGHT-c7; law: smce <= 2*stepce *)
Theorem smCE_le_2stepCE x p S s v : predictions p ->
  is_stepCE x p S s -> is_smCE x p S v -> v <= 2%:R * s.
Proof. by move=> p01 /stepCE_formula-> // /smCE_formula-> //; exact: Smooth.smCE_le_2stepCE. Qed.

(* If all predictions are between lo and hi. *)
(* claim: TIGHT-c7 *)
Theorem smCE_le_range x p S lo hi s v : predictions p -> 0 <= lo -> lo <= hi -> hi <= 1 ->
  (forall t, t \in S -> lo <= p t <= hi) -> is_stepCE x p S s -> is_smCE x p S v ->
  v <= (1 + (hi - lo)) * s.
Proof.
move=> p01 lo0 lohi hi1 inside /stepCE_formula-> // /smCE_formula-> //.
by have [f [lip bnd ->]] := smCE_attained x p S; exact: smooth_le_range.
Qed.

(* claim: TIGHT-c7 *)
Theorem summation_by_parts n (f b : nat -> R) : \sum_(j < n.+1) f j * b j =
  f n * (\sum_(j < n.+1) b j) - \sum_(j < n) (f j.+1 - f j) * (\sum_(i < j.+1) b i).
Proof. exact: by_parts. Qed.

(* law: smce <= ece *)
Theorem smCE_le_ECE x p S v : predictions p -> is_smCE x p S v -> v <= ECE x p S.
Proof. by move=> p01 /smCE_formula-> //; exact: Smooth.smCE_le_ECE. Qed.

(* claim: TIGHT-c6-variance; law: squares <= var + 3*stepce *)
Theorem squares_le_variance x p S s : predictions p -> is_stepCE x p S s ->
  \sum_(t in S) residual x p t ^+ 2 <= \sum_(t in S) p t * (1 - p t) + 3%:R * s.
Proof. by move=> p01 /stepCE_formula-> //; exact: Abel.squares_le_variance. Qed.

(* claim: TIGHT-c6-variance; law: var <= T/4 *)
Theorem variance_le_quarter p S :
  \sum_(t in S) p t * (1 - p t) <= #|S|%:R / 4%:R.
Proof. exact: variance_le. Qed.
End StepCalibration.

(* Steps of proofs (L1916-2137): Regret.v, Step.v. f is the regret of the V-shaped rule against the
   mean of the outcomes, mu; thresholds that are neither a prediction nor the mean are typical. *)
Section Steps.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b g s w : R).
Let f x p S a := regret x p S a (mu R x S).

(* claim: eq:f-average-of-two-limits *)
Theorem f_average x p S a : exists l r,
  [/\ limit_below (f x p S) a l, limit_above (f x p S) a r & 2%:R * f x p S a = l + r].
Proof.
exists (f_below x p S a), (f_above x p S a); split; [exact: f_below_limit|exact: f_above_limit|].
by rewrite /f Regret.f_average mulrC divfK // pnatr_eq0.
Qed.

(* claim: eq:f-alpha=0 *)
Theorem f_ends x p S : predictions p ->
  (exists l r, [/\ limit_below (f x p S) 0 l, limit_above (f x p S) 0 r & l <= r]) /\
  (exists l r, [/\ limit_below (f x p S) 1 l, limit_above (f x p S) 1 r & r <= l]).
Proof.
move=> p01; split.
  exists (f_below x p S 0), (f_above x p S 0).
  by split; [exact: f_below_limit|exact: f_above_limit|exact: f_at0].
exists (f_below x p S 1), (f_above x p S 1).
by split; [exact: f_below_limit|exact: f_above_limit|exact: f_at1].
Qed.

(* claim: g-at-0-and-1 *)
Theorem g_ends x p S : predictions p -> Definitions.g x p S 0 = 0 /\ Definitions.g x p S 1 = 0.
Proof. by move=> p01; rewrite g_at0 ?g_at1. Qed.

(* claim: g-at-0-and-1 *)
Theorem sup_g_typical x p S w : predictions p -> is_sup_g x p S w <->
  is_sup (fun v => exists a, [/\ 0 <= a <= 1, typical x p S a & v = Definitions.g x p S a]) w.
Proof.
move=> p01; split=> wP; first by rewrite (sup_unique wP (gP x S p01)); exact: typical_gP.
by rewrite (sup_unique wP (typical_gP x S p01)); exact: gP.
Qed.

(* claim: typical-f-2g *)
Theorem typical_f_2g x p S a : typical x p S a ->
  f x p S a = 2%:R * Definitions.g x p S a /\ ((0 < #|S|)%N ->
  (a < mu R x S -> a * N_gt p S a - X_gt x p S a < X_lt x p S a - a * N_lt p S a) /\
  (mu R x S < a -> X_lt x p S a - a * N_lt p S a < a * N_gt p S a - X_gt x p S a)).
Proof.
move=> typ; split=> [|some]; first exact: typical_f2g.
have := low_sub_upper x p S a; rewrite low_typical // => diff.
have n0 : 0 < #|S|%:R :> R by rewrite ltr0n.
split=> am; rewrite -subr_gt0; first by rewrite diff mulr_gt0 // subr_gt0.
rewrite -(opprB (X_lt x p S a - _)) -[X in - X]/(lower x p S a - upper x p S a) diff oppr_gt0.
by rewrite pmulr_llt0 // subr_lt0.
Qed.

(* claim: upper-part *)
Theorem upper_part x p S g : predictions p -> is_signCE x p S g ->
  (forall a b, a < b -> (forall t, t \in S -> ~~ (a < p t <= b)) ->
    2%:R * `|\sum_(t in S | p t <= a) residual x p t| <= `|\sum_(t in S) residual x p t| +
      `|\sum_(t in S) residual x p t * Num.sg (b - p t)| <= 2%:R * g) /\
  \sum_(t in S | p t <= 1) residual x p t = \sum_(t in S) residual x p t.
Proof.
move=> p01 /signCE_formula-> //; split=> [a b|]; first exact: Step.upper_part.
by apply/esym/(@bias_upto _ _ x p S 1) => t _; case/andP: (p01 t).
Qed.

(* claim: lower-part *)
Theorem lower_part x p S a s : predictions p -> is_stepCE x p S s ->
  [/\ forall t, Num.sg (a - p t) = (p t <= a)%R%:R - (p t <= 1)%R%:R + (p t < a)%R%:R,
      `|\sum_(t in S) residual x p t * Num.sg (a - p t)| <= 3%:R * s &
      `|\sum_(t in S) residual x p t * Num.sg (0 - p t)| <= 2%:R * s].
Proof.
move=> p01 /stepCE_formula-> //; split=> [t||]; last 2 first.
- exact: signed_sum_le_3stepCE.
- rewrite signed_sum below_first => [|t _]; last by case/andP: (p01 t).
  rewrite addr0 mulr_natl mulr2n; apply: le_trans (ler_norm_sub _ _) _.
  by rewrite ler_add ?upto_le_stepCE ?Prefix.bias_le_stepCE.
by rewrite sign_in_prefixes //; case/andP: (p01 t).
Qed.
End Steps.

(* One round, an outcome of 1, predicted 0: g comes near its supremum, but does not reach it. *)
Section NotAttained.
Variable R : realFieldType.

(* claim: E01; claim: sup-attained *)
Theorem sup_g_not_attained : exists (x : 'I_1 -> bool) (p : 'I_1 -> R), predictions p /\
  forall w, is_sup_g x p setT w -> forall a, 0 <= a <= 1 -> Definitions.g x p setT a < w.
Proof. by do 2 eexists; exact: Regret.sup_g_not_attained. Qed.
End NotAttained.
