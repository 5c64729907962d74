/** Handles a deadline that passed. A deadline that is not armed and due changes nothing, so a repeated one is harmless (R8). */
import { become, disarm, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { timeLimitOf } from '../policy/policy.ts';
import type { Policy } from '../policy/policy.ts';
import { codeOfCommand } from '../recovery/command-codes.ts';
import { dialogOf } from '../recovery/dialogs.ts';
import { notBefore, onlyLog } from '../recovery/incident.ts';
import { recover } from '../recovery/ladder.ts';
import { mayRetry } from '../recovery/plans.ts';
import { wantCheckpoint } from '../recovery/save.ts';
import { renewAgent, SAME_AGENT } from '../recovery/second-signal.ts';
import { awaitLonger, holdUntil, land } from '../worker/command.ts';
import type { InFlight } from '../worker/command.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import { isMerging } from '../merge/state.ts';
import { awaitPrompt, countAsUp, countStarts, seenOf, startUpMs } from '../worker/session.ts';
import type { LivingPane, Session } from '../worker/session.ts';
import { setClock, setJudgeDue } from '../worker/turn.ts';
import { pauseOver } from './account.ts';
import { askAboutBackground } from './background.ts';
import { handBackOver } from './budget.ts';
import { troubleOver } from './agent-error.ts';
import { lackProgress } from './progress.ts';
import { turnBack } from './moves/turn-back.ts';
import { concludeCommand } from './results.ts';

/** Handler of each passed deadline. A deadline that changes nothing here leads to the next command. */
const PASSED: Readonly<Record<DeadlineName, (step: Step) => Step>> = {
  command: (step) => {
    const { inFlight } = step.worker.command;
    return inFlight === null ? step : overdue(step, inFlight);
  },
  'start-up': startedTooSlowly,
  settle: (step) => {
    const { session, turn } = step.worker;
    return seenOf(session)?.state.kind === 'ready' ? set(step, { turn: setJudgeDue(turn, true) }) : step;
  },
  check: (step) => set(step, { turn: setJudgeDue(step.worker.turn, true) }),
  nudge: lackProgress,
  background: askAboutBackground,
  trouble: troubleOver,
  checkpoint: (step) =>
    step.worker.checkpoint.due === null ? wantCheckpoint(step, 'periodic', 'once a minute while files change') : step,
  account: pauseOver,
  move: (step) => turnBack(step, 'it took too long'),
  'hand-back': handBackOver,
  restart: unchanged,
  delivery: unchanged,
  hold: unchanged,
  accept: unchanged,
};

/**
 * Handlers of deadlines that passed while nobody watched. An overdue answer had no time, or could not be heard, so the worker waits for it
 * once more.
 */
const UNWATCHED: Readonly<Partial<Record<DeadlineName, (step: Step) => Step>>> = {
  command: (step) => {
    const { inFlight } = step.worker.command;
    return inFlight === null ? step : awaitCommand(step, inFlight, inFlight.overdue);
  },
  'start-up': (step) => {
    const { pane, startFailures } = step.worker.session;
    return pane.kind === 'starting' ? awaitAgain(step, pane, startFailures) : step;
  },
  nudge: (step) => set(step, { turn: setClock(step.worker.turn, step.ctx.now) }),
};

/** Disarms a deadline and handles it. */
export function deadlineExpired(step: Step, name: DeadlineName): Step {
  const due = step.worker.deadlines[name];
  if (due === undefined || step.ctx.now < due) return rule(step, `stale:deadline:${name}`);
  const passed = disarm(rule(step, `deadline:${name}`), name);
  const again = step.ctx.now - due >= step.ctx.policy.unwatchedMs ? UNWATCHED[name] : undefined;
  return again === undefined ? PASSED[name](passed) : again(rule(passed, `unwatched:${name}`));
}

function unchanged(step: Step): Step {
  return step;
}

/** Handles a missing result. While the machine is disconnected a missing result says nothing; otherwise the outcome is unknown. */
function overdue(step: Step, inFlight: InFlight): Step {
  const { now, policy, machineConnected } = step.ctx;
  const { overdueMax } = policy.command;
  const { command: slot } = step.worker;
  const { command, since } = inFlight;
  const count = inFlight.overdue + 1;
  if (!machineConnected || count < overdueMax) {
    return awaitCommand(step, inFlight, machineConnected ? count : inFlight.overdue);
  }
  const durationMs = now - since;
  const why = `no answer to "${command.kind}" from the machine in ${Math.round(durationMs / 1_000)} s`;
  const landed = note(set(rule(step, 'overdue'), { command: land(slot) }), why);
  const late = onlyLog(landed, { code: codeOfCommand(command, 'timed-out'), why, durationMs });
  return concludeCommand(late, command, { seq: inFlight.seq, result: { kind: 'unknown', why } });
}

function awaitCommand(step: Step, inFlight: InFlight, overdue: number): Step {
  const dueAt = step.ctx.now + timeLimitOf(step.ctx.policy, inFlight.command.kind);
  return set(step, { command: awaitLonger(step.worker.command, inFlight, { dueAt, overdue }) });
}

function startedTooSlowly(step: Step): Step {
  const { worker, ctx } = step;
  const { session } = worker;
  const { pane } = session;
  if (pane.kind !== 'starting') return step;
  // The worker's work is being merged: that needs no agent, and the session is closed afterwards anyway.
  if (isMerging(worker.merge))
    return upWithoutPrompt(set(rule(step, 'start-up:while-merging'), { session: countAsUp(session, ctx.now) }));
  // A person works there, is asked already, or has an answer on its way: the agent is not started over and over meanwhile.
  const isWithPerson = worker.lifecycle.takenOver || worker.incident.open?.escalated === true;
  if (isWithPerson || worker.dialog.inHand?.by === 'person')
    return upWithoutPrompt(set(rule(step, 'start-up:person-asked'), { session: countAsUp(session) }));
  // The agent was not seen meanwhile, or asks something: Drover answers the question, or asks a person.
  if (!ctx.machineConnected) return awaitAgain(rule(step, 'start-up:machine-away'), pane, session.startFailures);
  if (pane.seen !== null && dialogOf(pane.seen.state) !== null)
    return awaitAgain(rule(step, 'start-up:dialog'), pane, session.startFailures);
  const mayGoOn = mayRetry('AGENT_SPAWN_FAILED', { spent: session.startFailures, policy: ctx.policy });
  // The program runs, and is only slow: the second wait is for the same program, and spends no attempt.
  if (mayGoOn && session.startFailures === 0) return waitLonger(step, pane);
  const failure = {
    code: 'AGENT_SPAWN_FAILED',
    why: tooSlow(session, ctx.policy),
    durationMs: ctx.now - pane.since,
  } as const;
  // A start by a person, or by Drover after a lost session, has a budget of its own.
  if (!mayGoOn) return recover(set(step, { session: countStarts(countAsUp(session, ctx.now), 0) }), failure, null);
  const at = notBefore(step, ctx.now);
  const awaited = countStarts(awaitPrompt(session, pane, ctx.now), session.startFailures + 1);
  return recover(set(step, { session: awaited }), failure, {
    counts: 'incident',
    attempt: { action: 'start it again', at },
    act: (known) => {
      const { command } = known.worker;
      const held = set(note(known, failure.why), {
        command: holdUntil(command, at > ctx.now ? at : worker.command.holdUntil),
      });
      // R3: a fresh check must agree that no prompt is there.
      return renewAgent(held, SAME_AGENT);
    },
  });
}

function waitLonger(step: Step, pane: LivingPane): Step {
  const { session } = step.worker;
  const { policy } = step.ctx;
  const longer = awaitAgain(rule(step, 'start-up:longer'), pane, session.startFailures + 1);
  const { session: next } = longer.worker;
  return note(longer, `${tooSlow(session, policy)}; it runs, so it gets ${startUpMs(next, policy) / 1_000} s more`);
}

function awaitAgain(step: Step, pane: LivingPane, failures: number): Step {
  const { worker, ctx } = step;
  return set(step, { session: countStarts(awaitPrompt(worker.session, pane, ctx.now), failures) });
}

/** Says which number is to be changed for a program that needs longer. */
function tooSlow(session: Session, policy: Policy): string {
  const first = policy.startUp.timeoutMs;
  return `its agent showed no prompt within ${startUpMs(session, policy) / 1_000} s (policy startUp.timeoutMs = ${first}, doubled with each wait: if it needs longer, raise it under [policy.startUp] in drover.toml)`;
}

/** Brings the worker back. Its program counts as up from now on, so a later prompt would not do so. */
function upWithoutPrompt(step: Step): Step {
  const { status, before } = step.worker.lifecycle;
  return status === 'offline' ? become(step, before, 'its session runs but shows no prompt') : step;
}
