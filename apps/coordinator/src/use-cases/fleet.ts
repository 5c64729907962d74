/** The use cases of the API: each finds whom it is about, gives the policy an order, and shows the outcome. */
import { rejectionText } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { Actor, Fleet, FleetInfo, InvitationView, Outcome, OrderView, Refusal } from '@drover/api';
import { invitationText } from '@drover/protocol';
import type { Cause, StoreTransaction, WorkerRow } from '@drover/store';
import { sha256 } from '../agent/enrol.ts';
import { nextHint } from '../agent/waiters.ts';
import type { Waiters } from '../agent/waiters.ts';
import { createAuditFleet } from './people/audit/fleet.ts';
import { addWorker } from './workers/add.ts';
import type { WorkerDefaults } from './workers/add.ts';
import { audited } from './people/audit/rows.ts';
import { causeOf, POLICY } from './people/causes.ts';
import type { Context } from './context.ts';
import { createDoctorFleet } from './doctor/doctor.ts';
import type { DoctorParts } from './doctor/facts.ts';
import { findByName, findIdle, ownWorkers, readRoster, viewOf } from './workers/find.ts';
import type { Found, Roster } from './workers/find.ts';
import { handleEvent } from './decisions/handle-event.ts';
import { createPolicyFleet } from './policies/policies.ts';
import { listProfiles, putProfile, removeProfile } from './profiles/profiles.ts';
import { ask } from './machines/query.ts';
import { createCheckpointFleet } from './checkpoints/fleet.ts';
import { createMachineFleet } from './machines/machines.ts';
import { createQueueFleet } from './queue/queue.ts';
import { createRecoveryFleet } from './recovery-fleet.ts';
import { createTokenFleet } from './people/tokens.ts';
import { findReviewed, pinOf, review } from './tasks/reviews.ts';
import { taskTextFor } from './tasks/text.ts';
import { eventView, machineView, whyView } from './workers/views.ts';

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
    ...createTokenFleet(ctx),
    ...createAuditFleet(ctx),
    ...createMachineFleet(ctx),
    info: () => Promise.resolve(info),
    listWorkers: async (by) => {
      const roster = await readRoster(ctx, by);
      return roster.workers.map((row) => viewOf(roster, row));
    },
    listMachines: async (by) => {
      const roster = await readRoster(ctx, by);
      const { machines, workers } = roster;
      const seatsOn = (id: string): number => workers.filter(({ machineId }) => machineId === id).length;
      // A project sees the machines that its workers are on.
      return machines
        .filter(({ id }) => by.project === null || seatsOn(id) > 0)
        .map((machine) => machineView(machine, { workers: seatsOn(machine.id), judged: roster }));
    },
    add: (input, by) => addWorker(ctx, { input, defaults: defaults(input.name), by }),
    nuke: ({ orderId, name, force }, by) =>
      order(ctx, {
        orderId,
        by,
        find: (roster) => findByName(roster, name),
        event: () => ({ kind: 'nuke-ordered', force }),
      }),
    start: ({ orderId, name, prompt }, by) => start(ctx, { orderId, name, prompt, by }),
    message: ({ orderId, name, text }, by) =>
      order(ctx, {
        orderId,
        by,
        find: (roster) => findByName(roster, name),
        event: () => ({ kind: 'message-ordered', id: orderId, text }),
      }),
    review: (input, by) => review(ctx, options, { ...input, by }),
    reject: ({ orderId, name, text }, by) =>
      order(ctx, {
        orderId,
        by,
        find: (roster) => findNamedOrReviewed(ctx, roster, { name, by }),
        event: (row) => ({ kind: 'reject-ordered', id: orderId, text: rejectionText(text, row.state.git?.head ?? '') }),
      }),
    accept: ({ orderId, name, head }, by) =>
      order(ctx, {
        orderId,
        by,
        find: (roster) => findNamedOrReviewed(ctx, roster, { name, by }),
        event: async (row, tx) => {
          // Where there is nothing to accept, the policy says so, whatever was seen.
          const waits = row.state.status === 'needs_review' && (await tx.findOrder(row.id, orderId)) === null;
          if (!waits) return { kind: 'accept-ordered', pin: null };
          const meant = pinOf(row.name, { seen: await tx.findReview(row.id, by.id), head });
          return meant.kind === 'refused' ? meant : { kind: 'accept-ordered', pin: meant.pin };
        },
      }),
    why: async ({ name, limit }, by) => {
      const roster = await readRoster(ctx, by);
      const found = findByName(roster, name);
      if (found.kind === 'refused') return found;
      const { row } = found;
      const [history, receipts, [escalation = null]] = await Promise.all([
        ctx.store.listEvents({ workerIds: [row.id], limit }),
        ctx.store.listReceipts(row.id, RECEIPTS_SHOWN),
        ctx.store.listEscalations({ workerId: row.id, open: true, limit: 1 }),
      ]);
      return ok(whyView(row, { view: viewOf(roster, row), history, receipts, escalation, now: ctx.clock.now() }));
    },
    pane: async ({ name, lines }, by) => {
      const found = findByName(await readRoster(ctx, by), name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, options, { row: found.row, query: { kind: 'read-pane', lines } });
      return answer.kind === 'pane' ? ok({ text: answer.text }) : unanswered(answer);
    },
    listProfiles: () => listProfiles(ctx),
    putProfile: ({ document }, by) => putProfile(ctx, document, by),
    removeProfile: ({ name }, by) => removeProfile(ctx, name, by),
    screen: async ({ name }, by) => {
      const found = findByName(await readRoster(ctx, by), name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, options, { row: found.row, query: { kind: 'read-screen' } });
      return answer.kind === 'screen' ? ok(answer) : unanswered(answer);
    },
    events: async ({ name, after, waitMs, limit }, by, signal) => {
      const found = name === undefined ? null : findByName(await readRoster(ctx, by), name);
      if (found?.kind === 'refused') return found;
      const filter = {
        limit,
        ...(found === null ? await ownWorkers(ctx, by) : { workerIds: [found.row.id] }),
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
    invite: ({ ttlMs }, by) => invite(ctx, ttlMs, causeOf(by)),
    setWanted: async (wanted, orderId, by) => {
      const { workers } = await readRoster(ctx, by);
      const event: WorkerEvent = { kind: wanted === 'up' ? 'up-ordered' : 'down-ordered' };
      for (const row of workers) await decided(ctx, { row, event: () => event, orderId, by });
      const roster = await readRoster(ctx, by);
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

/** Makes a token for one machine, with the identity that the machine is to pin. */
export async function invite(
  { store, ids, clock, identity }: Context,
  ttlMs: number,
  by: Cause = POLICY,
): Promise<InvitationView> {
  const secret = ids.secret();
  const now = clock.now();
  const expiresAt = now + ttlMs;
  const hash = sha256(secret);
  const details = { token: hash.slice(0, 8), expiresAt };
  const audit = audited({ at: now, by, action: 'machine-invited', about: 'fleet', details });
  await store.createJoinToken({ sha256: hash, expiresAt, now, audit });
  return { token: invitationText({ secret, coordinator: identity.id }), coordinator: identity.id, expiresAt };
}

function ok<T>(value: T): { kind: 'ok'; value: T } {
  return { kind: 'ok', value };
}

interface Order {
  readonly orderId: string;
  readonly by: Actor;
  readonly find: (roster: Roster) => Found | Promise<Found>;
  readonly event: EventOf;
}

/** What an order comes to. One that was given before is answered as then, whatever comes of it here. */
type EventOf = (row: WorkerRow, tx: StoreTransaction) => WorkerEvent | Refusal | Promise<WorkerEvent | Refusal>;

async function order(ctx: Context, { orderId, by, find, event }: Order): Promise<Outcome<OrderView>> {
  const roster = await readRoster(ctx, by);
  const found = (await foundBefore(ctx, roster, orderId)) ?? (await find(roster));
  if (found.kind === 'refused') return found;
  return decided(ctx, { row: found.row, event, orderId, by });
}

async function findNamedOrReviewed(
  ctx: Context,
  roster: Roster,
  { name, by }: { readonly name: string | undefined; readonly by: Actor },
): Promise<Found> {
  if (name !== undefined) return findByName(roster, name);
  return findReviewed(roster, await ctx.store.listReviews(by.id));
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
  { row, event, orderId, by }: { row: WorkerRow; event: EventOf; orderId: string; by: Actor },
): Promise<Outcome<OrderView>> {
  const handled = await ctx.store.transaction(async (tx) => {
    const meant = await event(row, tx);
    if (meant.kind === 'refused') return meant;
    return handleEvent(ctx, tx, { workerId: row.id, event: meant, by: causeOf(by), orderId });
  });
  if (handled !== null && 'kind' in handled) return handled;
  handled?.hint();
  if (handled === null)
    return { kind: 'refused', code: 'not-found', message: `There is no worker "${row.name}" any more` };
  if (handled.reply.kind === 'refused') return { ...handled.reply, message: `${row.name}: ${handled.reply.message}` };
  return ok({ worker: viewOf(await readRoster(ctx, by), handled.row) });
}

async function start(
  ctx: Context,
  { orderId, name, prompt, by }: { orderId: string; name: string | undefined; prompt: string; by: Actor },
): Promise<Outcome<OrderView>> {
  const roster = await readRoster(ctx, by);
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
      actor: causeOf(by),
      createdAt: ctx.clock.now(),
    };
    await tx.insertTask(task);
    return handleEvent(ctx, tx, { workerId: row.id, event, by: causeOf(by), orderId });
  });
  handled?.hint();
  if (handled === null)
    return { kind: 'refused', code: 'not-found', message: `There is no worker "${row.name}" any more` };
  if (handled.reply.kind === 'refused') return { ...handled.reply, message: `${row.name}: ${handled.reply.message}` };
  return ok({ worker: viewOf(roster, handled.row) });
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
