/** Handles a machine that falls silent, returns or is removed. */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { dismissMembers } from '../merge/commands.ts';
import { logFailure, openIncident, setEscalated, showSign } from '../recovery/incident.ts';
import { escalate } from '../recovery/questions.ts';
import { duration } from '../taxonomy/wording.ts';
import type { Incident, QuestionOption } from '../worker/incident.ts';
import { setClock } from '../worker/turn.ts';
import { needsLease } from '../merge/step.ts';

/** Answers that a person can give when the machine is gone. */
const MACHINE_OPTIONS: readonly QuestionOption[] = [{ id: 'wait', label: 'Wait for the machine', needsText: false }];

/**
 * Handles a machine that was silent for longer than its lease. Another worker may merge; git's compare-and-swap keeps late commands of the
 * lost machine harmless. No other worker replaces this one; if it has a task, a person is asked.
 */
export function machineLost(before: Step, { silentMs, why: said }: { silentMs: number; why?: string }): Step {
  const step = freeLease(before);
  const { incident, task, lifecycle } = step.worker;
  const { open } = incident;
  // A worker in error has asked already, or waits for its answer to be carried out: that question stays open.
  const isAsked = open !== null && (open.escalated || open.code === 'MACHINE_LOST' || lifecycle.status === 'error');
  if (isAsked) return rule(step, 'machine-lost:known');
  const lost = said === undefined ? `has been silent for ${duration(silentMs)}` : said;
  const why = `its machine ${lost}; Drover does not start the worker on another machine`;
  const failure = { code: 'MACHINE_LOST', why, durationMs: silentMs } as const;
  const known = logFailure(openIncident(rule(step, 'machine-lost'), failure), failure, 'escalate');
  if (task.kind === 'none') return known;
  return escalate(known, { kind: 'choice', title: why, body: '', options: MACHINE_OPTIONS });
}

function freeLease(step: Step): Step {
  if (step.ctx.merge?.lease !== 'mine' || !needsLease(step.worker.merge.step)) return step;
  return record(rule(step, 'machine-lost:lease'), { kind: 'lease', action: 'release' });
}

/** Ends the incident of a machine that speaks again, and gives the agent its time to go on. */
export function machineBack(before: Step, open: Incident): Step {
  const { turn } = before.worker;
  const step = set(before, { turn: setClock(turn, Math.max(turn.progress.at, before.ctx.now)) });
  const answered = open.escalated
    ? record(step, { kind: 'escalation-closed', incident: open.id, how: 'resolved', option: null })
    : step;
  return showSign(setEscalated(rule(answered, 'machine-back'), false), 'command-done');
}

/** Drops the worker. No command is issued: its session, worktree and branch stay on the machine as they are. */
export function machineRemoved(step: Step): Step {
  const told = dismissMembers(rule(step, 'machine-removed'), 'the worker that led its merge train is gone');
  const free = step.ctx.merge?.lease === 'mine' ? record(told, { kind: 'lease', action: 'release' }) : told;
  return record(free, { kind: 'gone' });
}
