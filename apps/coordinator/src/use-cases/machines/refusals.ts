/** Reports of machines about what is not theirs. Nothing follows from them; they are counted, logged once, and the doctor shows them. */
import type { Machine } from '@drover/store';
import type { Context } from '../context.ts';
import { REFUSALS } from './refused-reports.ts';
import type { Refusal } from './refused-reports.ts';

/** What was told of a machine, and how often it came. By machine: there are as many as have joined. */
type Told = Map<string, Map<Refusal, number>>;

const told = new WeakMap<Context, Told>();

/** Counts each refusal and logs the first: a machine that lies goes on lying. Call it after the commit. */
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
