(* The sequences that show that constants are best (Tight.v). Each leaves no room in the
   inequalities that it is for:
   - one round, a zero, predicted 1 or 1/2 (One, Whole, Half): measures as large as they can be;
   - a one, predicted 0, and n zeros, predicted 2/n (Pair, Two): biases 1 and -2, so prefix sums 1
     and -1; what sees the second bias alone, or both, sees more than stepCE;
   - m levels of biases 1, -2, 2, -2, ... (Levels, Odd): the same again and again.
   That the values are not larger follows from the inequalities themselves. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Truecal Require Import Definitions Bounds Formulas Prefix Step ECE Probability Subsampled.
From Truecal Require Import Abel Smooth Hull Regret VCal UCal.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tools.
Variable R : realFieldType.
Implicit Types (A P : R -> Prop) (a b c k s v : R).

(* What is equal is at most. *)
Lemma le_of_eq a b : a = b -> a <= b.
Proof. by move->. Qed.

(* A half is a positive probability. *)
Lemma half01 : 0 < (1 / 2%:R : R) <= 1.
Proof. by rewrite divr_gt0 ?ltr01 ?ltr0n // ler_pdivr_mulr ?ltr0n // mul1r ler1n. Qed.

(* So is 1. *)
Lemma unit01 : 0 < (1 : R) <= 1.
Proof. by rewrite ltr01 lexx. Qed.

(* A supremum that is at most v, where v is one of the values, is v. *)
Lemma is_value A s v : is_sup A s -> s <= v -> v <= s -> is_sup A v.
Proof. by move=> sP sv vs; have -> : v = s by apply/eqP; rewrite eq_le sv vs. Qed.

(* A measure of one round has at least half of its value in the mean over both sets of rounds. *)
Lemma half_le_mean_one (M : {set 'I_1} -> R) : 0 <= M set0 -> M setT / 2%:R <= mean M.
Proof.
by move=> M0; rewrite mean_one ler_pmul2r ?invr_gt0 ?ltr0n // ler_addr.
Qed.

(* If 1/2 is predicted, UCal is at least four times the upper piece of g there. *)
Lemma high_half_UCal T (x : 'I_T -> bool) (p : 'I_T -> R) t : p t = 1 / 2%:R ->
  4%:R * high x p setT (1 / 2%:R) <= UCal x p setT.
Proof.
move=> t2; rewrite /UCal ler_pmul2l ?ltr0n //.
have half1 : 2%:R * (1 / 2%:R) = 1 :> R by field.
have half : 1 / 2%:R \in corners p setT by rewrite !inE -t2 image_f ?inE ?orbT.
apply: le_trans (seqmax_ge (fun ab => chord x p setT ab.1 ab.2)
  (allpairs_f pair half half) _); last by rewrite /= half1 lexx.
by rewrite /= /chord eqxx /gbar !le_maxr lexx !orbT.
Qed.
End Tools.

(* One round, a zero, predicted q > 0. *)
Section One.
Variables (R : realFieldType) (q : R).
Hypothesis q01 : 0 < q <= 1.
Definition one_x : 'I_1 -> bool := fun=> false.
Definition one_p : 'I_1 -> R := fun=> q.

(* Its prediction is a probability. *)
Lemma one01 : predictions one_p.
Proof. by move=> t; case/andP: q01 => /ltW; rewrite /one_p => -> ->. Qed.

(* A sum over the one round. *)
Lemma one_sum (F : 'I_1 -> R) : \sum_(t in setT) F t = F ord0.
Proof. by rewrite (big_pred1 ord0) // => t; rewrite inE (ord1 t). Qed.

(* The absolute bias is q, ... *)
Lemma one_bias : `|bias one_x one_p setT| = q.
Proof. by rewrite /bias one_sum /residual sub0r normrN gtr0_norm //; case/andP: q01. Qed.

(* ... so stepCE is q ... *)
Lemma one_stepCE : is_stepCE one_x one_p setT q.
Proof. by rewrite -one_bias -(@stepCE_constant _ _ _ _ _ q) //; exact: stepCEP one01. Qed.

(* ... and VCal is 2q. *)
Lemma one_VCal : is_VCal one_x one_p setT (2%:R * q).
Proof. by rewrite -one_bias -(@VCal_constant _ _ _ _ _ q) //; exact: VCalP one01. Qed.

(* UCal is at most 2: if it is at least 2, it is 2. *)
Lemma one_UCal : 2%:R <= UCal one_x one_p setT -> is_UCal one_x one_p setT 2%:R.
Proof.
apply: is_value (UCalP _ _ one01) _.
by have := UCal_le_2card one_x setT one01; rewrite cardsT card_ord mulr1.
Qed.
End One.

(* With q = 1, every measure has its largest value. *)
Section Whole.
Variable R : realFieldType.
Let p := one_p (1 : R).
Let p01 : predictions p := one01 (unit01 R).

(* What is at least stepCE, or the bias, and at most the number of rounds, is 1. *)
Let squeeze (A : R -> Prop) (v : R) :
  is_sup A v -> v <= (#|[set: 'I_1] |)%:R -> 1 <= v -> is_sup A 1.
Proof. by rewrite cardsT card_ord; exact: is_value. Qed.

Lemma whole_stepCE : is_stepCE one_x p setT 1.
Proof. exact: one_stepCE (unit01 R). Qed.
Let step1 : stepCE one_x p setT = 1.
Proof. exact: sup_unique (stepCEP _ _ p01) whole_stepCE. Qed.

Lemma whole_signCE : is_signCE one_x p setT 1.
Proof.
by apply: squeeze (signCEP _ _ p01) (signCE_le_card _ _ p01) _; rewrite -step1 stepCE_le_signCE.
Qed.

Lemma whole_intervalCE : is_intervalCE one_x p setT 1.
Proof.
apply: squeeze (intervalCEP _ _ p01) (intervalCE_le_card _ _ p01) _.
by rewrite -step1 stepCE_le_intervalCE.
Qed.

Lemma whole_smCE : is_smCE one_x p setT 1.
Proof.
apply: squeeze (smCEP _ _ p01) (smCE_le_card _ _ p01) _.
by rewrite -(one_bias (unit01 R)) bias_le_smCE.
Qed.

Lemma whole_ECE : ECE one_x p setT = 1.
Proof.
apply/eqP; rewrite eq_le -{2}step1 stepCE_le_ECE andbT.
by have := ECE_le_card one_x setT p01; rewrite cardsT card_ord.
Qed.

(* VCal, and so UCal, is 2. *)
Lemma whole_VCal : is_VCal one_x p setT 2%:R.
Proof. by rewrite -[2%:R]mulr1; exact: one_VCal (unit01 R). Qed.

Lemma whole_UCal : is_UCal one_x p setT 2%:R.
Proof.
apply: one_UCal (unit01 R) _; rewrite -(sup_unique (VCalP _ _ p01) whole_VCal).
exact: VCal_le_UCal p01.
Qed.

(* Subsampled, there is half of it. *)
Lemma whole_stepCE_sub : stepCE_sub one_x p = 1 / 2%:R.
Proof.
by apply/eqP; rewrite eq_le stepCE_sub_le_half //= -{1}step1; exact/half_le_mean_one/stepCE_ge0.
Qed.

Lemma whole_SSCE : 1 / 2%:R <= SSCE one_x p.
Proof.
by rewrite -{1}(sup_unique (smCEP one_x setT p01) whole_smCE); exact/half_le_mean_one/smCE_ge0.
Qed.

Lemma whole_VCal_sub : 1 <= VCal_sub one_x p.
Proof.
have -> : 1 = 2%:R / 2%:R :> R by field.
by rewrite -{1}(sup_unique (VCalP one_x setT p01) whole_VCal); exact/half_le_mean_one/VCal_ge0.
Qed.

Lemma whole_UCal_sub : 1 <= UCal_sub one_x p.
Proof.
have -> : 1 = 2%:R / 2%:R :> R by field.
by rewrite -{1}(sup_unique (UCalP one_x setT p01) whole_UCal); exact/half_le_mean_one/UCal_ge0.
Qed.
End Whole.

(* With q = 1/2, VCal is 1 and UCal is 2. *)
Section Half.
Variable R : realFieldType.

Lemma half_VCal1 : is_VCal one_x (one_p (1 / 2%:R)) setT (1 : R).
Proof. by have := one_VCal (half01 R); have -> : 2%:R * (1 / 2%:R) = 1 :> R by field. Qed.

Lemma half_UCal : is_UCal one_x (one_p (1 / 2%:R)) setT (2%:R : R).
Proof.
apply: one_UCal (half01 R) _; apply: le_trans (high_half_UCal _ (erefl (one_p _ ord0))).
by rewrite highE big_mkcondr one_sum lexx subr0; apply: le_of_eq; field.
Qed.
End Half.

(* A one, predicted 0, and n >= 2 zeros, predicted 2/n; n is k + 2. *)
Section Pair.
Variables (R : realFieldType) (k : nat).
Definition pair_h : R := 2%:R / k.+2%:R.
Definition pair_x : 'I_k.+3 -> bool := fun t => t == ord0.
Definition pair_p : 'I_k.+3 -> R := fun t => if t == ord0 then 0 else pair_h.

Let h_gt0 : 0 < pair_h.
Proof. by rewrite divr_gt0 ?ltr0n. Qed.
Let h_le0 : (pair_h <= 0) = false.
Proof. exact: lt_geF h_gt0. Qed.
Let nh : k.+2%:R * pair_h = 2%:R.
Proof. by rewrite mulrC divfK // pnatr_eq0. Qed.

(* The predictions are probabilities. *)
Lemma pair01 : predictions pair_p.
Proof.
move=> t; rewrite /pair_p; case: ifP => _; first by rewrite lexx ler01.
by rewrite ltW //= ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

(* Every sum over the rounds has two terms. *)
Lemma pair_sum (G : bool -> R -> R) :
  \sum_(t in setT) G (pair_x t) (pair_p t) = G true 0 + k.+2%:R * G false pair_h.
Proof.
rewrite (eq_bigl predT) => [|t]; last by rewrite inE.
rewrite big_ord_recl; congr (_ + _).
by rewrite (eq_bigr (fun=> G false pair_h)) // sumr_const card_ord mulr_natl.
Qed.

(* The bias at 0 is 1, that at 2/n is -2. *)
Lemma pair_part (P : pred R) :
  \sum_(t in setT | P (pair_p t)) residual pair_x pair_p t = (P 0)%:R - 2%:R * (P pair_h)%:R.
Proof.
rewrite big_mkcondr (pair_sum (fun y a => if P a then y%:R - a else 0)) -nh.
by case: (P 0); case: (P pair_h) => /=; ring.
Qed.

(* So the prefix sums are 1 ... *)
Lemma pair_upto0 : upto pair_x pair_p setT 0 = 1.
Proof. by rewrite /upto (pair_part (fun q => q <= 0)) lexx h_le0 mulr0 subr0. Qed.

(* ... and -1, *)
Lemma pair_bias : bias pair_x pair_p setT = - 1.
Proof. by rewrite /bias (pair_sum (fun y a => y%:R - a)) mulrBr nh /=; ring. Qed.

(* and stepCE is 1. *)
Lemma pair_stepCE : is_stepCE pair_x pair_p setT 1.
Proof.
apply: sup_attained => [|_ [a /andP[a0 _] ->]].
  by exists 0; [rewrite lexx ler01|rewrite -[RHS]/`|upto _ _ _ _| pair_upto0 normr1].
rewrite (pair_part (fun q => q <= a)) a0; case: (_ <= a); last by rewrite mulr0 subr0 normr1.
by have -> : 1 - 2%:R * 1 = -1 :> R; [ring|rewrite normrN1].
Qed.
Let step1 : stepCE pair_x pair_p setT = 1.
Proof. exact: sup_unique (stepCEP _ _ pair01) pair_stepCE. Qed.

(* If the sign changes between 0 and 2/n, the signed sum is 3. *)
Lemma pair_signCE : is_signCE pair_x pair_p setT 3%:R.
Proof.
apply: is_value (signCEP _ _ pair01) _ _.
  by have := signCE_le_3stepCE pair_x setT pair01; rewrite step1 mulr1.
have := @signCE_ge_above _ _ pair_x pair_p setT ord0 (in_setT _) ltr01; apply: le_trans.
rewrite [upto _ _ _ _]pair_upto0 pair_bias opprK; apply: le_trans (ler_norm _).
by apply: le_of_eq; ring.
Qed.

(* The bias in the interval of 2/n alone is -2. *)
Lemma pair_intervalCE : is_intervalCE pair_x pair_p setT 2%:R.
Proof.
apply: is_value (intervalCEP _ _ pair01) _ _.
  by have := intervalCE_le_2stepCE pair_x pair_p setT; rewrite step1 mulr1.
apply: le_trans (between_le_intervalCE _ _ _ pair_h pair_h).
rewrite /between (pair_part (fun q => pair_h <= q <= pair_h)) lexx h_le0 sub0r mulr1 normrN.
exact: ler_norm.
Qed.

(* The upper piece of g at 2/n is 2, *)
Lemma pair_high : high pair_x pair_p setT pair_h = 2%:R.
Proof.
rewrite highE big_mkcondr (pair_sum (fun y a => if pair_h <= a then pair_h - y%:R else 0)).
by rewrite lexx h_le0 subr0 nh add0r.
Qed.

(* so VCal is 4. *)
Lemma pair_VCal : is_VCal pair_x pair_p setT 4%:R.
Proof.
apply: is_value (VCalP _ _ pair01) _ _.
  by have := VCal_le_4stepCE pair_x pair_p setT; rewrite step1 mulr1.
have := high_le_VCal pair_x pair_p setT pair_h; rewrite pair_high ler_pdivl_mulr ?ltr0n //.
by rewrite -natrM.
Qed.
End Pair.

(* With four zeros, predicted 1/2, UCal is at least 8. *)
Lemma four_UCal (R : realFieldType) : 8%:R <= UCal (@pair_x 2) (@pair_p R 2) setT.
Proof.
have h2 : pair_h R 2 = 1 / 2%:R by rewrite /pair_h; field.
have := high_half_UCal (@pair_x 2) (h2 : @pair_p R 2 (lift ord0 ord0) = _).
by rewrite -h2 pair_high -natrM.
Qed.

(* With two zeros, predicted 1: three rounds. *)
Section Two.
Variable R : realFieldType.
Let x := @pair_x 0.
Let p := @pair_p R 0.
Let h1 : pair_h R 0 = 1.
Proof. by rewrite /pair_h divff // pnatr_eq0. Qed.

(* The function -a sees 2, ... *)
Lemma opp_lipschitz : lipschitz (fun a : R => - a).
Proof. by move=> a b _ _; rewrite -opprD normrN. Qed.

Lemma opp_within : within (fun a : R => - a).
Proof. by move=> a /andP[a0 a1]; rewrite -ler_norml normrN ger0_norm. Qed.

Lemma two_seen : \sum_(t in setT) - p t * residual x p t = 2%:R.
Proof. by rewrite (pair_sum _ (fun y a => - a * (y%:R - a))) h1 /=; ring. Qed.

(* ... so smCE is 2. *)
Lemma two_smCE : is_smCE x p setT 2%:R.
Proof.
have p01 : predictions p := @pair01 R 0; apply: is_value (smCEP _ _ p01) _ _.
  have := smCE_le_2stepCE x setT p01.
  by rewrite (sup_unique (stepCEP _ _ p01) (@pair_stepCE R 0)) mulr1.
by rewrite -two_seen; exact: smCE_witness p01 opp_lipschitz opp_within.
Qed.

(* The variance of the predictions is 0, *)
Lemma two_variance : \sum_(t in setT) p t * (1 - p t) = 0.
Proof. by rewrite (pair_sum _ (fun _ a => a * (1 - a))) h1; ring. Qed.

(* and every residual is 1 or -1. *)
Lemma two_squares : \sum_(t in setT) residual x p t ^+ 2 = 3%:R.
Proof. by rewrite (pair_sum _ (fun y a => (y%:R - a) ^+ 2)) h1 /=; ring. Qed.

(* A set of rounds with the one has a prefix sum 1. *)
Lemma two_with S : 1 <= stepCE x p (ord0 |: S).
Proof.
apply: le_trans (le_trans (ler_norm _) (upto_le_stepCE x p (ord0 |: S) 0)).
rewrite /upto (big_pred1 ord0) => [|t]; first by rewrite /residual subr0.
by rewrite !inE /p /pair_p h1; case: eqP => _; rewrite ?lexx //= lt_geF ?ltr01 ?andbF.
Qed.

(* One without it has zeros only, each overestimated by 1. *)
Lemma two_without S : #|S :\ ord0|%:R <= stepCE x p (S :\ ord0).
Proof.
apply: le_trans (bias_le_stepCE x p _); rewrite -normrN; apply: le_trans (ler_norm _).
rewrite /bias -sumr_const -sumrN; apply: le_of_eq; apply: eq_bigr => t; rewrite !inE /residual.
by rewrite /x /p /pair_x /pair_p h1 => /andP[/negbTE-> _]; rewrite sub0r opprK.
Qed.

(* So the mean of stepCE over all sets is at least 1. *)
Lemma two_stepCE_sub : 1 <= stepCE_sub x p.
Proof.
pose half : R := 1 / 2%:R; pose M (S : {set 'I_3}) : R := half * half + half * #|S|%:R.
have -> : 1 = mean M by rewrite /M meanD mean_const meanZ mean_card /half; field.
rewrite /stepCE_sub (mean_resample ord0) [X in _ <= X](mean_resample ord0).
apply: mean_le => S; rewrite ler_pmul2r ?invr_gt0 ?ltr0n //.
apply: le_trans (ler_add (two_with S) (two_without S)); rewrite /M.
have -> : #|ord0 |: S|%:R = 1 + #|S :\ ord0|%:R :> R.
  by rewrite (cardsD1 ord0 (_ |: S)) setU11 setDUl setDv set0U natrD.
by apply: le_of_eq; rewrite /half; field.
Qed.
End Two.

(* Levels (j + 1) / (m + 1) for j < m, with 2 (m + 1) rounds each, of which so many are ones that
   the prefix sums are 1, -1, 1, ... *)
Section Levels.
Variables (R : realFieldType) (m : nat).

(* The sum of the biases of the first l levels, a level, and how many of its rounds are ones. *)
Definition zigzag (l : nat) : R := if l is j.+1 then (-1) ^+ j else 0.
Definition level_at (j : nat) : R := j.+1%:R / m.+1%:R.
Definition level_ones (j : nat) : nat :=
  if j is 0 then 3 else if odd j then j.*2 else j.*2.+4.

(* The rounds are the pairs of a level and a number. *)
Let I := ('I_m * 'I_(m.+1).*2)%type.
Definition levels_x : 'I_#|{: I}| -> bool :=
  fun t => ((enum_val t).2 < level_ones (enum_val t).1)%N.
Definition levels_p : 'I_#|{: I}| -> R := fun t => level_at (enum_val t).1.

(* The levels increase. *)
Lemma level_le i j : (level_at i <= level_at j) = (i <= j)%N.
Proof. by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat. Qed.

(* So they are different. *)
Lemma level_eq i j : (level_at i == level_at j) = (i == j).
Proof. by rewrite [LHS]eq_le !level_le eqn_leq. Qed.

(* They are probabilities. *)
Lemma levels01 : predictions levels_p.
Proof.
move=> t; rewrite /levels_p /level_at divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r.
by rewrite ler_nat ltnS ltnW.
Qed.

(* There are enough rounds for the ones, ... *)
Lemma level_ones_le (j : 'I_m) : (level_ones j <= (m.+1).*2)%N.
Proof. by rewrite /level_ones; case: (j : nat) (ltn_ord j) => [|i]; last case: ifP; lia. Qed.

(* ... and the bias of level j takes one prefix sum to the next. *)
Lemma level_bias (j : 'I_m) :
  \sum_(i < (m.+1).*2) ((i < level_ones j)%:R - level_at j) = zigzag j.+1 - zigzag j.
Proof.
rewrite sumrB sumr_const card_ord -natr_sum.
have -> : (\sum_(i < (m.+1).*2) (i < level_ones j) = level_ones j)%N.
  rewrite -[RHS]card_ord -sum1_card (big_ord_widen _ (fun=> 1%N) (level_ones_le j)).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => i _; case: ifP.
rewrite [X in _ - X](_ : _ = (j.+1).*2%:R); last first.
  by rewrite /level_at -mulr_natr -!mul2n !natrM; field; rewrite -(natrD _ 1 m) pnatr_eq0.
rewrite /zigzag /level_ones -!muln2; case: (j : nat) => [|i] /=; first by ring.
by rewrite exprS -signr_odd; case: (odd i) => /=; ring.
Qed.

(* A sum over rounds, by their levels. *)
Lemma levels_part (P : pred R) : \sum_(t in setT | P (levels_p t)) residual levels_x levels_p t =
  \sum_(j < m | P (level_at j)) (zigzag j.+1 - zigzag j).
Proof.
rewrite (reindex (@enum_rank _)) /=; last exact: onW_bij (enum_rank_bij _).
under [RHS]eq_bigr do rewrite -level_bias.
rewrite pair_big_dep /=; apply: eq_big => [r|r _].
  by rewrite inE /levels_p enum_rankK andbT.
by rewrite /residual /levels_x /levels_p enum_rankK.
Qed.

(* So the prefix sums are 1, -1, 1, ... *)
Lemma levels_upto (j : 'I_m) : upto levels_x levels_p setT (level_at j) = zigzag j.+1.
Proof.
rewrite /upto (levels_part (fun a => a <= level_at j)).
under eq_bigl => i do rewrite level_le -ltnS.
rewrite -(big_ord_widen m (fun i => zigzag i.+1 - zigzag i)) //.
by rewrite -(big_mkord xpredT (fun i => zigzag i.+1 - zigzag i)) telescope_sumr // subr0.
Qed.

(* They are 1 in absolute value. *)
Lemma zigzag_norm j : `|zigzag j.+1| = 1.
Proof. by rewrite normrX normrN1 expr1n. Qed.

(* So stepCE is 1. *)
Lemma levels_stepCE : (0 < m)%N -> is_stepCE levels_x levels_p setT 1.
Proof.
move=> m0; apply: is_value (stepCEP _ _ levels01) _ _.
  apply: bigmax_le => [|t _]; first exact: ler01.
  by rewrite levels_upto zigzag_norm.
by rewrite -(zigzag_norm 0) -(levels_upto (Ordinal m0)) upto_le_stepCE.
Qed.

(* The predicted values are the levels. *)
Lemma levels_values : perm_eq (undup [seq levels_p t | t in setT]) [seq level_at j | j : 'I_m].
Proof.
apply: uniq_perm; first exact: undup_uniq.
  rewrite map_inj_uniq ?enum_uniq // => i j /eqP; rewrite level_eq => /eqP; exact: val_inj.
move=> a; rewrite mem_undup; apply/imageP/imageP => [[t _ ->]|[j _ ->]].
  by exists (enum_val t).1.
by exists (enum_rank ((j, ord0) : I)); rewrite ?inE // /levels_p enum_rankK.
Qed.

(* There are m of them. *)
Lemma levels_size : size (undup [seq levels_p t | t in setT]) = m.
Proof. by rewrite (perm_size levels_values) size_map -cardE card_ord. Qed.

(* ECE is 1 for the first level, and 2 for each of the others. *)
Lemma levels_ECE : (0 < m)%N -> ECE levels_x levels_p setT = (2 * m - 1)%:R.
Proof.
move=> m0; rewrite /ECE (perm_big _ levels_values) big_map big_enum.
transitivity (\sum_(j < m) `|zigzag j.+1 - zigzag j|).
  apply: eq_bigr => j _; rewrite (levels_part (fun a => a == level_at j)) (big_pred1 j) // => i.
  by rewrite level_eq.
case: (m) m0 => // l _; rewrite big_ord_recl subr0 normr1.
under eq_bigr => i _.
  have -> : zigzag (lift ord0 i).+1 - zigzag (lift ord0 i) = - 2%:R * (-1) ^+ i.
    by rewrite /zigzag /= exprS; ring.
  by rewrite normrM normrX normrN1 expr1n mulr1 normrN ger0_norm ?ler0n //; over.
by rewrite sumr_const card_ord -mulrnA -(natrD _ 1) mulnS subn1.
Qed.
End Levels.

(* With 2k levels, k intervals, of one point each, take every second level. *)
Section Odd.
Variables (R : realFieldType) (k : nat).
Let a (i : 'I_k) : R := level_at R k.*2 i.*2.+1.

(* They are disjoint, ... *)
Lemma odd_disjoint i j d : a i <= d <= a i -> a j <= d <= a j -> i = j.
Proof. by rewrite -!eq_le => /eqP<-; rewrite level_eq eqSS => /eqP/double_inj/val_inj. Qed.

(* ... they take the levels of odd number, ... *)
Lemma odd_level (j : 'I_k.*2) : [exists i, a i <= level_at R k.*2 j <= a i] = odd j.
Proof.
apply/existsP/idP => [[i]|oj]; first by rewrite -eq_le level_eq => /eqP<-; rewrite /= odd_double.
have jk : (j./2 < k)%N by have := ltn_ord j; lia.
by exists (Ordinal jk); rewrite -eq_le level_eq /=; lia.
Qed.

(* ... each of which has the bias -2, ... *)
Lemma odd_sum l : \sum_(j < l.*2 | odd j) (zigzag R j.+1 - zigzag R j) = - (2 * l)%:R.
Proof.
rewrite big_mkcond /=; elim: l => [|l IH]; first by rewrite big_ord0 oppr0.
rewrite doubleS !big_ord_recr /= IH odd_double /= mulnS natrD.
by rewrite /zigzag exprS -signr_odd odd_double; ring.
Qed.

(* ... so the bias of the rounds in all intervals is -2k. *)
Lemma odd_union : \sum_(t in setT | [exists i, a i <= levels_p R t <= a i])
  residual (@levels_x k.*2) (@levels_p R k.*2) t = - (2 * k)%:R.
Proof.
rewrite (@levels_part _ _ (fun v => [exists i, a i <= v <= a i])) -odd_sum.
by apply: eq_bigl => j; exact: odd_level.
Qed.
End Odd.
