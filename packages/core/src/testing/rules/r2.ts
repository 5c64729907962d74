/** R2: retries end, and none comes before its pause. */
import type { Command, CommandKind } from '../../machine/commands.ts';
import type { Policy } from '../../policy/policy.ts';
import { inHand } from '../../worker/task.ts';
import type { Worker } from '../../worker/worker.ts';
import type { Moment, Watch } from '../history.ts';
import { ended, isPersons, recordsOf, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** The budgets of R2. */
export const R2_BUDGETS: Rule = {
  letter: 'R2',
  holds: 'attempts stay within the budgets of incident and task, and each alternative is tried once',
  watch: withinBudgets,
};

/** The pauses of R2. */
export const R2_PAUSES: Rule = {
  letter: 'R2',
  holds: 'nothing is tried again before the pause that the policy asks for',
  watch: afterPauses,
};

/** Codes whose level 1 has no plan of its own, and so three attempts. */
const PLAIN: ReadonlySet<string> = new Set(['SESSION_ORPHANED', 'AGENT_API_ERROR', 'SERVER_OVERLOADED']);

/** Counts attempts by the records, so that a row that forgets to count is found. */
function withinBudgets(): Watch {
  let ofTask = 0;
  const ofIncident = new Map<string, { attempts: number; plain: number; tried: Set<string> }>();
  return (moment) => {
    const { before, ctx } = moment;
    const { maxTotalAttempts, maxAttemptsPerError } = ctx.policy.incident;
    if (isNewStart(moment)) {
      ofTask = 0;
      ofIncident.clear();
    }
    // A person's request spends no budget.
    if (isPersons(moment)) return null;
    for (const { incident, code, level, action, alternative } of recordsOf(moment, 'recovery')) {
      if (action.startsWith('wait ')) continue;
      const counted = ofIncident.get(incident) ?? { attempts: 0, plain: 0, tried: new Set<string>() };
      ofIncident.set(incident, counted);
      ofTask += before.task.kind === 'none' ? 0 : 1;
      counted.attempts += 1;
      if (level === 1 && PLAIN.has(code)) counted.plain += 1;
      if (ofTask > maxTotalAttempts) return `attempt ${ofTask} for one task: ${action}`;
      if (counted.attempts > maxTotalAttempts) return `attempt ${counted.attempts} in one incident: ${action}`;
      if (counted.plain > maxAttemptsPerError) return `attempt ${counted.plain} of level 1 against ${code}: ${action}`;
      const key = alternative === null ? null : JSON.stringify(alternative);
      if (key !== null && counted.tried.has(key)) return `tried twice in one incident: ${action}`;
      if (key !== null) counted.tried.add(key);
    }
    return null;
  };
}

/**
 * Tells whether counts start anew: after a person's request, another task, or the end of a returning move, because attempts on the other
 * machine do not count here.
 */
function isNewStart(moment: Moment): boolean {
  const { before, decision } = moment;
  const isBack = before.move.kind === 'returning' && decision.worker.move.kind === 'none';
  return isBack || isPersons(moment) || inHand(before.task)?.id !== inHand(decision.worker.task)?.id;
}

interface Pause {
  readonly what: string;
  readonly until: number;
}

function afterPauses(): Watch {
  const pauses = new Map<string, Pause>();
  let cool = 0;
  return (moment) => {
    const { before, ctx, decision } = moment;
    if (isNewStart(moment)) {
      pauses.clear();
      cool = 0;
    }
    const { id, attempts, lastAttemptAt } = decision.worker.incident.open ?? { id: '', attempts: 0, lastAttemptAt: 0 };
    const isFirst = attempts === 1 && before.incident.open?.id !== id;
    if (isFirst && lastAttemptAt < cool) return `the next incident is acted on ${cool - lastAttemptAt} ms too soon`;
    const started = pauseOf(moment, ctx.policy);
    if (started !== null) pauses.set(started.what, started);
    for (const { command } of decision.commands) {
      const pause = pauses.get(whatOf(command, decision.worker));
      if (pause !== undefined && ctx.now < pause.until) return `${pause.what} ${pause.until - ctx.now} ms too soon`;
    }
    if (recordsOf(moment, 'recovered').length > 0) cool = ctx.now + ctx.policy.incident.cooldownMs;
    return null;
  };
}

/** Names the object of a repeated command: the same text, the same start, or the same command in the same part of a move. */
function whatOf({ kind }: Command, { mailbox, move }: Worker): string {
  if (kind === 'deliver') return `text ${mailbox.current?.id ?? ''}`;
  if (kind === 'freeze' || kind === 'let-in') return `${kind} while ${move.kind}`;
  return kind === 'respawn' ? 'start' : kind;
}

/** Commands that are not repeated by themselves when they fail. */
const UNPAUSED: ReadonlySet<CommandKind> = new Set(['checkpoint', 'restore', 'answer']);

/** Returns the pause that this moment begins, from the events and the policy's numbers alone. */
function pauseOf(moment: Moment, policy: Policy): Pause | null {
  const { before, decision, ctx } = moment;
  const { crash, lostInput, partial, refused } = policy;
  if (decision.worker.session.crashes.count > before.session.crashes.count)
    return { what: 'start', until: ctx.now + crash.restartAfterMs };
  const inFlight = ended(moment);
  const result = resultOf(moment);
  if (inFlight === null || result === null) return null;
  const { command } = inFlight;
  if (result.kind === 'failed') {
    if (UNPAUSED.has(command.kind) || !result.retry) return null;
    return { what: whatOf(command, before), until: ctx.now + policy.command.retry.waitMs };
  }
  const { current } = before.mailbox;
  if (command.kind !== 'deliver' || current === null || current.text !== command.text) return null;
  const what = `text ${current.id}`;
  if (result.kind === 'lost') return { what, until: ctx.now + (lostInput[current.lost]?.waitMs ?? 0) };
  if (result.kind === 'partial') return { what, until: ctx.now + partial.waitMs };
  return result.kind === 'refused' ? { what, until: ctx.now + refused.waitMs } : null;
}
