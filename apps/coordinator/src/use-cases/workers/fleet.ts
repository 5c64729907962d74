/** Binds the use cases of workers to a context. */
import type { WorkerEvent } from '@drover/core';
import type { WorkerFleet } from '@drover/api';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../facts/machines/query.ts';
import { addWorker } from './add.ts';
import type { WorkerDefaults } from '../../facts/workers/defaults.ts';
import { eventsInReach, findWorker, readRoster, viewOf, viewWorker } from '../../facts/workers/find.ts';
import { followEvents } from '../../facts/workers/follow.ts';
import { sendMessage } from './message.ts';
import { nuke } from './nuke.ts';
import { decideRequest } from '../../loop/subjects/requests.ts';
import { tellPayment } from '../../facts/machines/payment.ts';
import { eventView, whyView } from '../../facts/workers/views.ts';

/** Dependencies of these use cases beside their context. */
export interface WorkerParts {
  readonly events: Waiters;
  readonly commands: Waiters;
  /** Looks up the options of a worker that its `add` does not set. */
  readonly defaults: (name: string) => WorkerDefaults;
}

/** Receipts that `why` reads at most. */
const RECEIPTS_SHOWN = 5;

/** Creates the use cases of workers, except their moves. */
export function createWorkerFleet(ctx: Context, parts: WorkerParts): Omit<WorkerFleet, 'moveWorker' | 'cancelMove'> {
  const { events, defaults } = parts;
  return {
    listWorkers: async (by) => {
      const roster = await readRoster(ctx, by);
      return roster.workers.map((row) => viewOf(roster, row));
    },
    add: (input, by) => addWorker(ctx, { input, defaults, by }),
    nuke: (input, by) => nuke(ctx, { ...input, by }),
    message: (message, by) => sendMessage(ctx, message, by),
    why: async ({ name, limit }, by) => {
      const found = await findWorker(ctx, by, name);
      if (found.kind === 'refused') return found;
      const { row } = found;
      const [history, receipts, [escalation = null]] = await Promise.all([
        ctx.store.listEvents({ of: { workerId: row.id }, limit }),
        ctx.store.listReceipts(row.id, RECEIPTS_SHOWN),
        ctx.store.listEscalations({ workerId: row.id, open: true, limit: 1 }),
      ]);
      const view = await viewWorker(ctx, by, row);
      const now = ctx.clock.now();
      const known = await ctx.store.listAccounts();
      const machine = (await ctx.store.listMachines()).find(({ id }) => id === row.machineId);
      const project = (await ctx.store.listProjects()).find(({ id }) => id === row.projectId);
      const pays = tellPayment(ctx, row, { known, now, machine, project });
      return ok(whyView(row, { view, history, receipts, escalation, pays, now }));
    },
    pane: async ({ name, lines, git }, by) => {
      const found = await findWorker(ctx, by, name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, parts, { row: found.row, query: { kind: 'read-pane', lines, git } });
      return answer.kind === 'pane' ? ok({ text: answer.text, git: answer.git ?? [] }) : unanswered(answer);
    },
    conversation: async ({ name, before = null, find = null, limit }, by) => {
      const found = await findWorker(ctx, by, name);
      if (found.kind === 'refused') return found;
      const query = { kind: 'read-conversation', before, find, limit } as const;
      const answer = await ask(ctx, parts, { row: found.row, query });
      return answer.kind === 'conversation'
        ? ok({ entries: [...answer.entries], before: answer.before, lacks: answer.lacks })
        : unanswered(answer);
    },
    screen: async ({ name }, by) => {
      const found = await findWorker(ctx, by, name);
      if (found.kind === 'refused') return found;
      const answer = await ask(ctx, parts, { row: found.row, query: { kind: 'read-screen' } });
      return answer.kind === 'screen' ? ok(answer) : unanswered(answer);
    },
    events: async ({ name, after, waitMs, limit }, by, signal) => {
      const found = name === undefined ? null : await findWorker(ctx, by, name);
      if (found?.kind === 'refused') return found;
      const filter = { limit, ...eventsInReach(found === null ? by : { ...by, worker: found.row.id }) };
      const rows =
        after === undefined
          ? await ctx.store.listEvents(filter)
          : await followEvents(ctx, { ...filter, after }, { events, waitMs, ...(signal && { signal }) });
      return ok(rows.map(eventView));
    },
    setWanted: async (wanted, requestId, by) => {
      const { workers } = await readRoster(ctx, by);
      const event: WorkerEvent = { kind: wanted === 'up' ? 'up-requested' : 'down-requested' };
      for (const row of workers) await decideRequest(ctx, { row, event: () => event, requestId, by });
      const roster = await readRoster(ctx, by);
      return roster.workers.map((row) => viewOf(roster, row));
    },
  };
}

function ok<T>(value: T): { kind: 'ok'; value: T } {
  return { kind: 'ok', value };
}

function unanswered(answer: { readonly kind: string; readonly message?: string }): {
  kind: 'refused';
  code: string;
  message: string;
} {
  return {
    kind: 'refused',
    code: 'machine',
    message: answer.message ?? 'The answer of the machine does not match the question',
  };
}
