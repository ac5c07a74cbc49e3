(* The mean over all sets of rounds, each as likely as the other (eq:subsampled, L526), and sums of
   numbers with random signs: a round has the sign + if it is in the set. Finite sums only. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mean.
Variables (R : realFieldType) (T : nat).
Implicit Types (M N : {set 'I_T} -> R) (S : {set 'I_T}) (t : 'I_T) (c : R).

(* The mean depends on the values only. *)
Lemma eq_mean M N : M =1 N -> mean M = mean N.
Proof. by move=> MN; rewrite /mean (eq_bigr N). Qed.

(* The mean is linear. *)
Lemma meanD M N : mean (fun S => M S + N S) = mean M + mean N.
Proof. by rewrite /mean big_split mulrDl. Qed.

Lemma meanZ c M : mean (fun S => c * M S) = c * mean M.
Proof. by rewrite /mean -mulr_sumr mulrA. Qed.

Lemma meanB M N : mean (fun S => M S - N S) = mean M - mean N.
Proof. by rewrite /mean sumrB mulrBl. Qed.

(* There are 2^T sets, so the mean of a constant is the constant. *)
Lemma mean_const c : mean (fun _ : {set 'I_T} => c) = c.
Proof.
have cardS : #|{set 'I_T}| = (2 ^ T)%N by rewrite -cardsT -powersetT card_powerset cardsT card_ord.
rewrite /mean sumr_const cardS -[c *+ _]mulr_natr natrX mulfK //.
by rewrite expf_eq0 pnatr_eq0 andbF.
Qed.

(* The mean is monotone. *)
Lemma mean_le M N : (forall S, M S <= N S) -> mean M <= mean N.
Proof.
move=> MN; rewrite /mean ler_pmul2r ?invr_gt0 ?exprn_gt0 ?ltr0n //.
by apply: ler_sum => S _; exact: MN.
Qed.

(* The mean of what is not negative is not negative. *)
Lemma mean_ge0 M : (forall S, 0 <= M S) -> 0 <= mean M.
Proof. by move=> M0; rewrite -(mean_const 0); exact: mean_le. Qed.

(* A map that is its own inverse leaves a random set random, ... *)
Lemma mean_involution (f : {set 'I_T} -> {set 'I_T}) M : involutive f ->
  mean (fun S => M (f S)) = mean M.
Proof. by move=> ff; rewrite /mean [in RHS](reindex_inj (inv_inj ff)). Qed.

(* ... for instance the complement, ... *)
Lemma mean_setC M : mean (fun S => M (~: S)) = mean M.
Proof. by apply: mean_involution => S; exact: setCK. Qed.

(* ... or putting a round in that is not, and out if it is: so whether t is in the set can be drawn
   once more. *)
Lemma mean_resample t M : mean M = mean (fun S => (M (t |: S) + M (S :\ t)) / 2%:R).
Proof.
pose flip S := if t \in S then S :\ t else t |: S.
have flipK : involutive flip.
  move=> S; rewrite /flip; case tS: (t \in S); first by rewrite setD11 setD1K.
  by rewrite setU11 setU1K ?tS.
transitivity ((mean M + mean (fun S => M (flip S))) / 2%:R).
  by rewrite mean_involution //; field.
rewrite mulrC -meanD -meanZ; apply: eq_mean => S; rewrite mulrC /flip; congr (_ / _).
case tS: (t \in S); last by rewrite addrC (setDidPl _) // disjoint_sym disjoints1 tS.
by rewrite (setUidPr _) ?sub1set.
Qed.

(* The mean number of rounds in the set is T / 2. *)
Lemma mean_card : mean (fun S => #|S|%:R) = T%:R / 2%:R :> R.
Proof.
have : mean (fun S => #|S|%:R) + mean (fun S => #|~: S|%:R) = T%:R :> R.
  rewrite -meanD -[RHS]mean_const; apply: eq_mean => S.
  by rewrite -natrD cardsC card_ord.
by rewrite (mean_setC (fun S => #|S|%:R)) => <-; field.
Qed.
End Mean.

(* Sums of the numbers a t with random signs along a list r of rounds, the last one first. *)
Section Walk.
Variables (R : realFieldType) (T : nat) (a : 'I_T -> R).
Implicit Types (S : {set 'I_T}) (t : 'I_T) (r : seq 'I_T) (b : R).

(* The sign of a round, and the sum. *)
Definition coin S t : R := if t \in S then 1 else -1.
Fixpoint walk r S : R := if r is t :: r' then walk r' S + coin S t * a t else 0.
(* The largest of b and all the absolute sums on the way. *)
Fixpoint peak b r S : R := if r is _ :: r' then Num.max (peak b r' S) `|walk r S| else b.

(* The walk in one sum. *)
Lemma walkE r S : walk r S = \sum_(t <- r) coin S t * a t.
Proof. by elim: r => [|t r IH] /=; rewrite ?big_nil // big_cons -IH addrC. Qed.

(* The peak is at least where it begins. *)
Lemma peak_ge b r S : b <= peak b r S.
Proof. by elim: r => //= t r IH; rewrite le_maxr IH. Qed.

(* The walk and the peak depend on the rounds in r only. *)
Lemma walk_ext r S (U : {set 'I_T}) : {in r, S =i U} -> walk r S = walk r U.
Proof. by move=> SU; rewrite !walkE; apply: eq_big_seq => t tr; rewrite /coin SU. Qed.

Lemma peak_ext b r S (U : {set 'I_T}) : {in r, S =i U} -> peak b r S = peak b r U.
Proof.
elim: r => //= t r IH SU; have SU' : {in r, S =i U} by move=> u ur; rewrite SU // inE ur orbT.
by rewrite IH // (walk_ext SU') /coin SU ?mem_head.
Qed.

(* To put a round outside r in or out does not change the rounds in r. *)
Lemma setU1_in t r S : t \notin r -> {in r, t |: S =i S}.
Proof. by move=> tr u ur; rewrite !inE; case: eqP tr => // <-; rewrite ur. Qed.

Lemma setD1_in t r S : t \notin r -> {in r, S :\ t =i S}.
Proof. by move=> tr u ur; rewrite !inE; case: eqP tr => // <-; rewrite ur. Qed.

(* The last step goes up or down, each as likely as the other. *)
Lemma mean_step b (f : R -> R -> R) t r : t \notin r ->
  mean (fun S => f (peak b (t :: r) S) (walk (t :: r) S)) =
  mean (fun S => (f (Num.max (peak b r S) `|walk r S + a t|) (walk r S + a t) +
                  f (Num.max (peak b r S) `|walk r S - a t|) (walk r S - a t)) / 2%:R).
Proof.
move=> tr; rewrite (mean_resample t); apply: eq_mean => S /=.
rewrite !(walk_ext (setU1_in S tr)) !(walk_ext (setD1_in S tr)).
rewrite (peak_ext b (setU1_in S tr)) (peak_ext b (setD1_in S tr)).
by rewrite /coin setU11 setD11 mul1r mulN1r.
Qed.

(* The mean of the square of the sum is the sum of the squares. *)
Lemma mean_walk2 r : uniq r -> mean (fun S => walk r S ^+ 2) = \sum_(t <- r) a t ^+ 2.
Proof.
elim: r => [_|t r IH /= /andP[tr ur]].
  by rewrite big_nil -[RHS](mean_const T); apply: eq_mean => S; rewrite expr0n.
rewrite (mean_step 0 (fun _ m => m ^+ 2) tr) big_cons -IH // -[a t ^+ 2](mean_const T) -meanD.
by apply: eq_mean => S; field.
Qed.
End Walk.
