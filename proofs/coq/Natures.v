(* The definitions of sequential prediction (L297-311, L366-376) are sane: the truthful forecaster
   forecasts probabilities, and the optimum is at most its penalty; its forecasts and the
   distribution determine each other by the chain rule: every distribution is the product of the
   truthful forecasts of what happens, and each forecaster makes a distribution in this way, of
   which it is the truthful forecaster, after histories that can come about. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Histories of outcomes. *)
Section Histories.
Variable T : nat.
Implicit Types (x y : outcomes T) (h : seq bool) (t : 'I_T) (n : nat).

(* A history has as many outcomes as there were rounds. *)
Lemma size_history x n : size (history x n) = minn n T.
Proof. by rewrite size_map size_take size_enum_ord. Qed.

(* The same up to the last round. *)
Lemma size_history_le x n : (n <= T)%N -> size (history x n) = n.
Proof. by rewrite size_history => /minn_idPl. Qed.

(* One round more. *)
Lemma historyS x t : history x t.+1 = rcons (history x t) (x t).
Proof. by rewrite /history (take_nth t) ?size_enum_ord // nth_ord_enum map_rcons. Qed.

(* A history of one round more, compared with a list. *)
Lemma historyS_eq x h b t : t = size h :> nat ->
  (history x (size h).+1 == rcons h b) = (history x (size h) == h) && (x t == b).
Proof. by move=> <-; rewrite historyS eqseq_rcons. Qed.

(* No history is longer than all rounds. *)
Lemma history_long x h b : (T <= size h)%N -> (history x (size h).+1 == rcons h b) = false.
Proof.
move=> Th; apply/eqP => /(congr1 size); rewrite size_history size_rcons => /minn_idPl.
by rewrite ltnNge Th.
Qed.

(* The entries of the history of all rounds are the outcomes. *)
Lemma nth_history x t : nth false (history x T) t = x t.
Proof.
by rewrite /history take_oversize ?size_enum_ord // (nth_map t) ?size_enum_ord // nth_ord_enum.
Qed.

(* Its beginnings are the earlier histories. *)
Lemma take_history x t : take t (history x T) = history x t.
Proof. by rewrite /history [take T _]take_oversize ?size_enum_ord // map_take. Qed.

(* It determines the outcomes. *)
Lemma history_inj x y : history x T = history y T -> x = y.
Proof. by move=> xy; apply/ffunP => t; rewrite -!nth_history xy. Qed.

(* Every list of T outcomes is one. *)
Lemma history_full h : size h = T -> exists x, history x T = h.
Proof.
move=> hT; exists [ffun t : 'I_T => nth false h t]; apply: (@eq_from_nth _ false).
  by rewrite size_history_le.
move=> i; rewrite size_history_le // => iT.
by rewrite (nth_history _ (Ordinal iT)) ffunE.
Qed.
End Histories.

(* The optimum. *)
Section Penalty.
Variables (R : realFieldType) (T : nat).
Implicit Types (CM : measure R T) (D : outcomes T -> R) (A : forecaster R).

(* The optimum is at most the penalty of each forecaster. *)
Lemma OPT_le CM D A opt : is_OPT CM D opt -> forecasting A -> opt <= err CM D A.
Proof. by move=> optP A01; apply: inf_le optP _; exists A. Qed.
End Penalty.

(* The truthful forecaster. *)
Section Truthful.
Variables (R : realFieldType) (T : nat).
Implicit Types (CM : measure R T) (D : outcomes T -> R) (q : forecaster R) (h : seq bool).
Implicit Types (x : outcomes T) (t : 'I_T).

(* The probability that the outcomes begin with h. *)
Definition probability D h : R := \sum_(x | history x (size h) == h) D x.

(* The truthful forecast is a conditional probability. *)
Lemma truthfulE D h : truthful D h = probability D (rcons h true) / probability D h.
Proof. by rewrite /probability size_rcons. Qed.

(* To begin with nothing has the probability of everything. *)
Lemma probability_nil D : probability D [::] = \sum_x D x.
Proof. by apply: eq_bigl => x; rewrite /history take0. Qed.

(* To begin with all of x is to be x. *)
Lemma probability_full D x : probability D (history x T) = D x.
Proof.
rewrite /probability size_history_le // (big_pred1 x) // => y /=.
by apply/eqP/eqP => [/history_inj|->].
Qed.

(* There are no more than T outcomes. *)
Lemma probability_long D h b : (T <= size h)%N -> probability D (rcons h b) = 0.
Proof. by move=> Th; rewrite /probability size_rcons big_pred0 // => x; exact: history_long. Qed.

(* The next outcome is 1 or 0. *)
Lemma probability_split D h : (size h < T)%N ->
  probability D h = probability D (rcons h true) + probability D (rcons h false).
Proof.
move=> hT; pose t := Ordinal hT; have th : t = size h :> nat by [].
rewrite /probability !size_rcons (bigID (fun x : outcomes T => x t)) /=.
by congr (_ + _); apply: eq_bigl => x; rewrite (historyS_eq _ _ th); case: (x t).
Qed.

(* Probabilities are not negative, ... *)
Lemma probability_ge0 D h : distribution D -> 0 <= probability D h.
Proof. by case=> D0 _; apply: sumr_ge0 => x _; exact: D0. Qed.

(* ... and the less, the more is said. *)
Lemma probability_rcons D h b : distribution D -> probability D (rcons h b) <= probability D h.
Proof.
move=> dD; have [hT|Th] := ltnP (size h) T; last by rewrite probability_long ?probability_ge0.
by rewrite (probability_split D hT); case: b; rewrite ?ler_addl ?ler_addr probability_ge0.
Qed.

(* The truthful forecasts are probabilities, ... *)
Theorem forecasting_truthful D : distribution D -> forecasting (truthful D).
Proof.
move=> dD h; rewrite truthfulE divr_ge0 ?probability_ge0 //=.
have [z|pos] := eqVneq (probability D h) 0; first by rewrite z invr0 mulr0 ler01.
by rewrite ler_pdivr_mulr ?lt_def ?pos ?probability_ge0 // mul1r probability_rcons.
Qed.

(* ... so the optimum is at most the truthful penalty. *)
Theorem OPT_le_truthful CM D opt : distribution D -> is_OPT CM D opt ->
  opt <= err CM D (truthful D).
Proof. by move=> dD optP; apply: OPT_le optP (forecasting_truthful dD). Qed.

(* What the definitions say without an optimum, they say of it where there is one: of truthfulness
   (L373), *)
Theorem truthful_OPT CM D opt alpha beta : 0 <= alpha -> distribution D -> is_OPT CM D opt ->
  err CM D (truthful D) <= alpha * opt + beta <->
  (forall A, forecasting A -> err CM D (truthful D) <= alpha * err CM D A + beta).
Proof.
move=> alpha0 dD optP; split=> [le_opt A A01|all_A].
  by apply: le_trans le_opt _; rewrite ler_add2r ler_wpmul2l // (OPT_le optP).
move: alpha0; rewrite le_eqVlt => /orP[/eqP zero|alpha0].
  by have := all_A _ (forecasting_truthful dD); rewrite -zero !mul0r.
rewrite -ler_subl_addr mulrC -ler_pdivr_mulr //; apply: inf_ge optP _ => _ [A A01 ->].
by rewrite ler_pdivr_mulr // mulrC ler_subl_addr all_A.
Qed.

(* and of a gap (L375). *)
Theorem gap_OPT CM D opt alpha : is_OPT CM D opt ->
  (forall e, 0 < e -> exists2 A, forecasting A & err CM D A <= alpha + e) -> opt <= alpha.
Proof.
move=> optP near; apply/ler_addgt0Pr => e /near[A A01]; apply: le_trans.
exact: OPT_le optP A01.
Qed.

(* So the paper's gap excludes truthfulness with constants that are too small for it, *)
Theorem gap_OPT_excludes_truthful CM D opt alpha beta lo hi : 0 <= alpha ->
  truthful_up_to CM alpha beta -> distribution D -> is_OPT CM D opt -> opt <= lo ->
  hi <= err CM D (truthful D) -> hi <= alpha * lo + beta.
Proof.
move=> alpha0 honest dD optP le_lo /le_trans; apply.
apply: le_trans (_ : alpha * opt + beta <= _); last by rewrite ler_add2r ler_wpmul2l.
by apply/(truthful_OPT _ alpha0 dD optP) => A A01; exact: honest.
Qed.

(* and so does one that is said without the optimum. *)
Theorem gap_excludes_truthful CM alpha beta lo hi : 0 <= alpha ->
  truthful_up_to CM alpha beta -> has_gap CM lo hi -> hi <= alpha * lo + beta.
Proof.
move=> alpha0 honest [D [dD near le_hi]]; apply/ler_addgt0Pr => e e0.
have alpha1 : 0 < alpha + 1 by rewrite ltr_paddl ?ltr01.
have [A A01 errA] := near (e / (alpha + 1)) (divr_gt0 e0 alpha1).
apply: le_trans le_hi _; apply: le_trans (honest D A dD A01) _.
rewrite [X in _ <= X]addrAC ler_add2r; apply: le_trans (ler_wpmul2l alpha0 errA) _.
rewrite mulrDr ler_add2l mulrCA ler_pimulr ?(ltW e0) //.
by rewrite ler_pdivr_mulr // mul1r ler_addl ler01.
Qed.

(* The probability of the outcome b if that of a 1 is a. *)
Definition forecast_of (b : bool) (a : R) : R := if b then a else 1 - a.
(* The probability that a forecaster gives to the beginning h of the outcomes. *)
Definition weight q h : R := \prod_(i < size h) forecast_of (nth false h i) (q (take i h)).

(* The distribution that a forecaster makes. *)
Definition nature q x : R :=
  \prod_t (if x t then q (history x t) else 1 - q (history x t)).

(* The weight of nothing. *)
Lemma weight_nil q : weight q [::] = 1.
Proof. exact: big_ord0. Qed.

(* The weight of one outcome more. *)
Lemma weight_rcons q h b : weight q (rcons h b) = weight q h * forecast_of b (q h).
Proof.
rewrite /weight size_rcons big_ord_recr /= nth_rcons ltnn eqxx -cats1 take_size_cat //.
congr (_ * _); apply: eq_bigr => i _.
by rewrite nth_cat ltn_ord takel_cat // ltnW.
Qed.

(* The distribution is the weight of all outcomes. *)
Lemma natureE q x : nature q x = weight q (history x T).
Proof.
rewrite /nature /weight size_history_le //; apply: eq_bigr => t _.
by rewrite nth_history take_history.
Qed.

(* What forecasts the probability of a 1, given a history that can come about. *)
Definition honest D q := forall h, (size h < T)%N -> probability D h != 0 -> q h = truthful D h.

(* The chain rule, for the beginnings of the outcomes ... *)
Lemma weight_honest D q h : distribution D -> honest D q -> (size h <= T)%N ->
  weight q h = probability D h.
Proof.
move=> dD qD; elim/last_ind: h => [_|h b IH]; first by rewrite weight_nil probability_nil; case: dD.
rewrite size_rcons => hT; rewrite weight_rcons IH ?(ltnW hT) //.
have := probability_rcons h b dD; have [->|pos _] := eqVneq (probability D h) 0.
  by rewrite mul0r => le0; apply/eqP; rewrite eq_le probability_ge0.
rewrite qD // truthfulE; move: pos; rewrite (probability_split D hT) => pos.
by case: b => /=; field.
Qed.

(* ... and for all outcomes, also when a beginning has probability 0. *)
Theorem chain_rule D q x : distribution D -> honest D q -> D x =
  \prod_t (if x t then q (history x t) else 1 - q (history x t)).
Proof.
move=> dD qD; rewrite -[RHS]/(nature q x) natureE (weight_honest dD qD) ?probability_full //.
by rewrite size_history_le.
Qed.

(* Conversely: the probabilities of the beginnings ... *)
Lemma probability_nature q h : (size h <= T)%N -> probability (nature q) h = weight q h.
Proof.
move=> hT; have [n hn] : exists n, (n + size h)%N = T by exists (T - size h)%N; rewrite subnK.
elim: n h hT hn => [|n IH] h hT hn.
  by have [x <-] := history_full hn; rewrite probability_full natureE.
have sT : (size h < T)%N by rewrite -hn addSn ltnS leq_addl.
rewrite (probability_split _ sT) !IH ?size_rcons ?addnS -?addSn // !weight_rcons /=.
by ring.
Qed.

(* ... so that they are probabilities ... *)
Theorem nature_distribution q : forecasting q -> distribution (nature q).
Proof.
move=> q01; split=> [x|]; last by rewrite -probability_nil probability_nature // weight_nil.
by apply: prodr_ge0 => t _; case/andP: (q01 (history x t)) => q0 q1; case: (x t); rewrite ?subr_ge0.
Qed.

(* ... of which the forecaster is the truthful one, where the history has a probability. *)
Theorem truthful_nature q h : (size h < T)%N -> probability (nature q) h != 0 ->
  truthful (nature q) h = q h.
Proof.
move=> hT; rewrite truthfulE !probability_nature ?size_rcons ?(ltnW hT) // weight_rcons => pos.
by rewrite mulrC mulKf.
Qed.
End Truthful.
