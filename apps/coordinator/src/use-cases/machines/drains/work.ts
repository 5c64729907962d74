/** Takes the next step of each worker that must leave a machine, until none is left, or the drain is ended. */
import type { WorkerEvent } from '@drover/core';
import type { Cause, Chosen, Drain, DueWork, Machine, WorkerRow } from '@drover/store';
import { z } from 'zod';
import { Waiters } from '../../../context/waiters.ts';
import type { Context } from '../../../context/context.ts';
import { handleEvent } from '../../../loop/handle-events.ts';
import { askOnce } from '../../../facts/machines/query.ts';
import { machinesFor, whyNotTo } from '../../../facts/placement/targets.ts';
import { stepId } from '../../../facts/machines/carry.ts';
import { audited } from '../../../facts/people/audit-rows.ts';
import { storedCause, tellCause } from '../../../facts/people/causes.ts';
import { fleetNow } from '../../../facts/placement/spots.ts';
import { heldMachine } from '../../../facts/machines/closed.ts';
import { drainStep, failedTry, UNTRIED } from './plan.ts';
import type { DrainStep, Tried } from './plan.ts';

/** Milliseconds between checks while a step is in progress; else checks are rarer. */
const SOON_MS = 500;
const LATER_MS = 3_000;
/** Milliseconds after which a machine that refused a worker is asked again. */
const AGAIN_MS = 60_000;
/** Milliseconds in which a machine must say whether a worker can come. */
const EXPECT_MS = 20_000;
/** Waiters without a caller: due work comes again. */
const NOBODY = { commands: new Waiters() } as const;

const drainPayload = z.object({
  machineId: z.string(),
  drain: z.string(),
  by: storedCause,
  tried: z.record(
    z.string(),
    z.object({
      attempt: z.number(),
      to: z.string().nullable(),
      isTold: z.boolean(),
      failed: z.record(z.string(), z.number()),
      why: z.string(),
    }),
  ),
});
type Payload = z.infer<typeof drainPayload>;

/** Schedules the drain for now. */
export function drainDue(
  of: { readonly machineId: string; readonly drain: string; readonly by: Cause },
  now: number,
): DueWork {
  const payload: Payload = { ...of, tried: {} };
  return { kind: 'drain', key: of.machineId, dueAt: now, payload };
}

/** Checks every worker of the machine once. */
export async function driveDrain(ctx: Context, work: DueWork): Promise<void> {
  const payload = drainPayload.parse(work.payload);
  const machine = await ctx.store.readMachine(payload.machineId);
  const drain = machine?.cordon?.drain;
  if (machine === null || drain?.id !== payload.drain || drain.doneAt !== null) {
    await ctx.store.transaction((tx) => tx.finishDueWork(work));
    return;
  }
  const found = await stepAll(ctx, payload, { machine, drain });
  const hint = await ctx.store.transaction(async (tx) => {
    await tx.finishDueWork(work);
    const cordon = (await heldMachine(tx, machine.id))?.cordon;
    const now = ctx.clock.now();
    if (cordon?.drain?.id !== payload.drain) return () => {};
    const doneAt = found.isDone ? now : null;
    await tx.saveCordon(machine.id, { ...cordon, drain: { ...cordon.drain, doneAt, waits: found.waits } });
    if (found.isDone) {
      const about = `machine ${machine.name}`;
      await tx.audit(
        audited({ at: now, by: payload.by, action: 'machine-drained', about, details: { machine: machine.id } }),
      );
      return () => {};
    }
    const at = now + (found.isBusy ? SOON_MS : LATER_MS);
    await tx.schedule([{ ...work, dueAt: at, payload: { ...payload, tried: found.tried } }]);
    return () => ctx.hints.due(at);
  });
  hint();
}

interface Found {
  readonly isDone: boolean;
  /** Tells whether a machine does a step that ends soon. */
  readonly isBusy: boolean;
  /** Reasons to wait by the worker's name. */
  readonly waits: Record<string, string>;
  /** Tries by the worker's id. */
  readonly tried: Record<string, Tried>;
}

interface Draining {
  readonly machine: Machine;
  readonly drain: Drain;
}

async function stepAll(ctx: Context, payload: Payload, { machine, drain }: Draining): Promise<Found> {
  const fleet = await fleetNow(ctx);
  const waits: Record<string, string> = {};
  const tried: Record<string, Tried> = {};
  let [isDone, isBusy] = [true, false];
  // A worker that has not been seen on the other machine yet may come back.
  const isOn = ({ machineId, state: { move } }: WorkerRow): boolean =>
    machineId === machine.id || (move.kind !== 'none' && move.route.from.id === machine.id);
  for (const row of fleet.workers.filter(isOn)) {
    const before = payload.tried[row.id] ?? UNTRIED;
    const step = drainStep(row, {
      now: fleet.now,
      drain,
      ...machinesFor(ctx, fleet, { row, but: machine.id }),
      tried: before,
    });
    const after = await take(ctx, { row, step, machine, payload, tried: before });
    waits[row.name] = after.why;
    tried[row.id] = after.tried;
    if (step.kind !== 'stays') isDone = false;
    if (step.kind === 'move' || row.state.move.kind !== 'none') isBusy = true;
  }
  return { isDone, isBusy, waits, tried };
}

interface Taking {
  readonly row: WorkerRow;
  readonly step: DrainStep;
  readonly machine: Machine;
  readonly payload: Payload;
  readonly tried: Tried;
}

async function take(
  ctx: Context,
  { row, step, machine, payload, tried }: Taking,
): Promise<{ readonly why: string; readonly tried: Tried }> {
  const until = ctx.clock.now() + AGAIN_MS;
  if (step.kind === 'came-back') {
    const { why } = step;
    return { why, tried: failedTry(tried, { machineId: tried.to ?? '', why, until }) };
  }
  if (step.kind !== 'move') return { why: step.why, tried };
  const { to } = step;
  const trying: Tried = { ...tried, to: to.id };
  const name = `${row.id} ${tried.attempt}`;
  // Asks before the worker's session is closed for nothing.
  const expected = await askOnce(ctx, NOBODY, {
    row: { ...row, machineId: to.id },
    query: { kind: 'expect', move: null },
    id: stepId(payload.drain, `expect ${name}`),
    timeoutMs: EXPECT_MS,
    until: ctx.clock.now(),
  });
  if (expected === null) return { why: `asks "${to.name}" whether it can move there`, tried: trying };
  if (expected.kind !== 'expected') {
    const why = expected.kind === 'failed' ? expected.message : `"${to.name}" answered something else`;
    return { why: `could not move: ${why}`, tried: failedTry(tried, { machineId: to.id, why, until }) };
  }
  const requestId = stepId(payload.drain, `move ${name}`);
  const route = { id: requestId, from: { id: machine.id, name: machine.name }, to: { id: to.id, name: to.name } };
  const event: WorkerEvent = { kind: 'move-requested', route };
  const drained = `by the drain of "${machine.name}" that ${tellCause(payload.by) ?? 'somebody'} started`;
  const chosen: Chosen = { move: { id: requestId, why: drained } };
  const handled = await ctx.store.transaction(async (tx) => {
    const stands = await whyNotTo(tx, row, to.id);
    return stands ?? handleEvent(ctx, tx, { workerId: row.id, event, by: payload.by, requestId, chosen });
  });
  if (handled !== null && 'kind' in handled)
    return {
      why: `could not move: ${handled.message}`,
      tried: failedTry(tried, { machineId: to.id, why: handled.message, until }),
    };
  handled?.hint();
  if (handled?.reply.kind !== 'refused') return { why: `moves to "${to.name}"`, tried: { ...trying, isTold: true } };
  const why = handled.reply.message;
  // The machine is not at fault: the worker may go there a little later.
  return { why, tried: { ...tried, attempt: tried.attempt + 1, to: null, why } };
}
