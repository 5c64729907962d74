/** The use cases of the API: each finds whom it is about, gives the policy an order, and shows the outcome. */
import { rejectionText } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { Fleet, FleetInfo, Outcome, OrderView } from '@drover/api';
import type { WorkerRow } from '@drover/store';
import { sha256 } from '../agent/enrol.ts';
import { nextHint } from '../agent/waiters.ts';
import type { Waiters } from '../agent/waiters.ts';
import { addWorker } from './add-worker.ts';
import type { WorkerDefaults } from './add-worker.ts';
import type { Context } from './context.ts';
import { createDoctorFleet } from './doctor.ts';
import type { DoctorParts } from './doctor-facts.ts';
import { findByName, findForReview, findIdle, findReviewed, readRoster, viewOf } from './find.ts';
import type { Found, Roster } from './find.ts';
import { handleEvent } from './handle-event.ts';
import { createPolicyFleet } from './policy.ts';
import { listProfiles, putProfile, removeProfile } from './profiles.ts';
import { ask } from './query.ts';
import { createCheckpointFleet } from './checkpoint-fleet.ts';
import { createQueueFleet } from './queue.ts';
import { createRecoveryFleet } from './recovery-fleet.ts';
import { taskTextFor } from './task-text.ts';
import { eventView, machineView, whyView } from './views.ts';

/** What the use cases need beside their context. */
export interface FleetOptions extends DoctorParts {
  readonly info: FleetInfo;
  readonly events: Waiters;
  readonly commands: Waiters;
  /** What a worker gets that its `add` does not say. */
  readonly defaults: (name: string) => WorkerDefaults;
  /** Stops the process; null where that is somebody else's business. */
  readonly stop: (() => void) | null;
}

/** Receipts that `why` reads at most. */
const RECEIPTS_SHOWN = 5;

/** Binds the use cases to a context. */
export function createFleet(ctx: Context, options: FleetOptions): Fleet {
  const { info, events, defaults, stop } = options;
  return {
    ...createRecoveryFleet(ctx),
    ...createDoctorFleet(ctx, options),
    ...createCheckpointFleet(ctx, options),
    ...createPolicyFleet(ctx),
    ...createQueueFleet(ctx),
    info: () => Promise.resolve(info),
    listWorkers: async () => {
      const roster = await readRoster(ctx);
      return roster.workers.map((row) => viewOf(roster, row));
    },
    listMachines: async () => {
      const roster = await readRoster(ctx);
      const { machines, workers } = roster;
      return machines.map((machine) => {
        const seated = workers.filter(({ machineId }) => machineId === machine.id).length;
        return machineView(machine, { workers: seated, judged: roster });
      });
    },
    add: (input) => addWorker(ctx, { input, defaults: defaults(input.name) }),
    nuke: async ({ orderId, name, force }) =>
      order(ctx, {
        orderId,
        find: (roster) => findByName(roster, name),
        event: () => ({ kind: 'nuke-ordered', force }),
      }),
    start: ({ orderId, name, prompt }) => start(ctx, { orderId, name, prompt }),
    message: ({ orderId, name, text }) =>
      order(ctx, {
        orderId,
        find: (roster) => findByName(roster, name),
        event: () => ({ kind: 'message-ordered', id: orderId, text }),
      }),
    review: ({ name }) => review(ctx, options, name),
    reject: ({ orderId, name, text }) =>
      order(ctx, {
        orderId,
        find: (roster) => (name === undefined ? findReviewed(roster) : findByName(roster, name)),
        event: (row) => ({ kind: 'reject-ordered', id: orderId, text: rejectionText(text, row.state.git?.head ?? '') }),
      }),
    accept: ({ orderId, name }) =>
      order(ctx, {
        orderId,
        find: (roster) => (name === undefined ? findReviewed(roster) : findByName(roster, name)),
        event: () => ({ kind: 'accept-ordered' }),
      }),
    why: async ({ name, limit }) => {
      const roster = await readRoster(ctx);
      const found = findByName(roster, name);
      if (found.kind === 'refused') return found;
      const { row } = found;
      const [history, receipts, [escalation = null]] = await Promise.all([
        ctx.store.listEvents({ workerId: row.id, limit }),
        ctx.store.listReceipts(row.id, RECEIPTS_SHOWN),
        ctx.store.listEscalations({ workerId: row.id, open: true, limit: 1 }),
      ]);
      return ok(whyView(row, { view: viewOf(roster, row), history, receipts, escalation, now: ctx.clock.now() }));
    },
    pane: async ({ name, lines }) => {
      const found = findByName(await readRoster(ctx), name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, options, { row: found.row, query: { kind: 'read-pane', lines } });
      return answer.kind === 'pane' ? ok({ text: answer.text }) : unanswered(answer);
    },
    listProfiles: () => listProfiles(ctx),
    putProfile: ({ document }) => putProfile(ctx, document),
    removeProfile: ({ name }) => removeProfile(ctx, name),
    screen: async ({ name }) => {
      const found = findByName(await readRoster(ctx), name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, options, { row: found.row, query: { kind: 'read-screen' } });
      return answer.kind === 'screen' ? ok(answer) : unanswered(answer);
    },
    events: async ({ name, after, waitMs, limit }, signal) => {
      const found = name === undefined ? null : findByName(await readRoster(ctx), name);
      if (found?.kind === 'refused') return found;
      const filter = {
        limit,
        ...(found === null ? {} : { workerId: found.row.id }),
        ...(after === undefined ? {} : { after }),
      };
      let rows = await ctx.store.listEvents(filter);
      if (rows.length === 0 && waitMs > 0) {
        const key = found === null ? '*' : found.row.id;
        await nextHint(events, key, { ms: waitMs, after: (ms, run) => ctx.clock.after(ms, run), signal });
        rows = await ctx.store.listEvents(filter);
      }
      return ok(rows.map(eventView));
    },
    invite: async ({ ttlMs }) => {
      const token = ctx.ids.secret();
      const expiresAt = ctx.clock.now() + ttlMs;
      await ctx.store.createJoinToken(sha256(token), expiresAt);
      return { token, expiresAt };
    },
    setWanted: async (wanted, orderId) => {
      const { workers } = await readRoster(ctx);
      const event: WorkerEvent = { kind: wanted === 'up' ? 'up-ordered' : 'down-ordered' };
      for (const row of workers) await decided(ctx, { row, event, orderId });
      const roster = await readRoster(ctx);
      return roster.workers.map((row) => viewOf(roster, row));
    },
    stop: () => {
      if (stop === null) {
        return Promise.resolve({
          kind: 'refused',
          code: 'not-stoppable',
          message: 'This coordinator is stopped where it was started, with a signal',
        });
      }
      stop();
      return Promise.resolve(ok(null));
    },
  };
}

function ok<T>(value: T): { kind: 'ok'; value: T } {
  return { kind: 'ok', value };
}

interface Order {
  readonly orderId: string;
  readonly find: (roster: Roster) => Found;
  readonly event: (row: WorkerRow) => WorkerEvent;
}

async function order(ctx: Context, { orderId, find, event }: Order): Promise<Outcome<OrderView>> {
  const roster = await readRoster(ctx);
  const found = (await foundBefore(ctx, roster, orderId)) ?? find(roster);
  if (found.kind === 'refused') return found;
  return decided(ctx, { row: found.row, event: event(found.row), orderId });
}

/** An order asked again is meant for whom it was given to the first time, whoever would be chosen now. */
async function foundBefore(ctx: Context, { workers }: Roster, orderId: string): Promise<Found | null> {
  const id = await ctx.store.workerOfOrder(orderId);
  const row = workers.find((worker) => worker.id === id);
  return row === undefined ? null : { kind: 'found', row };
}

/** One order, decided in one transaction. */
async function decided(
  ctx: Context,
  { row, event, orderId }: { row: WorkerRow; event: WorkerEvent; orderId: string },
): Promise<Outcome<OrderView>> {
  const handled = await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId: row.id, event, orderId }));
  handled?.hint();
  if (handled === null)
    return { kind: 'refused', code: 'not-found', message: `There is no worker "${row.name}" any more` };
  if (handled.reply.kind === 'refused') return { ...handled.reply, message: `${row.name}: ${handled.reply.message}` };
  return ok({ worker: viewOf(await readRoster(ctx), handled.row) });
}

async function start(
  ctx: Context,
  { orderId, name, prompt }: { orderId: string; name: string | undefined; prompt: string },
): Promise<Outcome<OrderView>> {
  const roster = await readRoster(ctx);
  const before = name === undefined ? await foundBefore(ctx, roster, orderId) : null;
  const found = before ?? (name === undefined ? findIdle(roster) : findByName(roster, name));
  if (found.kind === 'refused') return found;
  const { row } = found;
  const project = roster.projects.find(({ id }) => id === row.projectId);
  if (project === undefined)
    return { kind: 'refused', code: 'not-found', message: `The project of "${row.name}" is gone` };
  const text = taskTextFor(project, row, prompt);
  const handled = await ctx.store.transaction(async (tx) => {
    const event: WorkerEvent = { kind: 'start-ordered', taskId: orderId, prompt, text };
    const task = {
      id: orderId,
      projectId: project.id,
      workerId: row.id,
      workerName: row.name,
      prompt,
      status: 'new',
      createdAt: ctx.clock.now(),
    };
    await tx.insertTask(task);
    return handleEvent(ctx, tx, { workerId: row.id, event, orderId });
  });
  handled?.hint();
  if (handled === null)
    return { kind: 'refused', code: 'not-found', message: `There is no worker "${row.name}" any more` };
  if (handled.reply.kind === 'refused') return { ...handled.reply, message: `${row.name}: ${handled.reply.message}` };
  return ok({ worker: viewOf(roster, handled.row) });
}

async function review(ctx: Context, options: FleetOptions, name: string | undefined): ReturnType<Fleet['review']> {
  const roster = await readRoster(ctx);
  const found = name === undefined ? findForReview(roster) : findByName(roster, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const { worktree, git, status } = row.state;
  if (worktree.kind === 'none' || git === null || git.ahead === 0) {
    return {
      kind: 'refused',
      code: 'nothing-to-review',
      message: `${row.name} is ${status} and has no commits to review`,
    };
  }
  const answer = await ask(ctx, options, { row, query: { kind: 'read-diff', base: worktree.base, stat: false } });
  if (answer.kind !== 'diff') return unanswered(answer);
  await ctx.store.setLastReviewed(row.projectId, row.id);
  return ok({
    worker: viewOf(roster, row),
    base: worktree.base,
    head: git.head,
    commits: answer.commits,
    diff: answer.text,
  });
}

function unanswered(answer: { readonly kind: string; readonly message?: string }): {
  kind: 'refused';
  code: string;
  message: string;
} {
  return {
    kind: 'refused',
    code: 'machine',
    message: answer.message ?? 'The machine gave an answer that does not belong to the question',
  };
}
