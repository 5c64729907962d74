/**
 * Decides who is called about a question, and when: a pure function of the steps so far. X5: an asking calls a place once for each step. X6: a
 * question that waits and is not held back has a step to come, or all of its steps were done. X7: an answer or an acknowledgement ends the
 * steps, because nothing is due any more. X9: a default answer is only named here; it is given as a person's is.
 */
import type { ErrorSeverity } from '../taxonomy/definition.ts';
import type { OncallAct } from './acts.ts';
import {
  ACK_LAPSE_MS,
  ALARM_MS,
  ANEW_MIN_MS,
  EVERYWHERE,
  HELD_GATHER_MS,
  isAsGrave,
  REACH_MS,
  ROUND_GAP_MS,
} from './policy.ts';
import type { OncallPolicy } from './policy.ts';
import { quietEnd } from './quiet.ts';

/** Progress of the calls about a question, stored beside it. Times are epoch milliseconds. */
export interface Oncall {
  /** Policy of the time of the question: a change of the file holds for later questions. */
  readonly policy: OncallPolicy;
  /** Number of steps done in this run, over all rounds. */
  readonly step: number;
  /** Start of this run of the steps. */
  readonly beganAt: number;
  /** Null: all steps of all rounds were done. */
  readonly nextStepAt: number | null;
  /** Start of the quiet hours or silence that hold the step back. */
  readonly heldSince: number | null;
  readonly snoozedUntil: number | null;
  /** Time to remind the person who acknowledged the question; null: reminded already, or not acknowledged. */
  readonly remindAt: number | null;
  /** End of an acknowledgement. */
  readonly lapseAt: number | null;
  readonly timeoutAt: number | null;
  /** Times to judge whether the calls of this run arrive; null before the first call. */
  readonly watch: Watch | null;
}

/** Times at which Drover judges whether calls arrive. Epoch milliseconds. */
export interface Watch {
  /** Time to judge whether a place shows the latest call; null: judged already. */
  readonly judgeAt: number | null;
  /** Time to judge whether any place shows the question; null: one does, or the alarm is out. */
  readonly alarmAt: number | null;
}

/** State of a question on the places that show it. */
export interface Reach {
  /** True if a place that the latest step names shows its call. */
  readonly isShown: boolean;
  /** True if the next step of this round names a place that the latest does not. */
  readonly isNextElsewhere: boolean;
  /** True if some place shows the question that it was called for. */
  readonly isAnywhere: boolean;
  /** True if there is a place at all. */
  readonly hasPlaces: boolean;
}

/** Facts from the row of the question. */
export interface Asked {
  readonly status: 'open' | 'acked' | 'over';
  readonly severity: ErrorSeverity;
  /** End of the longest silence that the question falls under, epoch milliseconds; null: none. */
  readonly silencedUntil: number | null;
  /** Absent: not known, so whether calls arrive is judged later. */
  readonly reach?: Reach;
}

/** Outcome of a moment. */
export interface OncallMoment {
  readonly oncall: Oncall;
  readonly acts: readonly OncallAct[];
  /** Time to look again, epoch milliseconds; null: never by itself. */
  readonly dueAt: number | null;
}

/** Begins the calls about a question. `settlesMs`: time that the first step waits for others of the same cause. */
export function beginOncall(policy: OncallPolicy, now: number, settlesMs: number): Oncall {
  const { timeout } = policy;
  return {
    policy,
    step: 0,
    beganAt: now,
    nextStepAt: firstStepAt(policy, now + settlesMs),
    heldSince: null,
    snoozedUntil: null,
    remindAt: null,
    lapseAt: null,
    timeoutAt: timeout === null || timeout.answer === 'wait' ? null : now + timeout.afterMs,
    watch: null,
  };
}

/** Asks a question anew, or as a graver one: the steps begin again, or the person who looks at it is reminded. */
export function askOncallAnew(oncall: Oncall, now: number): Oncall {
  const { policy, beganAt, snoozedUntil, lapseAt, remindAt } = oncall;
  if (lapseAt !== null) return remindAt === null ? oncall : { ...oncall, remindAt: Math.min(remindAt, now) };
  const isJustBegun = now >= beganAt && now - beganAt < ANEW_MIN_MS;
  return isJustBegun ? oncall : { ...beginOncall(policy, now, 0), snoozedUntil };
}

/** Begins the steps anew for a question whose answer did not help, or that its acknowledger never answered. */
export function reopenOncall({ policy }: Pick<Oncall, 'policy'>, now: number): Oncall {
  return beginOncall(policy, now, 0);
}

/** Acknowledges the question: the steps stop (X7), and the person is reminded later. */
export function ackOncall(oncall: Oncall, now: number): Oncall {
  const remindAt = now + oncall.policy.ackReminderMs;
  return {
    ...oncall,
    nextStepAt: null,
    heldSince: null,
    snoozedUntil: null,
    remindAt,
    lapseAt: remindAt + ACK_LAPSE_MS,
    watch: null,
  };
}

/** Holds all calls back until then. The question stays open, and its acknowledgement ends. */
export function snoozeOncall(oncall: Oncall, until: number): Oncall {
  return {
    ...oncall,
    snoozedUntil: until,
    nextStepAt: null,
    heldSince: null,
    remindAt: null,
    lapseAt: null,
    watch: null,
  };
}

/** Makes the next step due now, despite any hold. */
export function hurryOncall(oncall: Oncall, now: number): Oncall {
  const { steps } = oncall.policy;
  const hasNext = oncall.step < roundsOf(oncall.policy) * steps.length;
  return {
    ...oncall,
    step: hasNext ? oncall.step : 0,
    nextStepAt: steps.length === 0 ? null : now,
    heldSince: null,
    snoozedUntil: null,
    remindAt: null,
    lapseAt: null,
  };
}

/** Makes the next step due now, because no place will show the latest call. */
export function noteUnreached(oncall: Oncall, now: number): Oncall {
  const { watch } = oncall;
  return watch?.judgeAt == null ? oncall : { ...oncall, watch: { ...watch, judgeAt: Math.min(watch.judgeAt, now) } };
}

/** Returns the acts that are due at a moment. Safe to call at any time, too early or too late. */
export function oncallAt(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  if (asked.status === 'over') return { oncall, acts: [], dueAt: null };
  const { timeoutAt, policy } = oncall;
  if (timeoutAt !== null && timeoutAt <= now && policy.timeout !== null && policy.timeout.answer !== 'wait') {
    // If there is no such answer, the question goes on waiting for a person.
    const next = { ...oncall, timeoutAt: null };
    return { oncall: next, acts: [{ kind: 'answer', answer: policy.timeout.answer }], dueAt: dueOf(next, asked, now) };
  }
  if (oncall.snoozedUntil !== null) return afterSnooze(oncall, asked, now);
  return asked.status === 'acked' ? whileAcked(oncall, asked, now) : stepAt(oncall, asked, now);
}

function afterSnooze(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  const { snoozedUntil, policy } = oncall;
  if (snoozedUntil !== null && now < snoozedUntil) return still(oncall, asked, now);
  const again: Oncall = { ...oncall, snoozedUntil: null, step: 0, beganAt: now, nextStepAt: firstStepAt(policy, now) };
  return stepAt(again, asked, now);
}

function whileAcked(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  const { lapseAt, remindAt, policy } = oncall;
  if (lapseAt !== null && lapseAt <= now) {
    const open: Asked = { ...asked, status: 'open' };
    const again = { ...beginOncall(policy, now, 0), timeoutAt: oncall.timeoutAt };
    const next = stepAt(again, open, now);
    return { ...next, acts: [{ kind: 'reopen' }, ...next.acts] };
  }
  if (remindAt === null || remindAt > now) return still(oncall, asked, now);
  const until = heldUntil(oncall, asked, now);
  if (until > now) {
    // A reminder that quiet hours hold back moves the lapse with it.
    const later = { ...oncall, remindAt: until, lapseAt: until + ACK_LAPSE_MS };
    return still(later, asked, now);
  }
  const reminded: Oncall = { ...oncall, remindAt: null, lapseAt: now + ACK_LAPSE_MS };
  const notify = policy.steps[0]?.notify ?? [];
  return { oncall: reminded, acts: [{ kind: 'call', why: 'reminder', notify }], dueAt: dueOf(reminded, asked, now) };
}

function stepAt(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  const { nextStepAt, policy, step } = oncall;
  if (nextStepAt === null || nextStepAt > now) return watched(oncall, asked, now);
  const until = heldUntil(oncall, asked, now);
  if (until > now) {
    const held = { ...oncall, nextStepAt: until, heldSince: oncall.heldSince ?? now };
    return still(held, asked, now);
  }
  const next = policy.steps[step % policy.steps.length];
  // Counts from the time of the act, not from its due time: after a clock that jumped, the steps are still apart.
  const done: Oncall = {
    ...oncall,
    step: step + 1,
    heldSince: null,
    nextStepAt: stepAfter(policy, step, now),
    watch: watchOf(oncall, now),
  };
  const gathers = oncall.heldSince === null ? {} : { gatherUntil: nextStepAt + HELD_GATHER_MS };
  const why = step === 0 ? 'asked' : 'step';
  const acts: readonly OncallAct[] = next === undefined ? [] : [{ kind: 'call', why, notify: next.notify, ...gathers }];
  return { oncall: done, acts, dueAt: dueOf(done, asked, now) };
}

/** Gives the present call its minute, also before an alarm. */
function watchOf({ watch }: Oncall, now: number): Watch {
  const judgeAt = now + REACH_MS;
  if (watch == null) return { judgeAt, alarmAt: now + ALARM_MS };
  return { judgeAt, alarmAt: watch.alarmAt === null ? null : Math.max(watch.alarmAt, judgeAt) };
}

/** X6: brings the next step at once after a call that no place shows; announces a question that no place shows everywhere, once. */
function watched(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  const { watch, policy, step, nextStepAt } = oncall;
  const { reach } = asked;
  if (watch == null || reach === undefined) return still(oncall, asked, now);
  if (reach.isShown) return still({ ...oncall, watch: NOT_WATCHED }, asked, now);
  const isDue = watch.judgeAt !== null && watch.judgeAt <= now;
  const judgeAt = isDue ? null : watch.judgeAt;
  const judged: Oncall = { ...oncall, watch: { ...watch, judgeAt } };
  // Between rounds the pause stays: a fleet that no place reaches does not use up its calls.
  if (isDue && reach.isNextElsewhere && nextStepAt !== null && step % policy.steps.length !== 0)
    return stepAt({ ...judged, nextStepAt: now }, asked, now);
  if (watch.alarmAt === null || watch.alarmAt > now) return still(judged, asked, now);
  const until = reach.isAnywhere || !reach.hasPlaces ? now : heldUntil(oncall, asked, now);
  const rung: Oncall = { ...judged, watch: { judgeAt, alarmAt: until > now ? until : null } };
  if (until > now || reach.isAnywhere || !reach.hasPlaces) return still(rung, asked, now);
  const alarm: OncallAct = { kind: 'call', why: 'alarm', notify: [EVERYWHERE] };
  return { oncall: rung, acts: [alarm], dueAt: dueOf(rung, asked, now) };
}

const NOT_WATCHED: Watch = { judgeAt: null, alarmAt: null };

/** Returns the end of the hold on calls; `now`: none. */
function heldUntil({ policy }: Oncall, { severity, silencedUntil }: Asked, now: number): number {
  const quiet = policy.quiet !== null && isAsGrave(severity, policy.quiet.through) ? now : quietEnd(policy, now);
  return Math.max(now, quiet, silencedUntil ?? now);
}

function still(oncall: Oncall, asked: Asked, now: number): OncallMoment {
  return { oncall, acts: [], dueAt: dueOf(oncall, asked, now) };
}

/** Returns the next due time. A past time is due now: a moment too early for one part may be due for the other. */
function dueOf(
  { snoozedUntil, nextStepAt, remindAt, lapseAt, timeoutAt, watch }: Oncall,
  { status }: Asked,
  now: number,
): number | null {
  const waiting = [nextStepAt, watch?.judgeAt ?? null, watch?.alarmAt ?? null];
  const own = snoozedUntil !== null ? [snoozedUntil] : status === 'acked' ? [remindAt, lapseAt] : waiting;
  const times = [...own, timeoutAt].filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(now, Math.min(...times));
}

function roundsOf({ repeat }: OncallPolicy): number {
  return repeat + 1;
}

function firstStepAt({ steps }: OncallPolicy, now: number): number | null {
  const [first] = steps;
  return first === undefined ? null : now + first.afterMs;
}

/** Returns the time of the step behind this one, if this one is done now. */
function stepAfter(policy: OncallPolicy, step: number, now: number): number | null {
  const { steps } = policy;
  if (step + 1 >= roundsOf(policy) * steps.length) return null;
  const index = step % steps.length;
  const [own, next] = [steps[index]?.afterMs ?? 0, steps[index + 1]?.afterMs];
  return next === undefined ? now + ROUND_GAP_MS + (steps[0]?.afterMs ?? 0) : now + Math.max(0, next - own);
}
