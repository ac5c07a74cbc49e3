(* A linear programme and its dual, solved by elimination. For levels q_1 < ... < q_n with biases
   b_1, ..., b_n, the largest sum of f(q_j) b_j over the f with |f(q_j)| <= 1 and
   |f(q_i) - f(q_j)| <= |q_i - q_j| is attained, and equals the least cost of a flow: f_j units are
   moved from each level to the next, at the price of their distance, and every unit of bias that
   stays costs 1. This is what the smooth calibration error (L385) of Smooth.v comes down to. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Truecal Require Import Definitions Bounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A point between two numbers, and what stays within bounds. *)
Section Mix.
Variable R : realFieldType.
Implicit Types (r a c d m k : R).

Definition mix r a c := r * a + (1 - r) * c.

(* A mixture of two numbers stays within the bounds of both. *)
Lemma mix_norm r a c d : 0 <= r <= 1 -> `|a| <= d -> `|c| <= d -> `|mix r a c| <= d.
Proof.
move=> /andP[r0 r1] ad cd; have s0 : 0 <= 1 - r by rewrite subr_ge0.
apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm r0) (ger0_norm s0).
have -> : d = r * d + (1 - r) * d by ring.
by apply: ler_add; apply: ler_wpmul2l.
Qed.

(* The weight with which a slope that is not positive and one that is are mixed to 0. *)
Definition weight m n : R := n / (n - m).

(* It is between 0 and 1, ... *)
Lemma weight01 m n : m <= 0 -> 0 < n -> 0 <= weight m n <= 1.
Proof.
move=> m0 n0; have pos : 0 < n - m by rewrite subr_gt0 (le_lt_trans m0).
by rewrite /weight divr_ge0 ?(ltW n0) ?(ltW pos) // ler_pdivr_mulr // mul1r ler_addl oppr_ge0.
Qed.

(* ... and the mixture is a cross product. *)
Lemma mix_weight m n a c : m <= 0 -> 0 < n -> mix (weight m n) a c = (n * a - m * c) / (n - m).
Proof.
move=> m0 n0; rewrite /mix /weight; field.
by rewrite gt_eqF // subr_gt0 (le_lt_trans m0).
Qed.
End Mix.

(* Elimination of one unknown from finitely many inequalities. *)
Section Eliminate.
Variables (R : realFieldType) (A : choiceType) (rows : seq A) (m k : A -> R).

(* Among the rows with P, one with the least value of h. *)
Lemma least_row (P : pred A) (h : A -> R) r0 : r0 \in rows -> P r0 ->
  exists r, [/\ r \in rows, P r & forall s, s \in rows -> P s -> h r <= h s].
Proof.
move=> r0in Pr0; have [r Pr least] :=
  @argmin _ (seq_sub_finType rows) (fun i => P (val i)) (fun i => h (val i)) (SeqSub r0in) Pr0.
exists (val r); split=> // [|s sin Ps]; first exact: valP.
exact: (least (SeqSub sin)).
Qed.

(* If every mixture of two lines that is level stays up to M, there is a point at which all lines
   do. *)
Lemma eliminate (M : R) r0 : r0 \in rows -> 0 < m r0 ->
  (forall r s, r \in rows -> s \in rows -> m r <= 0 -> 0 < m s ->
    mix (weight (m r) (m s)) (k r) (k s) <= M) ->
  exists y, forall r, r \in rows -> k r + m r * y <= M.
Proof.
move=> r0in pos0 level.
have [s [sin s0 least]] :=
  @least_row (fun r => 0 < m r) (fun r => (M - k r) / m r) r0 r0in pos0.
exists ((M - k s) / m s) => r rin; case: (leP (m r) 0) => [rneg|rpos]; last first.
  rewrite addrC -ler_subr_addr mulrC -ler_pdivl_mulr //; exact: least.
have := level r s rin sin rneg s0; rewrite mix_weight // ler_pdivr_mulr; last first.
  by rewrite subr_gt0 (le_lt_trans rneg).
move=> level0; rewrite -(ler_pmul2r s0) -subr_ge0.
have -> : M * m s - (k r + m r * ((M - k s) / m s)) * m s =
  M * (m s - m r) - (m s * k r - m r * k s) by field; rewrite gt_eqF.
by rewrite subr_ge0.
Qed.
End Eliminate.

Section Programme.
Variables (R : realFieldType) (b : R -> R).
Implicit Types (q a c d y M : R) (qs : seq R) (f phi : R -> R) (z : R * R).

(* The functions on the levels, and what is maximised. *)
Definition admissible f qs := (forall a, a \in qs -> `|f a| <= 1) /\
  (forall a c, a \in qs -> c \in qs -> `|f a - f c| <= `|a - c|).
Definition objective f qs := \sum_(a <- qs) f a * b a.

(* The cost of a flow: y arrives at the first level, and phi a moves from each level a but the last
   to the next, at the price of the distance between them; either may be negative. What stays at a
   level is its bias and what arrives less what moves on, and costs its absolute value. *)
Fixpoint cost phi y q qs : R :=
  if qs is q1 :: qs1 then `|b q + y - phi q| + `|phi q| * (q1 - q) + cost phi (phi q) q1 qs1
  else `|b q + y|.

(* Fewer levels ask for less. *)
Lemma admissible_tail f q qs : admissible f (q :: qs) -> admissible f qs.
Proof.
by case=> one lip; split=> [a aq|a c aq cq]; [apply: one|apply: lip]; rewrite inE ?aq ?cq orbT.
Qed.

(* No function does better than any flow. *)
Lemma weak_duality f phi y q qs : path <%R q qs -> admissible f (q :: qs) ->
  y * f q + objective f (q :: qs) <= cost phi y q qs.
Proof.
elim: qs => [|q1 qs IH] in y q * => /= [_|/andP[qq1 sorted]] adm.
  rewrite /objective big_seq1 mulrC -mulrDr addrC; apply: le_trans (ler_norm _) _.
  by rewrite normrM ler_pimull //; case: adm => one _; rewrite one ?inE.
have [one lip] := adm; have q0 : q \in q :: q1 :: qs by rewrite inE eqxx.
have q10 : q1 \in q :: q1 :: qs by rewrite !inE eqxx orbT.
rewrite /objective big_cons -/(objective f (q1 :: qs)).
have -> : y * f q + (f q * b q + objective f (q1 :: qs)) = f q * (b q + y - phi q) +
  phi q * (f q - f q1) + (phi q * f q1 + objective f (q1 :: qs)) by ring.
apply: ler_add (IH _ _ sorted (admissible_tail adm)); apply: ler_add.
  by apply: le_trans (ler_norm _) _; rewrite normrM ler_pimull ?one.
apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l //.
by apply: le_trans (lip q q1 q0 q10) _; rewrite distrC gtr0_norm ?subr_gt0.
Qed.

(* The cost depends on the flow at the levels only. *)
Lemma cost_ext phi psi y q qs : {in q :: qs, phi =1 psi} -> cost phi y q qs = cost psi y q qs.
Proof.
elim: qs => [|q1 qs IH] in y q * => //= same.
rewrite same ?inE ?eqxx // IH // => a aq; apply: same.
by rewrite inE aq orbT.
Qed.

(* The inequalities that the flow from a level to the next, at the distance d, must satisfy: one
   for each sign u of what stays, each sign of the flow, and each corner z from the next level on. A
   row is the slope in that flow, u, and the second coordinate of z. *)
Definition row z (ue : R * R) : R * (R * R) := (z.1 + ue.2 - ue.1, (ue.1, z.2)).
Definition rows d zs := allpairs row zs [:: (1, d); (1, -d); (-1, d); (-1, -d)].
(* A corner from two rows that mix to the slope 0; bq is the bias of the level. *)
Definition corner bq (rs : (R * (R * R)) * (R * (R * R))) : R * R :=
  let w := weight rs.1.1 rs.2.1 in let h := mix w rs.1.2.1 rs.2.2.1 in
  (h, h * bq + mix w rs.1.2.2 rs.2.2.2).

(* The corners: pairs of a value at the first level and a value of the objective that some function
   has; the best for every y is among them. *)
Fixpoint corners q qs : seq (R * R) :=
  if qs is q1 :: qs1 then
    let rs := rows (q1 - q) (corners q1 qs1) in
    [seq corner (b q) r | r <- allpairs pair rs rs & (r.1.1 <= 0) && (0 < r.2.1)]
  else [:: (1, b q); (-1, - b q)].

(* A row comes from a corner and two signs. *)
Lemma rowsP d zs r : 0 <= d -> r \in rows d zs -> exists z e,
  [/\ z \in zs, `|e| <= d, `|r.2.1| <= 1, r.2.2 = z.2 & r.1 = z.1 + e - r.2.1].
Proof.
move=> d0 /allpairsP[[z [u e]] /= [zin uein ->]]; exists z, e; rewrite /row /=.
have one : `|1| <= 1 :> R by rewrite normr1.
by move: uein; rewrite !inE => /or4P[]/eqP[-> ->]; rewrite ?normrN (ger0_norm d0).
Qed.

(* The levels after a level are larger. *)
Lemma ahead q qs a : path <%R q qs -> a \in qs -> q < a.
Proof. by move=> sorted; exact: (allP (order_path_min lt_trans sorted)). Qed.

(* A function on the later levels goes on to q with any value that is close enough. *)
Definition prepend q h f a : R := if a == q then h else f a.

(* It stays admissible. *)
Lemma admissible_prepend f h q q1 qs : path <%R q (q1 :: qs) -> admissible f (q1 :: qs) ->
  `|h| <= 1 -> `|h - f q1| <= q1 - q -> admissible (prepend q h f) (q :: q1 :: qs).
Proof.
move=> sorted [one lip] h1 hd; have /andP[_ sorted1] := sorted.
have off a : a \in q1 :: qs -> (a == q) = false by move=> aq; rewrite gt_eqF ?(ahead sorted).
have head a : a \in q1 :: qs -> `|h - f a| <= `|q - a|.
  move=> aq; rewrite [X in _ <= X]distrC [X in _ <= X]gtr0_norm ?subr_gt0 ?(ahead sorted) //.
  have -> : h - f a = (h - f q1) + (f q1 - f a) by ring.
  have -> : a - q = (q1 - q) + (a - q1) by ring.
    apply: le_trans (ler_norm_add _ _) _; apply: ler_add => //.
  apply: le_trans (lip q1 a (mem_head _ _) aq) _; rewrite distrC ger0_norm // subr_ge0.
  by move: aq; rewrite inE => /orP[/eqP -> //|/(ahead sorted1)/ltW].
rewrite /prepend; split=> [a|a c].
  by rewrite in_cons => /orP[/eqP ->|aq]; rewrite ?eqxx // off // one.
rewrite !in_cons => /orP[/eqP ->|aq] /orP[/eqP ->|cq]; rewrite ?eqxx ?(off a aq) ?(off c cq).
- by rewrite !subrr.
- exact: head.
- by rewrite distrC [X in _ <= X]distrC head.
- exact: lip.
Qed.

(* Its objective. *)
Lemma objective_prepend f h q qs : path <%R q qs ->
  objective (prepend q h f) (q :: qs) = h * b q + objective f qs.
Proof.
move=> sorted; rewrite /objective big_cons /prepend eqxx; congr (_ + _).
by apply: eq_big_seq => a aq; rewrite gt_eqF ?(ahead sorted).
Qed.

(* A mixture of two functions. *)
Lemma admissible_mix f1 f2 w qs : 0 <= w <= 1 -> admissible f1 qs -> admissible f2 qs ->
  admissible (fun a => mix w (f1 a) (f2 a)) qs.
Proof.
move=> w01 [one1 lip1] [one2 lip2]; split=> [a aq|a c aq cq]; first by rewrite mix_norm ?one1 ?one2.
have -> : mix w (f1 a) (f2 a) - mix w (f1 c) (f2 c) = mix w (f1 a - f1 c) (f2 a - f2 c).
  by rewrite /mix; ring.
by rewrite mix_norm ?lip1 ?lip2.
Qed.

(* The objective of a mixture. *)
Lemma objective_mix f1 f2 w qs :
  objective (fun a => mix w (f1 a) (f2 a)) qs = mix w (objective f1 qs) (objective f2 qs).
Proof.
rewrite /objective /mix !mulr_sumr -big_split; apply: eq_bigr => a _ /=.
by ring.
Qed.

(* z is what a function has at the first level, and its objective. *)
Definition from_function q qs z :=
  exists f, [/\ admissible f (q :: qs), f q = z.1 & objective f (q :: qs) = z.2].

(* Two rows that mix to the slope 0 make a function out of two. *)
Lemma from_function_corner q q1 qs r s : path <%R q (q1 :: qs) ->
  (forall z, z \in corners q1 qs -> from_function q1 qs z) ->
  r \in rows (q1 - q) (corners q1 qs) -> s \in rows (q1 - q) (corners q1 qs) ->
  r.1 <= 0 -> 0 < s.1 -> from_function q (q1 :: qs) (corner (b q) (r, s)).
Proof.
move=> sorted IH rin sin rneg spos; have /andP[qq1 _] := sorted.
have d0 : 0 <= q1 - q by rewrite subr_ge0 ltW.
have [zr [er [/IH[f1 [adm1 f1q obj1]] erd ur vr mr]]] := rowsP d0 rin.
have [zs [es [/IH[f2 [adm2 f2q obj2]] esd us vs ms]]] := rowsP d0 sin.
have w01 := weight01 rneg spos; set w := weight r.1 s.1 in w01.
exists (prepend q (mix w r.2.1 s.2.1) (fun a => mix w (f1 a) (f2 a))); split.
- apply: admissible_prepend => //; [exact: admissible_mix|exact: mix_norm|].
  have level : mix w r.1 s.1 = 0 by rewrite mix_weight // [s.1 * _]mulrC subrr mul0r.
  have -> : mix w r.2.1 s.2.1 - mix w (f1 q1) (f2 q1) = mix w er es - mix w r.1 s.1.
    by rewrite mr ms f1q f2q /mix; ring.
  by rewrite level subr0 mix_norm.
- by rewrite /prepend eqxx.
- by rewrite objective_prepend // objective_mix obj1 obj2 -vr -vs.
Qed.

(* Every corner is a function. *)
Lemma cornersP q qs z : path <%R q qs -> z \in corners q qs -> from_function q qs z.
Proof.
elim: qs => [|q1 qs IH] in q z * => [_ zin|sorted].
  have [z1 z2] : `|z.1| <= 1 /\ z.1 * b q = z.2.
    by move: zin; rewrite !inE => /orP[]/eqP ->; rewrite ?normrN normr1 ?mul1r ?mulN1r.
  exists (fun=> z.1); rewrite /objective big_seq1; split=> //.
  by split=> // a c _ _; rewrite subrr normr0.
have /andP[_ sorted1] := sorted.
case/mapP=> rs; rewrite mem_filter => /andP[signs /allpairsP[[r s] [/= rin sin same]]] ->.
move: signs; rewrite same => /andP[rneg spos].
by apply: from_function_corner => // c; exact: IH.
Qed.

(* Two rows of opposite slopes make a corner. *)
Lemma mem_corner q q1 qs r s :
  r \in rows (q1 - q) (corners q1 qs) -> s \in rows (q1 - q) (corners q1 qs) ->
  r.1 <= 0 -> 0 < s.1 -> corner (b q) (r, s) \in corners q (q1 :: qs).
Proof.
by move=> rin sin rneg spos; apply: map_f; rewrite mem_filter rneg spos; exact: allpairs_f.
Qed.

(* There are rows of opposite slopes, ... *)
Lemma rows_slopes q q1 qs z : path <%R q (q1 :: qs) -> z \in corners q1 qs -> exists r s,
  [/\ r \in rows (q1 - q) (corners q1 qs), s \in rows (q1 - q) (corners q1 qs),
      r.1 <= 0 & 0 < s.1].
Proof.
move=> sorted zin; have /andP[qq1 sorted1] := sorted.
have [f [[one _] fz _]] := cornersP sorted1 zin.
have := one q1 (mem_head _ _); rewrite fz ler_norml => /andP[z_ge z_le].
exists (row z (1, - (q1 - q))), (row z (- 1, q1 - q)); split.
- by apply: allpairs_f => //; rewrite !inE eqxx ?orbT.
- by apply: allpairs_f => //; rewrite !inE eqxx ?orbT.
- by rewrite /= -addrA -opprD subr_le0 (le_trans z_le) // ler_addr subr_ge0 ltW.
- by rewrite /= opprK addrAC ltr_paddl ?subr_gt0 // -ler_subl_addr sub0r.
Qed.

(* ... and corners. *)
Lemma corners_some q qs : path <%R q qs -> exists z, z \in corners q qs.
Proof.
elim: qs => [|q1 qs IH] in q * => sorted; first by exists (1, b q); rewrite inE eqxx.
have /andP[_ /IH[z zin]] := sorted.
have [r [s [rin sin rneg spos]]] := rows_slopes sorted zin.
by exists (corner (b q) (r, s)); exact: mem_corner.
Qed.

(* What is paid at a level, for what stays there and what moves on, is of the form of a row. *)
Lemma payment v y d : exists2 ue, ue \in [:: (1, d); (1, -d); (-1, d); (-1, -d)] &
  `|v| + `|y| * d = ue.1 * v + ue.2 * y.
Proof.
case: (ger0P v) => _; case: (ger0P y) => _.
- by exists (1, d); rewrite ?inE ?eqxx //=; ring.
- by exists (1, -d); rewrite ?inE ?eqxx ?orbT //=; ring.
- by exists (-1, d); rewrite ?inE ?eqxx ?orbT //=; ring.
- by exists (-1, -d); rewrite ?inE ?eqxx ?orbT //=; ring.
Qed.

(* If no corner gives more than M, some flow costs at most M. *)
Lemma flow_within q qs y M : path <%R q qs ->
  (forall z, z \in corners q qs -> y * z.1 + z.2 <= M) -> exists phi, cost phi y q qs <= M.
Proof.
elim: qs => [|q1 qs IH] in q y M * => sorted le_M.
  exists (fun=> 0); rewrite /= ler_norml ler_oppl opprD.
  have := le_M (1, b q); have := le_M (-1, - b q); rewrite !inE !eqxx orbT /= mulrN mulr1.
  by rewrite addrC => -> //; rewrite addrC => ->.
have /andP[qq1 sorted1] := sorted; have [z0 z0in] := corners_some sorted1.
have [r0 [s0 [_ s0in _ s0pos]]] := rows_slopes sorted z0in.
pose k (r : R * (R * R)) : R := r.2.1 * (b q + y) + r.2.2.
have [|v v_le] := @eliminate _ _ _ fst k M s0 s0in s0pos.
  move=> r s rin sin rneg spos.
  have := le_M _ (mem_corner rin sin rneg spos); apply: le_trans; rewrite le_eqVlt.
  by apply/orP; left; apply/eqP; rewrite /corner /k /mix /=; ring.
have [|phi phi_le] := IH q1 v (M - (`|b q + y - v| + `|v| * (q1 - q))) sorted1.
  move=> z zin; have [ue uein ->] := payment (b q + y - v) v (q1 - q).
  have := v_le _ (allpairs_f row zin uein); rewrite ler_subr_addl; apply: le_trans.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /k /=; ring.
exists (prepend q v phi); have vq : prepend q v phi q = v by rewrite /prepend eqxx.
rewrite /= vq (@cost_ext (prepend q v phi) phi) => [|a aq]; first by rewrite addrC -ler_subr_addr.
by rewrite /prepend gt_eqF ?(ahead sorted).
Qed.

(* The greatest second coordinate of a corner. *)
Definition best q qs : R := \big[Num.max/0]_(z <- corners q qs) z.2.

(* The function 0. *)
Lemma admissible0 qs : admissible (fun=> 0) qs.
Proof. by split=> [a|a c] *; rewrite ?subrr normr0 ?ler01. Qed.

(* Some function has it as its objective, ... *)
Lemma best_attained q qs : path <%R q qs ->
  exists2 f, admissible f (q :: qs) & objective f (q :: qs) = best q qs.
Proof.
move=> sorted; rewrite /best.
have [->|[z [zin _ ->]]] := seqmax_attained (corners q qs) predT snd.
  by exists (fun=> 0); [exact: admissible0|rewrite /objective big1 // => a _; rewrite mul0r].
by have [f [adm _ obj]] := cornersP sorted zin; exists f.
Qed.

(* ... and there is a flow of the same cost: strong duality. *)
Theorem strong_duality q qs : path <%R q qs -> exists phi, cost phi 0 q qs = best q qs.
Proof.
move=> sorted; have [|phi phi_le] := @flow_within q qs 0 (best q qs) sorted.
  by move=> z zin; rewrite mul0r add0r; exact: (seqmax_ge (P := predT) snd zin).
exists phi; apply/eqP; rewrite eq_le phi_le; have [f adm <-] := best_attained sorted.
by have := weak_duality phi 0 sorted adm; rewrite mul0r add0r.
Qed.

(* So no function has a greater objective, ... *)
Theorem best_max f q qs : path <%R q qs -> admissible f (q :: qs) ->
  objective f (q :: qs) <= best q qs.
Proof.
move=> sorted adm; have [phi <-] := strong_duality sorted.
by have := weak_duality phi 0 sorted adm; rewrite mul0r add0r.
Qed.

(* ... and no flow a lower cost. *)
Theorem best_min phi q qs : path <%R q qs -> best q qs <= cost phi 0 q qs.
Proof.
move=> sorted; have [f adm <-] := best_attained sorted.
by have := weak_duality phi 0 sorted adm; rewrite mul0r add0r.
Qed.
End Programme.
