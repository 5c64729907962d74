/** What do machines report that is not theirs to report? Nothing follows from it; it is counted, told once, and the doctor shows it. */
import type { Machine } from '@drover/store';
import type { Context } from '../context.ts';

/** Why nothing follows from a report, and how each is told. */
export const REFUSALS = {
  'foreign-worker': {
    level: 'warn',
    says: 'reports on a worker that has its seat on another machine',
  },
  'foreign-command': {
    level: 'warn',
    says: 'reports the end of a command that was given to another machine, or for another worker or number',
  },
  // Also said by honest machines: of a worker that was removed, or to a database that is a copy of the past.
  'unknown-command': {
    level: 'debug',
    says: 'reports the end of a command that is not on record any more',
  },
} as const;
/** Why nothing follows from a report. */
export type Refusal = keyof typeof REFUSALS;

/** What was told of a machine, and how often it came. By machine: there are as many as have joined. */
type Told = Map<string, Map<Refusal, number>>;

const told = new WeakMap<Context, Told>();

/** Counts it each time and tells it once: a machine that lies goes on lying. Call it after the commit. */
export function noteRefusal(ctx: Context, { id, name }: Machine, refusal: Refusal): void {
  ctx.counters?.refused(refusal);
  const machines: Told = told.get(ctx) ?? new Map();
  told.set(ctx, machines);
  const known = machines.get(id) ?? new Map<Refusal, number>();
  machines.set(id, known);
  const times = (known.get(refusal) ?? 0) + 1;
  known.set(refusal, times);
  const { level, says } = REFUSALS[refusal];
  if (times === 1) ctx.log(level, `The machine "${name}" ${says}: nothing follows from it`, { machineId: id, refusal });
}

/** What this replica has refused of a machine since it started, without what honest machines say as well. */
export function refusalsOf(
  ctx: Context,
  machineId: string,
): readonly { readonly says: string; readonly times: number }[] {
  return [...(told.get(ctx)?.get(machineId) ?? [])]
    .filter(([refusal]) => REFUSALS[refusal].level === 'warn')
    .map(([refusal, times]) => ({ says: REFUSALS[refusal].says, times }));
}
