/** Hears of accounts, usage and deadlines. A limit is one event of an account, and spends no try (W11). */
import type { RunEvent } from '../event.ts';
import { allItems, findItem } from '../find.ts';
import type { Item, RunDeadlineName } from '../run.ts';
import { change, ignore, record, rule, setItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { giveUp } from './away.ts';
import { afterHandBack } from './budgets.ts';
import { pin } from './ended.ts';
import { pinAgain } from './outcomes.ts';

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

export function accountChanged(step: RunStep, { account, isLimited, until }: EventOf<'account-changed'>): RunStep {
  const { [account]: known, ...others } = step.run.limited;
  if (isLimited) return change(rule(step, 'account:limited'), { limited: { ...others, [account]: until } });
  const waiting = allItems(step.run).filter(({ progress }) => {
    return progress.kind === 'waiting' && progress.on === 'account' && (progress.account ?? account) === account;
  });
  // Work may wait for an account whose limit was only told with a refusal to place it.
  if (known === undefined && waiting.length === 0)
    return ignore(step, 'account-changed', `Account ${account} was open.`);
  const opened = change(rule(step, 'account:open'), { limited: others, ramp: firstStart(step) });
  return waiting.reduce((so, { name }) => wait(so, name, { on: 'turn', why: 'Its account is open again.' }), opened);
}

/** Allows one start after a limit: it shows whether the limit is over. */
function firstStart({ ctx }: RunStep): NonNullable<RunStep['run']['ramp']> {
  return { left: 1, size: 1, nextAt: ctx.now + ctx.policy.run.rampMs };
}

/** Hears that a worker waits for a person, or goes on. No time is counted meanwhile. */
export function workerAsks(step: RunStep, { workerId, text }: EventOf<'worker-asks'>): RunStep {
  return allItems(step.run).reduce((so, { name, worker, progress }) => {
    if (worker?.workerId !== workerId || progress.kind !== 'running') return so;
    const { asks, ...running } = progress;
    if ((asks ?? null) === text) return so;
    const told = rule(so, text === null ? 'worker:goes-on' : 'worker:asks');
    return setItem(told, name, { progress: text === null ? running : { ...running, asks: text } });
  }, step);
}

/** Counts what an attempt has used: the largest sum that was told of each count. */
export function used(step: RunStep, { item: name, attempt, since, usage }: EventOf<'usage'>): RunStep {
  const item = findItem(step.run, name);
  if (item === null || attempt < 1 || attempt > item.attempt)
    return ignore(step, 'usage', 'No such attempt was begun.');
  const count = `${attempt} ${since}`;
  const before = item.usage[count];
  const now = {
    input: Math.max(usage.input, before?.input ?? 0),
    cached: Math.max(usage.cached, before?.cached ?? 0),
    output: Math.max(usage.output, before?.output ?? 0),
    money: most(usage.money, before?.money),
  };
  return setItem(rule(step, 'usage'), name, { usage: { ...item.usage, [count]: now } });
}

/** Acts on what is due. What an early or late deadline finds not due is left alone. */
export function deadlineExpired(step: RunStep, name: RunDeadlineName): RunStep {
  const told = rule(step, `deadline:${name}`);
  switch (name) {
    case 'hand-back':
      return allItems(told.run).reduce(endHandBack, told);
    case 'retry':
      return allItems(told.run).reduce((so, item) => giveUp(pinAgain(so, item), item), told);
    case 'ramp':
      return doubleStarts(told);
    case 'remind':
      return told.run.paused === null
        ? told
        : record(told, { kind: 'notice', text: `The run is paused by ${told.run.paused.by}: drover run resume.` });
    case 'budget':
      return told;
  }
}

function endHandBack(step: RunStep, { name, progress }: Item): RunStep {
  const isDue =
    progress.kind === 'running' && progress.handBackUntil !== null && progress.handBackUntil <= step.ctx.now;
  return isDue ? pin(step, name, { commit: null, next: afterHandBack(step.run, name, true) }) : step;
}

function doubleStarts(step: RunStep): RunStep {
  const { ramp, terms } = step.run;
  if (ramp === null || ramp.nextAt > step.ctx.now) return step;
  const size = ramp.size * 2;
  if (size > terms.flow.budget.workers) return change(step, { ramp: null });
  return change(step, { ramp: { left: size, size, nextAt: step.ctx.now + step.ctx.policy.run.rampMs } });
}

function most(one: number | null, other: number | null | undefined): number | null {
  return one === null ? (other ?? null) : Math.max(one, other ?? 0);
}
