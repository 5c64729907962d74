/** Handles the result of a command. Only the command in flight is heard: older results are late (R7). */
import { followClock } from '../decision/clock.ts';
import { happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { takeSetUp, takeSupplies } from '../decision/supplies.ts';
import type { Command, CommandKind, CommandResult, Failed, Success, Unknown } from '../machine/commands.ts';
import { belongsTo } from '../machine/commands.ts';
import { CHECKS_CANNOT_RUN, EXPIRED, MADE_WAY, OF_THE_MACHINE, SUPERSEDED } from '../machine/ends.ts';
import { stayHere } from '../placement/check-place.ts';
import { codeOfCommand } from '../recovery/command-codes.ts';
import { notBefore, onlyLog, showSign } from '../recovery/incident.ts';
import type { Failure } from '../recovery/incident.ts';
import { agentInterrupted, interruptFailed } from '../recovery/interrupt.ts';
import { recover } from '../recovery/ladder.ts';
import { requeueTexts } from '../recovery/mail.ts';
import { RETRIES } from '../recovery/plans.ts';
import { finishRestore } from '../recovery/restore.ts';
import { closeSession, leaveSession } from '../recovery/session-lost.ts';
import { countFailure, countFrom, countSuccess, forgetFailures, holdUntil, land } from '../worker/command.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { isLeaving, stateOf, want } from '../worker/lifecycle.ts';
import { dropReview, goTo } from '../merge/state.ts';
import { isAccepting, isCommanded } from '../merge/step.ts';
import { isMoving } from '../worker/move.ts';
import { startProgram } from '../worker/session.ts';
import { setResetDue } from '../worker/worktree.ts';
import { saveEnded, saveFailed, restoreFailed } from './checkpoint.ts';
import { deliveryEnded, deliveryUnknown } from './delivery.ts';
import { answerEnded, answerFailed, answerStale } from './dialog.ts';
import { checked } from './judge.ts';
import { mergeStepEnded } from '../merge/accept.ts';
import { mergeFailed } from '../merge/commands.ts';
import { isOfMove, moveStepFailed } from './moves/failed-step.ts';
import { placeFrozen, placeLetIn, restoredThere } from './moves/way.ts';
import { giveAfresh, waitForHome } from '../recovery/not-begun.ts';
import { checksCannotRun, resolutionJudged } from './rework.ts';
import { candidateEnded, checksEnded, rebaseEnded } from '../merge/review.ts';
import { placeSetUp, prepared, worktreeLost } from './worktree.ts';

/** A command that has ended, with its result. */
interface Ended<K extends CommandKind, R = Success<K>> {
  readonly command: Command<K>;
  readonly seq: number;
  readonly result: R;
}

/** Handler of each successful command: no result can answer a command of another kind. */
const CARRIED_OUT: { readonly [K in CommandKind]: (step: Step, ended: Ended<K>) => Step } = {
  prepare: (step, { result }) => prepared(step, result),
  'set-up': (step, { result }) => placeSetUp(step, result),
  open: (step, { result }) => opened(step, result),
  respawn: (step, { result }) => opened(step, result),
  close: closeSession,
  deliver: deliveryEnded,
  observe: (step, { command, result }) => checked(step, command, result),
  answer: (step, { result }) => answerEnded(step, result),
  interrupt: (step, { result }) => agentInterrupted(step, result),
  checkpoint: (step, { command, result }) => saveEnded(step, command, result),
  restore: (step, { result }) =>
    step.worker.move.kind === 'arriving'
      ? restoredThere(step, result)
      : finishRestore(takeSupplies(takeSetUp(step, result.setUp), result.supplies)),
  rebase: (step, { result }) => rebaseEnded(step, result),
  resolution: (step, { result }) => resolutionJudged(step, result),
  candidate: (step, { result }) => candidateEnded(step, result),
  validate: (step, { command, result }) => checksEnded(step, command, result),
  extend: noLongerMerging,
  publish: noLongerMerging,
  prove: noLongerMerging,
  recycle: noLongerMerging,
  freeze: (step, { result }) => placeFrozen(step, result),
  'let-in': placeLetIn,
  remove: (step, { result }) => removed(step, result),
};

/** Takes the result of the command in flight. A result under any other sequence number changes nothing. */
export function commandFinished(step: Step, { seq, result }: Extract<WorkerEvent, { kind: 'command-finished' }>): Step {
  const { command: slot } = step.worker;
  const { inFlight } = slot;
  if (inFlight === null || inFlight.seq !== seq) return rule(step, 'stale:command');
  const known = followClock(step, inFlight, result);
  if (result.kind === 'failed' && result.code === SUPERSEDED && (result.newestSeq ?? 0) > seq)
    return giveAfresh(set(known, { command: countFrom(land(slot), result.newestSeq ?? 0) }), inFlight.command, result);
  return concludeCommand(set(known, { command: land(slot) }), inFlight.command, { seq, result });
}

/** Commands of a merge. A merge may end while one of them runs: then nothing needs repair. */
const OF_MERGE: ReadonlySet<CommandKind> = new Set(['candidate', 'extend', 'validate', 'publish', 'prove']);

/** Codes that are no fault of the work, nor of the machine. */
const IS_NO_FAILURE: ReadonlySet<string> = new Set([EXPIRED, MADE_WAY]);

/** Draws the conclusions from a result; also used when a command is given up as unknown. */
export function concludeCommand(
  step: Step,
  command: Command,
  { seq, result }: { readonly seq: number; readonly result: CommandResult },
): Step {
  if (!belongsTo(command, result)) {
    // The machine's answer belongs to another command, so the outcome of this one is unknown.
    const why = `its machine answered "${result.kind}" to the command "${command.kind}"`;
    const misplaced = rule(step, `misplaced:${command.kind}:${result.kind}`);
    return concludeCommand(misplaced, command, { seq, result: { kind: 'unknown', why } });
  }
  if (result.kind === 'failed' && IS_NO_FAILURE.has(result.code)) return giveAfresh(step, command, result);
  const { merge } = step.worker;
  const isOver = OF_MERGE.has(command.kind) && !isCommanded(merge.step) && merge.step.kind !== 'reviewing';
  if (isOver && (result.kind === 'failed' || result.kind === 'unknown')) {
    const named = rule(step, `not-merging:${result.kind}`);
    // R2: a waiting accept begins with the same command, or reaches it at once. The accept sends the command after a pause.
    const isAgain = command.kind === 'candidate' || (command.kind === 'validate' && 'retry' in result && result.retry);
    return isAgain ? hold(named, step.ctx.now + step.ctx.policy.command.retry.waitMs) : named;
  }
  if (isOfMove(command.kind, step.worker.move)) {
    if (result.kind === 'unknown')
      return moveStepFailed(step, command, { code: 'unknown', message: result.why, retry: true, isKnown: false });
    if (result.kind === 'failed') return moveStepFailed(step, command, { ...result, isKnown: true });
  }
  if (result.kind === 'unknown') return outcomeUnknown(step, command, { seq, result });
  if (result.kind === 'failed') return failed(step, command, result);
  return succeeded(step, { command, seq, result });
}

function succeeded(before: Step, ended: Ended<CommandKind>): Step {
  const { command, result } = ended;
  const step = isSave(command) ? before : endFailures(before, command);
  const at = step.worker.merge.step;
  if (isCommanded(at) && command.kind !== 'observe') return mergeStepEnded(step, at, result);
  // `belongsTo` has seen that the result is one of this command.
  const carriedOut = CARRIED_OUT[command.kind] as (step: Step, ended: Ended<CommandKind>) => Step;
  return carriedOut(step, ended);
}

/** Commands that nothing waits for, whether or not they fail. */
function isSave({ kind }: Command): boolean {
  return kind === 'checkpoint' || kind === 'restore';
}

/** Ends the failures in a row once the failed command is carried out. Another command, such as a check in between, shows nothing of it. */
function endFailures(step: Step, { kind }: Command): Step {
  const { command, move } = step.worker;
  if (command.failures === 0) return step;
  const counted = set(step, { command: countSuccess(command, kind) });
  // A command that ends in the place that the worker leaves says nothing of the place that it goes to.
  return counted.worker.command.failures > 0 || isMoving(move) ? counted : showSign(counted, 'command-done');
}

/** Handles a new incarnation: the queue of the program before is gone. */
function opened(step: Step, result: Success<'open'>): Step {
  if (result.kind === 'pane-gone') return leaveSession(rule(step, 'pane-gone'));
  const begun = happen(rule(requeueTexts(step), 'opened'), 'session-opened');
  return set(begun, { session: startProgram(begun.worker.session, result.incarnation, step.ctx.now) });
}

/** Handles a step of a merge that was given up meanwhile. */
function noLongerMerging(step: Step, { result }: { readonly result: Success }): Step {
  return rule(step, `not-merging:${result.kind}`);
}

function removed(step: Step, result: Success<'remove'>): Step {
  if (result.kind === 'removed') return record(rule(step, 'removed'), { kind: 'gone' });
  return keepWorker(rule(step, 'not-removed'), `not removed: ${result.why}`, result.why);
}

function keepWorker(step: Step, why: string, told: string): Step {
  const kept = set(step, { lifecycle: want(step.worker.lifecycle, 'up') });
  return record(note(kept, why), { kind: 'notice', text: told });
}

/** Handles an unknown outcome. Commands are safe to repeat after a check; a delivery is looked for in its own way (R5). */
function outcomeUnknown(
  step: Step,
  command: Command,
  { seq, result: { why, receipt } }: { readonly seq: number; readonly result: Unknown },
): Step {
  switch (command.kind) {
    case 'deliver':
      return deliveryUnknown(step, command, { seq, receipt });
    case 'checkpoint':
      return saveFailed(rule(step, 'unknown:checkpoint'), command, why);
    case 'answer':
      return answerStale(rule(step, 'unknown:answer'));
    case 'interrupt':
      return interruptFailed(rule(step, 'unknown:interrupt'), { why, retry: true });
    default: {
      // R2: an unknown outcome spends the retry budget too.
      const counted = countFailure(step.worker.command, command.kind);
      const named = set(rule(step, `unknown:${command.kind}`), { command: counted });
      if (counted.failures <= RETRIES.command(step.ctx.policy).retriesMax) return named;
      return beyondRepair(forget(named), command, { code: codeOfCommand(command, 'timed-out'), why });
    }
  }
}

/** Holds a failed command and repeats it while the budget lasts. */
function failed(step: Step, command: Command, { code, message, retry }: Failed): Step {
  const named = rule(step, `failed:${command.kind}:${code}`);
  switch (command.kind) {
    case 'checkpoint':
      return saveFailed(named, command, message);
    case 'restore':
      return restoreFailed(named, message);
    case 'answer':
      return answerFailed(named, command, message);
    case 'interrupt':
      return interruptFailed(named, { why: message, retry });
    default:
      break;
  }
  if (code === 'worktree-missing') return worktreeLost(named);
  if (code === 'home-away') return waitForHome(named, message);
  if (code === 'checks-away' || code === 'checks-stay') return checkElsewhere(named, code, message);
  const { lifecycle, merge, command: slot } = step.worker;
  if (command.kind === 'validate' && CHECKS_CANNOT_RUN.has(code) && !isAccepting(merge.step))
    return checksCannotRun(named, message);
  const { now, policy } = step.ctx;
  // The pause is that of commands, whatever the code of the failure.
  const { firstDelayMs: waitMs, retriesMax } = RETRIES.command(policy);
  const counted = countFailure(slot, command.kind);
  const failure = {
    code: codeOfCommand(command, code),
    why: `"${command.kind}" failed: ${message}`,
    details: message,
  };
  // A text waits for the rebase, and goes on without it.
  if (command.kind === 'rebase' && merge.step.kind !== 'reviewing' && lifecycle.status !== 'needs_review')
    return hold(leaveReview(onlyLog(named, failure)), now + waitMs);
  if (!retry || counted.failures > retriesMax) return beyondRepair(forget(named), command, failure);
  const at = notBefore(step, now + waitMs);
  const isWait = OF_THE_MACHINE.has(code);
  const repeat = `repeat "${command.kind}"`;
  return recover(note(hold(set(named, { command: counted }), at), failure.why), failure, {
    counts: 'caller',
    attempt: { action: isWait ? `wait ${at - now} ms, then ${repeat}` : `${repeat} in ${at - now} ms`, at, isWait },
    act: (known) => known,
  });
}

/** Runs the checks on another machine, because nothing is wrong with the work or its machine. R2: after a pause. */
function checkElsewhere(step: Step, code: 'checks-away' | 'checks-stay', why: string): Step {
  const { merge } = step.worker;
  const at = merge.step;
  const held = hold(note(rule(step, `accept:${code}`), why), step.ctx.now + step.ctx.policy.command.retry.waitMs);
  if (at.kind !== 'checking') return held;
  const on = code === 'checks-stay' && at.on !== null ? stayHere(at.on, why) : null;
  return set(held, { merge: goTo(merge, { ...at, on }) });
}

function beyondRepair(step: Step, command: Command, failure: Failure): Step {
  const { merge, lifecycle } = step.worker;
  const { wanted } = lifecycle;
  const { why } = failure;
  const { now, policy } = step.ctx;
  const soon = now + policy.command.retry.waitMs;
  const later = now + policy.checkEveryMs;
  if (isLeaving(lifecycle)) return notRemoved(onlyLog(step, failure), command, why);
  // A step of a merge would fail again and again, even if the worker is wanted down afterwards.
  if (isAccepting(merge.step) && (OF_MERGE.has(command.kind) || wanted === 'up')) {
    const stopped = mergeFailed(onlyLog(step, failure), why);
    return wanted === 'up' ? hold(stopped, soon) : stopped;
  }
  if (wanted === 'down') return hold(onlyLog(step, failure), later);
  // The work waits for review all the same. R2: the step does not begin again at once.
  const isOfReview = command.kind === 'rebase' || command.kind === 'candidate' || command.kind === 'validate';
  if (isOfReview && stateOf(lifecycle) === 'needs_review')
    return hold(note(leaveReview(onlyLog(step, failure)), why), soon);
  const then = recover(note(step, why), failure, null);
  // The task begins at the worker's destination as it would have here.
  if (isMoving(then.worker.move)) return hold(then, soon);
  const asked = set(then, { worktree: setResetDue(then.worker.worktree, false) });
  // Retries while a person is asked run at leisure (R2).
  return hold(asked, asked.worker.worktree.place.kind === 'none' ? later : soon);
}

/** Handles a failed command from before the removal, which goes on. R2: the removal may come again if nothing is removed. */
function notRemoved(step: Step, { kind }: Command, why: string): Step {
  const held = hold(step, step.ctx.now + step.ctx.policy.command.retry.waitMs);
  return kind === 'close' || kind === 'remove' ? keepWorker(held, why, `not removed: ${why}`) : held;
}

function leaveReview(step: Step): Step {
  return set(step, { merge: dropReview(step.worker.merge) });
}

function forget(step: Step): Step {
  return set(step, { command: forgetFailures(step.worker.command) });
}

function hold(step: Step, at: number): Step {
  return set(step, { command: holdUntil(step.worker.command, at) });
}
