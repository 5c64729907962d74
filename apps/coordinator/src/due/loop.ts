/** The due work: every replica does a few rows at a time, each leased to one of them. */
import { DEADLINE_NAMES } from '@drover/core';
import type { DueWork, StoreTransaction } from '@drover/store';
import { z } from 'zod';
import { sideBySide } from './lanes.ts';
import type { LocalClock } from '../ports.ts';
import { accountNews, accountWoke } from '../use-cases/accounts/accounts.ts';
import type { Context } from '../use-cases/context.ts';
import { POLICY } from '../use-cases/people/causes.ts';
import { handleEvent } from '../use-cases/decisions/handle-event.ts';
import { escalationWoke, lockAsked } from '../use-cases/escalations/wake.ts';
import { machineNews } from '../use-cases/machines/lost.ts';
import { driveMove } from '../use-cases/moves/drive.ts';
import { patrol } from '../use-cases/patrol.ts';
import { takeItem } from '../use-cases/queue/take.ts';

/** Rows that one tick takes at most: the last one must be done well within the lease. */
const BATCH = 20;
/**
 * After this, in milliseconds, a row whose replica died is taken by another; until then its worker waits. A lease only
 * spares the replicas each other's work: a row that two do is done once, because the first changes what it was about (R8).
 */
const LEASE_MS = 3_000;
/** Without any hint the table is read this often, in milliseconds. */
const TICK_MS = 1_000;
/**
 * A row that is still due after a read is new, or another replica holds it: the next read comes so
 * soon, in milliseconds. Without it one deadline among many waits for the tick (bench/RESULTS.md, lateness).
 */
const BUSY_MS = 50;

const deadlinePayload = z.object({ workerId: z.string(), name: z.enum(DEADLINE_NAMES) });
const eventPayload = z.object({
  workerId: z.string(),
  event: z.object({ kind: z.enum(['default-branch-moved', 'account', 'machine']) }),
});
const ownerPayload = z.object({ workerId: z.string() });
const escalationPayload = z.object({ escalationId: z.string() });
const accountPayload = z.object({ key: z.string() });

/** Does what is due now, until nothing is left. @returns how many rows were done. */
export async function drainDueWork(ctx: Context): Promise<number> {
  let done = 0;
  for (;;) {
    await ctx.clock.sync?.();
    const rows = await ctx.store.claimDueWork(ctx.clock.now(), { limit: BATCH, leaseMs: LEASE_MS });
    await sideBySide(rows, (work) => doOne(ctx, work));
    done += rows.length;
    if (rows.length < BATCH) return done;
  }
}

/** A row that cannot be done stays, is logged, and is tried again when its lease ran out. */
async function doOne(ctx: Context, work: DueWork): Promise<void> {
  try {
    if (work.kind === 'move' || work.kind === 'leave-place') return await driveMove(ctx, work);
    const hint = await ctx.store.transaction(async (tx) => {
      await lockOwner(ctx, tx, work);
      // Before the decision, so that it may arm the very same time again: a clock that was set back makes it early.
      await tx.finishDueWork(work);
      return (await carryOut(ctx, tx, work))?.hint;
    });
    ctx.counters?.done(work.kind, ctx.clock.now() - work.dueAt);
    hint?.();
  } catch (error) {
    ctx.log('error', `Due work was not done and will be tried again: ${work.kind} ${work.key}`, {
      error: String(error),
    });
  }
}

/**
 * A decision locks its worker before the rows of its deadlines. Here it is the same: in the other order two
 * transactions wait for each other, until Postgres ends one of them a second later.
 */
async function lockOwner(ctx: Context, tx: StoreTransaction, { kind, payload }: DueWork): Promise<void> {
  if (kind === 'worker-deadline' || kind === 'worker-event') await tx.lockWorker(ownerPayload.parse(payload).workerId);
  if (kind === 'escalation') await lockAsked(ctx, tx, escalationPayload.parse(payload).escalationId);
  if (kind === 'account') await tx.lockAccount(accountPayload.parse(payload).key, ctx.clock.now());
}

async function carryOut(
  ctx: Context,
  tx: StoreTransaction,
  { kind, payload }: DueWork,
): Promise<{ readonly hint: () => void } | null> {
  switch (kind) {
    case 'patrol':
      return patrol(ctx, tx);
    case 'account':
      return accountWoke(ctx, tx, accountPayload.parse(payload).key);
    case 'queue':
      return takeItem(ctx, tx);
    case 'escalation':
      return escalationWoke(ctx, tx, escalationPayload.parse(payload).escalationId);
    case 'worker-deadline': {
      const { workerId, name } = deadlinePayload.parse(payload);
      return handleEvent(ctx, tx, { workerId, event: { kind: 'deadline-expired', name }, by: POLICY });
    }
    case 'worker-event':
      return workerEvent(ctx, tx, eventPayload.parse(payload));
    case 'move':
    case 'leave-place':
      return null;
    default:
      return kind satisfies never;
  }
}

/** What other workers caused: an event, or a check of what this worker shares with them. */
async function workerEvent(
  ctx: Context,
  tx: StoreTransaction,
  { workerId, event: due }: z.infer<typeof eventPayload>,
): Promise<{ readonly hint: () => void } | null> {
  const row = await tx.lockWorker(workerId);
  if (row === null) return null;
  switch (due.kind) {
    case 'default-branch-moved':
      return handleEvent(ctx, tx, { workerId, event: { kind: due.kind }, by: POLICY });
    case 'account':
      return handleEvent(ctx, tx, { workerId, event: await accountNews(ctx, tx, row), by: POLICY });
    case 'machine': {
      const event = await machineNews(ctx, tx, row);
      return event === null ? null : handleEvent(ctx, tx, { workerId, event, by: POLICY });
    }
    default:
      return due.kind satisfies never;
  }
}

/** Ticks once a second, and as soon as something is due that this process knows of. */
export class DueLoop implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #local: Pick<LocalClock, 'elapsed'>;
  #cancel: () => void = () => {};
  /**
   * When its timer rings, by a clock that cannot be set. By the clock of the rows, a timer from before a jump forwards
   * would seem to ring before all newer rows, and those would wait for it, for as long as the timer runs.
   */
  #rings = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(ctx: Context, local: Pick<LocalClock, 'elapsed'>) {
    this.#ctx = ctx;
    this.#local = local;
    this.wake(ctx.clock.now());
  }

  /** Something is due at this time, epoch milliseconds. */
  wake(at: number): void {
    const ms = Math.max(0, at - this.#ctx.clock.now());
    const rings = this.#local.elapsed() + ms;
    if (this.#stopped || rings >= this.#rings) return;
    this.#cancel();
    this.#rings = rings;
    this.#cancel = this.#ctx.clock.after(ms, () => this.#tick());
  }

  #tick(): void {
    this.#rings = Number.POSITIVE_INFINITY;
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#stopped) return;
      this.wake(this.#ctx.clock.now() + (this.#again ? 0 : TICK_MS));
      this.#again = false;
    });
  }

  async #drain(): Promise<void> {
    try {
      await drainDueWork(this.#ctx);
      const next = await this.#ctx.store.nextDueAt();
      if (next !== null) this.wake(Math.max(next, this.#ctx.clock.now() + BUSY_MS));
    } catch (error) {
      this.#ctx.log('warn', 'The due work could not be read; trying again', { error: String(error) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }
}
