(* The definitions of the paper; the few that are ours, or words of its proofs, stand apart and say
   so. Every theorem of this folder that is evidence for a claim (Theorems*.v, Tight.v) is stated in
   these words, and in those of Formulas.v and Smooth.v where a finite formula or a flow is meant.
   L123 is line 123 of the paper's source.

   R is any ordered field of MathComp: the rationals, and, with classical logic, the reals, whose
   order MathComp takes to be decidable; where a square root occurs, any real closed field; where a
   constant is the best in the limit, an Archimedean one. T is the number of rounds, S a set of
   rounds: `x p S` below is the pair (x|_S, p|_S), and [set: 'I_T] all rounds. A supremum is a least
   upper bound, by its two properties; that those of the measures exist, and that there is only one,
   is proved. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variable R : realFieldType.
Implicit Types (A : R -> Prop) (s i u v : R).

(* s is the least upper bound of the values v with A v. *)
Definition is_sup A s :=
  (forall v, A v -> v <= s) /\ (forall u, (forall v, A v -> v <= u) -> s <= u).

(* i is the greatest lower bound of the values v with A v. *)
Definition is_inf A i :=
  (forall v, A v -> i <= v) /\ (forall u, (forall v, A v -> u <= v) -> u <= i).
End Bounds.

(* Calibration measures of outcomes x and predictions p in the rounds of S. *)
Section Measures.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a b : R).

(* Predictions are probabilities. *)
Definition predictions p := forall t, 0 <= p t <= 1.

(* x_t - p_t *)
Definition residual x p t : R := (x t)%:R - p t.

(* ECE (L1060): the sum, over the values a that are predicted, of the absolute bias at a. *)
Definition ECE x p S : R :=
  \sum_(a <- undup [seq p t | t in S]) `|\sum_(t in S | p t == a) residual x p t|.

(* Perfectly calibrated (L316, L320, where the paper does not define it): no bias at any value. *)
Definition calibrated x p S := forall a, \sum_(t in S | p t == a) residual x p t = 0.

(* smCE (L385): over the 1-Lipschitz functions from [0,1] to [-1,1]. *)
Definition lipschitz (f : R -> R) :=
  forall a b, 0 <= a <= 1 -> 0 <= b <= 1 -> `|f a - f b| <= `|a - b|.
Definition within (f : R -> R) := forall a, 0 <= a <= 1 -> -1 <= f a <= 1.
Definition is_smCE x p S := is_sup (fun v => exists f : R -> R,
  [/\ lipschitz f, within f & v = \sum_(t in S) f (p t) * residual x p t]).

(* stepCE (L965): over the thresholds in [0,1]. *)
Definition is_stepCE x p S := is_sup (fun v => exists2 a, 0 <= a <= 1 &
  v = `|\sum_(t in S | p t <= a) residual x p t|).

(* The sign variant of stepCE (fact:equivfactor, L989). *)
Definition is_signCE x p S := is_sup (fun v => exists2 a, 0 <= a <= 1 &
  v = `|\sum_(t in S) residual x p t * Num.sg (a - p t)|).

(* Ours: over one closed interval in [0,1] (L969 speaks of unions of intervals). *)
Definition is_intervalCE x p S := is_sup (fun v => exists a b, [/\ 0 <= a <= 1, 0 <= b <= 1 &
  v = `|\sum_(t in S | a <= p t <= b) residual x p t|]).

(* A scoring rule (L331): S(x, p) is what is lost when p is predicted and x happens. *)
Definition rule := bool -> R -> R.
Definition loss (l : rule) x p S : R := \sum_(t in S) l (x t) (p t).

(* Bounded (L331): losses are in [-1,1]. *)
Definition bounded (l : rule) := forall y a, 0 <= a <= 1 -> -1 <= l y a <= 1.

(* The loss to be expected of the prediction b if the probability of a 1 is a. *)
Definition expected_loss (l : rule) a b : R := a * l true b + (1 - a) * l false b.

(* Proper (L331): the truth is a best prediction. *)
Definition proper (l : rule) := forall a b, 0 <= a <= 1 -> 0 <= b <= 1 ->
  expected_loss l a a <= expected_loss l a b.

(* UCal (eq:U-calibration, L332): the largest regret against the best constant prediction, over
   all proper bounded scoring rules. *)
Definition is_best_constant (l : rule) x S := is_inf (fun v => exists2 b, 0 <= b <= 1 &
  v = loss l x (fun=> b) S).
Definition is_UCal x p S := is_sup (fun v => exists (l : rule) (i : R),
  [/\ proper l, bounded l, is_best_constant l x S i & v = loss l x p S - i]).

(* VCal (eq:vcaleq, eq:V-calibration, L342-351): the V-shaped rule with kink a. *)
Definition vshaped a : rule := fun y b => (a - y%:R) * Num.sg (b - a).
Definition is_VCal x p S := is_sup (fun v => exists a b, [/\ 0 <= a <= 1, 0 <= b <= 1 &
  v = loss (vshaped a) x p S - loss (vshaped a) x (fun=> b) S]).

(* N_-, N_+, X_-, X_+ (L363): rounds and ones below and above a threshold. *)
Definition N_lt p S a : R := \sum_(t in S | p t < a) 1.
Definition N_gt p S a : R := \sum_(t in S | a < p t) 1.
Definition X_lt x p S a : R := \sum_(t in S | p t < a) (x t)%:R.
Definition X_gt x p S a : R := \sum_(t in S | a < p t) (x t)%:R.

(* g (L1935): what prop:altform takes the supremum of. *)
Definition g x p S a : R :=
  Num.max (X_lt x p S a - a * N_lt p S a) (a * N_gt p S a - X_gt x p S a).
Definition is_sup_g x p S := is_sup (fun v => exists2 a, 0 <= a <= 1 & v = g x p S a).

(* Ours: the least concave majorant of g on [0,1], at a (UCal is 4 times its value at 1/2): the
   smallest of the values at a of concave functions that are at least g. *)
Definition concave (h : R -> R) := forall a b c, 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= c <= 1 ->
  c * h a + (1 - c) * h b <= h (c * a + (1 - c) * b).
Definition is_majorant x p S a := is_inf (fun v => exists h : R -> R,
  [/\ concave h, forall b, 0 <= b <= 1 -> g x p S b <= h b & v = h a]).

(* Subsampling (L267; eq:ssce, L390; eq:subsampled, L526; L736): the mean of a measure M over the
   2^T sets of rounds, each as likely as the other. *)
Definition is_mean (M : {set 'I_T} -> R -> Prop) v := exists2 m : {set 'I_T} -> R,
  forall S, M S (m S) & v = (\sum_S m S) / 2%:R ^+ T.
Definition is_stepCE_sub x p := is_mean (is_stepCE x p).
Definition is_VCal_sub x p := is_mean (is_VCal x p).
Definition is_UCal_sub x p := is_mean (is_UCal x p).
Definition is_SSCE x p := is_mean (is_smCE x p).

(* Words of proofs. The mean of the outcomes (L1927; 0 if there are no rounds), the regret of the
   V-shaped rule with kink a against the constant b (f of L1931 is that against the mean), typical
   thresholds, which are neither a prediction nor the mean (L1937-1943), and one-sided limits. *)
Definition mu x S : R := (\sum_(t in S) (x t)%:R) / #|S|%:R.
Definition regret x p S a b : R := loss (vshaped a) x p S - loss (vshaped a) x (fun=> b) S.
Definition typical x p S a := mu x S != a /\ forall t, t \in S -> p t != a.
Definition limit_above (f : R -> R) a l := forall e, 0 < e ->
  exists2 d, a < d & forall b, a < b < d -> `|f b - l| <= e.
Definition limit_below (f : R -> R) a l := forall e, 0 < e ->
  exists2 d, d < a & forall b, d < b < a -> `|f b - l| <= e.

(* Ours: the concave functions over the upper closure of g, its values and its one-sided limits. *)
Definition over_closure x p S (h : R -> R) := concave h /\ forall b, 0 <= b <= 1 ->
  [/\ g x p S b <= h b, forall l, b < 1 -> limit_above (g x p S) b l -> l <= h b &
      forall l, 0 < b -> limit_below (g x p S) b l -> l <= h b].

(* Ours: the V-shaped rule with kink a for which the prediction a counts as above it (e = true) or
   as below it. With 0 there, as in the paper, sums of V-shaped rules need not attain UCal, and one
   of them attains VCal only if VCal is 0. *)
Definition kinked (e : bool) a : rule := fun y b =>
  (a - y%:R) * (if (if e then a <= b else a < b) then 1 else -1).
End Measures.

(* Sequential prediction (L297-311, L366-376). *)
Section Prediction.
Variables (R : realFieldType) (T : nat).

(* x in {0,1}^T, and a distribution of it. *)
Definition outcomes := {ffun 'I_T -> bool}.
Implicit Types (x : outcomes).
Definition distribution (D : outcomes -> R) := (forall x, 0 <= D x) /\ \sum_x D x = 1.

(* x_1, ..., x_(t-1), the oldest first; rounds are numbered from 0. *)
Definition history x (t : nat) : seq bool := [seq x s | s <- take t (enum 'I_T)].

(* A deterministic forecaster (L302): a prediction for each history. *)
Definition forecaster := seq bool -> R.
Definition forecasting (A : forecaster) := forall h, 0 <= A h <= 1.
Definition forecasts (A : forecaster) x : 'I_T -> R := fun t => A (history x t).

(* The expected penalty (L311) of a measure; of any range, as UCal and VCal exceed [0,T]. *)
Definition measure := outcomes -> ('I_T -> R) -> R.
Definition err (CM : measure) D (A : forecaster) : R := \sum_x D x * CM x (forecasts A x).

(* The truthful forecaster (L370): the probability of a 1 given the history (0 if the history has
   probability 0). *)
Definition truthful (D : outcomes -> R) : forecaster := fun h =>
  (\sum_(x | (history x (size h).+1 == rcons h true)) D x) /
  (\sum_(x | (history x (size h) == h)) D x).

(* The optimum (L372), (alpha, beta)-truthful (L373) and a truthfulness gap (L375). As R need not be
   complete, the latter two are said without the optimum, of all forecasters, and of forecasters
   that come near: where there is one, and for alpha >= 0, the paper's follow (truthful_OPT and
   gap_OPT in TheoremsPreliminaries.v). *)
Definition is_OPT CM D := is_inf (fun v => exists2 A, forecasting A & v = err CM D A).
Definition truthful_up_to CM (alpha beta : R) := forall D A, distribution D -> forecasting A ->
  err CM D (truthful D) <= alpha * err CM D A + beta.
Definition has_gap CM (alpha beta : R) := exists D, [/\ distribution D,
  forall e, 0 < e -> exists2 A, forecasting A & err CM D A <= alpha + e &
  beta <= err CM D (truthful D)].
End Prediction.
