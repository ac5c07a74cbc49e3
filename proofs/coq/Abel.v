(* Summation by parts along the order of the predictions, without sorting them: a sum of residuals,
   each times a function of the prediction, is at most stepCE times the variation of the function.
   Consequences for Lipschitz functions (smCE, L385) and for the sum of the squared residuals. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds Formulas Prefix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Abel.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : 'I_T -> bool) (p : 'I_T -> R) (S : {set 'I_T}) (a u v lo : R) (f w : R -> R).

(* The rounds of S predicted below a threshold. *)
Definition under p S u := [set t in S | p t < u].

(* Their prefix sums are prefix sums of S. *)
Lemma upto_under x p S u a :
  upto x p (under p S u) a = if a < u then upto x p S a else below x p S u.
Proof.
have -> : upto x p (under p S u) a = \sum_(t in S | (p t < u) && (p t <= a)) residual x p t.
  by apply: eq_bigl => t; rewrite inE andbA.
case: ltP => au; apply: sum_in => t _.
  by case: (leP (p t) a) => ta; rewrite ?andbF ?andbT ?(le_lt_trans ta au).
by case: (ltP (p t) u) => tu //=; rewrite (le_trans (ltW tu) au).
Qed.

(* So their stepCE is not larger. *)
Lemma stepCE_under x p S u : stepCE x p (under p S u) <= stepCE x p S.
Proof.
apply: bigmax_le => [|t _]; first exact: stepCE_ge0.
by rewrite upto_under; case: ifP => _; [exact: upto_le_stepCE|exact: below_le_stepCE].
Qed.

(* At the largest prediction u, a weighted sum is that of the rounds below u and the rest. *)
Lemma split_top p S u f (r : 'I_T -> R) : (forall t, t \in S -> p t <= u) ->
  \sum_(t in S) f (p t) * r t =
  \sum_(t in under p S u) f (p t) * r t + f u * \sum_(t in S | ~~ (p t < u)) r t.
Proof.
move=> top; rewrite (sum_split _ (fun t => p t < u)); congr (_ + _).
  by apply: eq_bigl => t; rewrite inE.
rewrite mulr_sumr; apply: eq_bigr => t /andP[tS]; rewrite -leNgt => ut.
by congr (f _ * _); apply/eqP; rewrite eq_le ut top.
Qed.

(* The same for the sum centred at the value of f at v: what is split off is a prefix sum. *)
Lemma split_centred x p S u v f : (forall t, t \in S -> p t <= u) ->
  \sum_(t in S) f (p t) * residual x p t - f v * bias x p S =
  (\sum_(t in under p S u) f (p t) * residual x p t - f u * bias x p (under p S u)) +
  (f u - f v) * upto x p S u.
Proof.
move=> top; rewrite -(bias_upto x top) (split_top f (residual x p) top).
have -> : bias x p S = bias x p (under p S u) + \sum_(t in S | ~~ (p t < u)) residual x p t.
  rewrite /bias (sum_split _ (fun t => p t < u)); congr (_ + _).
  by apply: eq_bigl => t; rewrite inE.
by ring.
Qed.

(* The rounds below a prediction are fewer. *)
Lemma card_under p S t : t \in S -> (#|under p S (p t)| < #|S|)%N.
Proof.
move=> tS; apply: proper_card; apply/properP; split.
  by apply/subsetP => s; rewrite inE => /andP[].
by exists t => //; rewrite inE ltxx andbF.
Qed.

(* Summation by parts: if f varies by at most what w grows by, the centred sum is at most stepCE
   times the growth of w. *)
Theorem abel x p S f w lo v :
  (forall a b, lo <= a -> a <= b -> b <= v -> `|f a - f b| <= w b - w a) ->
  lo <= v -> (forall t, t \in S -> lo <= p t <= v) ->
  `|\sum_(t in S) f (p t) * residual x p t - f v * bias x p S| <= stepCE x p S * (w v - w lo).
Proof.
have [n] := ubnP #|S|; elim: n => // n IH in S v * => cS fw lov pv.
have grows : 0 <= w v - w lo by apply: le_trans (fw lo v _ _ _).
have [->|[t0 t0S]] := set_0Vmem S.
  by rewrite /bias !big_set0 mulr0 subr0 normr0 mulr_ge0 ?stepCE_ge0.
have [t tS top] := argmax p t0S; set u := p t in top.
have /andP[lou uv] := pv t tS; rewrite (split_centred x v f top).
have -> : w v - w lo = (w u - w lo) + (w v - w u) by ring.
rewrite mulrDr; apply: le_trans (ler_norm_add _ _) (ler_add _ _); last first.
  by rewrite normrM mulrC ler_pmul ?upto_le_stepCE ?fw.
apply: le_trans (ler_wpmul2r _ (stepCE_under x p S u)).
  apply: IH => // [|a b loa ab bu|s].
  - exact: leq_trans (card_under p tS) _.
  - exact: fw (le_trans bu uv).
  - by rewrite inE => /andP[sS /ltW ->]; have /andP[->] := pv s sS.
by apply: le_trans (fw lo u _ _ _).
Qed.

(* The same uncentred, on [0,1]. *)
Corollary abel01 x p S f w : predictions p ->
  (forall a b, 0 <= a -> a <= b -> b <= 1 -> `|f a - f b| <= w b - w a) ->
  \sum_(t in S) f (p t) * residual x p t <= (w 1 - w 0 + `|f 1|) * stepCE x p S.
Proof.
move=> p01 fw; have := abel x fw ler01 (fun t (_ : t \in S) => p01 t).
move/(le_trans (ler_norm _)); rewrite ler_subl_addr => /le_trans; apply.
rewrite [X in _ <= X]mulrDl [X in X + _]mulrC ler_add2l.
by apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l ?bias_le_stepCE.
Qed.

(* Summation by parts in its plain form: f, and the partial sums of b. *)
Lemma by_parts n (f b : nat -> R) : \sum_(j < n.+1) f j * b j = f n * (\sum_(j < n.+1) b j) -
  \sum_(j < n) (f j.+1 - f j) * (\sum_(i < j.+1) b i).
Proof.
elim: n => [|n IH]; first by rewrite !big_ord1 big_ord0 subr0.
rewrite big_ord_recr IH [in RHS]big_ord_recr [X in _ = _ - X]big_ord_recr /=; ring.
Qed.

(* If all predictions are between lo and v, a Lipschitz function sees at most 1 + v - lo times
   stepCE, ... *)
Theorem smooth_le_range x p S f lo v : predictions p -> 0 <= lo -> lo <= v -> v <= 1 ->
  (forall t, t \in S -> lo <= p t <= v) -> lipschitz f -> within f ->
  \sum_(t in S) f (p t) * residual x p t <= (1 + (v - lo)) * stepCE x p S.
Proof.
move=> p01 lo0 lov v1 inside lip bnd; have := @abel x p S f id lo v _ lov inside.
move=> /(_ _)/(le_trans (ler_norm _)).
rewrite ler_subl_addr => /(_ _)/le_trans; apply.
  move=> a b loa ab bv; apply: le_trans (lip a b _ _) _.
  - by rewrite (le_trans lo0) //= (le_trans ab) // (le_trans bv).
  - by rewrite (le_trans lo0) ?(le_trans loa) //= (le_trans bv).
  by rewrite distrC ger0_norm ?subr_ge0.
rewrite addrC mulrDl mul1r ler_add ?[_ * stepCE _ _ _]mulrC //.
apply: le_trans (ler_norm _) _; rewrite normrM -[X in _ <= X]mul1r.
apply: ler_pmul => //; last exact: bias_le_stepCE.
by rewrite ler_norml bnd // (le_trans lo0).
Qed.

(* ... and so at most twice stepCE. *)
Theorem smooth_le_2stepCE x p S f : predictions p -> lipschitz f -> within f ->
  \sum_(t in S) f (p t) * residual x p t <= 2%:R * stepCE x p S.
Proof.
move=> p01 lip bnd; have in01 t (_ : t \in S) := p01 t.
by have := smooth_le_range x p01 (lexx 0) ler01 (lexx 1) in01 lip bnd; rewrite subr0.
Qed.

(* The squared residual is the variance of the prediction, and 1 - 2 p times the residual. *)
Lemma residual_sq x p t :
  residual x p t ^+ 2 = p t * (1 - p t) + (1 - 2%:R * p t) * residual x p t.
Proof. by rewrite /residual; case: (x t) => /=; ring. Qed.

(* The sum of the squared residuals is at most the variance of the predictions and 3 stepCE. *)
Theorem squares_le_variance x p S : predictions p ->
  \sum_(t in S) residual x p t ^+ 2 <= \sum_(t in S) p t * (1 - p t) + 3%:R * stepCE x p S.
Proof.
move=> p01; rewrite (eq_bigr _ (fun t _ => residual_sq x p t)) big_split /= ler_add2l.
pose f a : R := 1 - 2%:R * a; pose w a : R := 2%:R * a.
have fw a b : 0 <= a -> a <= b -> b <= 1 -> `|f a - f b| <= w b - w a.
  move=> _ ab _; have -> : f a - f b = w b - w a by rewrite /f /w; ring.
  by rewrite ger0_norm // subr_ge0; apply: ler_wpmul2l => //; exact: ler0n.
apply: le_trans (abel01 x S p01 fw) _; rewrite /f /w mulr1 mulr0.
have -> : 1 - 2%:R = -1 :> R by ring.
by rewrite normrN1 subr0; apply: ler_wpmul2r; [exact: stepCE_ge0|rewrite -(natrD _ 2 1)].
Qed.
End Abel.

(* A union of k intervals, of any kind, overlapping or not (L969): that it is entered and left at
   most k times each bounds its variation. *)
Section Unions.
Variables (R : realFieldType) (T : nat) (p : 'I_T -> R) (S : {set 'I_T}).
Variables (k : nat) (I : 'I_k -> pred R).
Hypothesis convex : forall i a b c, I i a -> I i c -> a <= b <= c -> I i b.
Implicit Types (x : 'I_T -> bool) (a b : R) (i : 'I_k).

(* Whether a prediction in an interval is at most a, or at least a. *)
Definition begun i a := [exists t, [&& t \in S, I i (p t) & p t <= a]].
Definition ahead i a := [exists t, [&& t \in S, I i (p t) & a <= p t]].
Definition inside a := [exists i, begun i a && ahead i a].

(* Once begun, always; once behind, always. *)
Lemma begun_le i a b : a <= b -> begun i a -> begun i b.
Proof.
move=> ab /existsP[t /and3P[tS It ta]]; apply/existsP; exists t.
by rewrite tS It (le_trans ta).
Qed.

Lemma ahead_le i a b : a <= b -> ahead i b -> ahead i a.
Proof.
move=> ab /existsP[t /and3P[tS It tb]]; apply/existsP; exists t.
by rewrite tS It (le_trans ab).
Qed.

(* At a prediction, inside means in the union. *)
Lemma inside_union t : t \in S -> inside (p t) = [exists i, I i (p t)].
Proof.
move=> tS; apply/existsP/existsP => [][i]; last first.
  by move=> It; exists i; apply/andP; split; apply/existsP; exists t; rewrite tS It lexx.
case/andP=> /existsP[u /and3P[_ Iu ut]] /existsP[v /and3P[_ Iv tv]]; exists i.
by apply: convex Iu Iv _; rewrite ut tv.
Qed.

(* How far an interval is passed: not begun, begun, behind. *)
Definition stage i a : nat := begun i a + (begun i a && ~~ ahead i a).
Definition passed a : nat := \sum_i stage i a.

Lemma stage_le i a b : a <= b -> (stage i a <= stage i b)%N.
Proof.
move=> ab; have := @begun_le i a b ab; have := @ahead_le i a b ab; rewrite /stage.
by case: (begun i a) (begun i b) (ahead i a) (ahead i b) => [] [] [] [] // _ /(_ isT) //;
  move=> /(_ isT).
Qed.

(* Where the union is entered or left, one of them is passed further. *)
Lemma inside_change a b : a <= b -> ((inside a != inside b) + passed a <= passed b)%N.
Proof.
move=> ab; case: (inside a =P inside b) => [_|/eqP neq].
  by rewrite add0n; apply: leq_sum => i _; exact: stage_le.
suff [i further] : exists i, (stage i a < stage i b)%N.
  rewrite /passed (bigD1 i) //= [X in (_ <= X)%N](bigD1 i) //= addnA leq_add //.
  by apply: leq_sum => j _; exact: stage_le.
case ina: (inside a) neq; case inb: (inside b) => // _.
  have /existsP[i /andP[ba aa]] := ina; exists i; rewrite /stage ba aa (begun_le ab ba) /=.
  case ahb: (ahead i b) => //; case/existsP: inb; exists i.
  by rewrite (begun_le ab ba).
have /existsP[i /andP[bb ahb]] := inb; exists i; rewrite /stage bb ahb.
case ba: (begun i a) => //; have: inside a; last by rewrite ina.
by apply/existsP; exists i; rewrite ba (ahead_le ab).
Qed.

(* Where it is still inside, not all are behind. *)
Lemma passed_le a : (passed a + inside a <= 2 * k)%N.
Proof.
have most i : (stage i a <= 2)%N by rewrite /stage; case: begun; case: ahead.
have total P : (\sum_(i | P i) stage i a <= \sum_(i | P i) 2)%N by apply: leq_sum.
have -> : (2 * k)%N = (\sum_(i < k) 2)%N by rewrite sum_nat_const card_ord mulnC.
case ina: (inside a); last by rewrite addn0 total.
have /existsP[i /andP[ba aa]] := ina; rewrite /passed (bigD1 i) //= [X in (_ <= X)%N](bigD1 i) //=.
by rewrite addnAC /stage ba aa leq_add // total.
Qed.

(* So the union sees at most 2k times stepCE. *)
Theorem union_le_stepCE x : predictions p ->
  `|\sum_(t in S | [exists i, I i (p t)]) residual x p t| <= (2 * k)%:R * stepCE x p S.
Proof.
move=> p01; pose f sign a : R := sign * (inside a)%:R; pose w a : R := (passed a)%:R.
have bound sign : `|sign| = 1 -> \sum_(t in S) f sign (p t) * residual x p t <=
    (2 * k)%:R * stepCE x p S.
  move=> one; have fw a b : 0 <= a -> a <= b -> b <= 1 -> `|f sign a - f sign b| <= w b - w a.
    move=> _ /inside_change change _; rewrite -mulrBr normrM one mul1r ler_subr_addr.
    apply: le_trans (_ : ((inside a != inside b) + passed a)%:R <= _); last by rewrite ler_nat.
    rewrite natrD ler_add2r; case: (inside a); case: (inside b) => /=;
      by rewrite ?subrr ?subr0 ?sub0r ?normrN ?normr0 ?normr1.
  apply: le_trans (abel01 x S p01 fw) _; apply: ler_wpmul2r; first exact: stepCE_ge0.
  rewrite normrM one mul1r normr_nat; apply: le_trans (_ : (passed 1 + inside 1)%:R <= _).
    by rewrite natrD ler_add2r ler_subl_addr ler_addl ler0n.
  by rewrite ler_nat passed_le.
have seen sign : \sum_(t in S) f sign (p t) * residual x p t =
    sign * \sum_(t in S | [exists i, I i (p t)]) residual x p t.
  rewrite [in RHS]big_mkcondr mulr_sumr; apply: eq_bigr => t tS.
  by rewrite /f inside_union //; case: ifP => _; rewrite ?mulr1 ?mulr0 ?mul0r.
rewrite ler_norml -[X in X && _](ler_opp2 _ (- _)) opprK -mulN1r -seen bound ?normrN1 //.
by rewrite -[X in X <= _]mul1r -seen bound ?normr1.
Qed.
End Unions.
