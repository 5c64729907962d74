/**
 * Recovery of recovery: a coordinator dies, or loses its connection, at each single statement of a trouble from its first error to a
 * person's answer. The next coordinator must leave the same as an undisturbed one: nothing lost, nothing twice.
 */
import type { DecisionRecord } from '@drover/core';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import type { Fault, FaultPoint } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import {
  asks,
  changed,
  contextOf,
  failed,
  incidentOf,
  Nature,
  QUESTION,
  sayHello,
  withWorkers,
  recorded,
} from '../support/scene.ts';
import type { Changes } from '../support/scene.ts';
import { person } from '../support/actors.ts';
import type { Context } from '../../src/context/context.ts';

const INCIDENT = '01900000-0000-7000-a000-000000000001';
const ANSWER = '01900000-0000-7000-a000-000000000002';
const CHECKPOINT = '01900000-0000-7000-a000-000000000003';

/** Reports of the machine, one after the other, and the decision on each. */
const STORY: readonly { readonly patch: Changes; readonly records: readonly DecisionRecord[] }[] = [
  {
    patch: { incident: { open: incidentOf(INCIDENT, { attempts: 1 }) } },
    records: [failed(INCIDENT, 'it crashed'), attempt(1), account('limit-hit'), checkpoint(), queued()],
  },
  {
    patch: { incident: { open: incidentOf(INCIDENT, { attempts: 2 }) } },
    records: [failed(INCIDENT, 'it crashed again'), attempt(2), account('limit-hit'), queued()],
  },
  {
    patch: {
      lifecycle: { status: 'error' },
      incident: {
        open: incidentOf(INCIDENT, { level: 4, attempts: 2, escalated: true, options: [...QUESTION.options] }),
      },
    },
    records: [failed(INCIDENT, 'it crashed for good'), asks(INCIDENT)],
  },
];

test('given a death of the coordinator at each statement, when another goes on, then all is there once', async () => {
  const undisturbed = await told(() => null);

  const results = await eachPoint((die) => ({ kind: 'death', die }));

  expect(results.length).toBeGreaterThan(50);
  for (const { point, left } of results) expect({ point, left }).toEqual({ point, left: undisturbed });
});

test('given a connection lost at each statement, when the unit is repeated, then all is there once, also after the commit', async () => {
  const undisturbed = await told(() => null);

  const results = await eachPoint(() => ({ kind: 'lost-connection' }));

  expect(results.length).toBeGreaterThan(50);
  for (const { point, left } of results) expect({ point, left }).toEqual({ point, left: undisturbed });
});

type Trouble = Fault | { readonly kind: 'death'; readonly die: () => void };

/** Runs the story once for each point at which something can go wrong. */
async function eachPoint(
  trouble: (die: () => void) => Trouble,
): Promise<readonly { readonly point: string; readonly left: unknown }[]> {
  const results: { point: string; left: unknown }[] = [];
  for (let nth = 1; ; nth += 1) {
    let seen = 0;
    let point: string | null = null;
    const left = await told((at, die) => {
      seen += 1;
      if (seen !== nth) return null;
      point = `${nth}: ${at.at} of ${at.method}`;
      return trouble(die);
    });
    if (point === null) return results;
    results.push({ point, left });
  }
}

/** Runs the story on a coordinator, and on the next one when it dies. @returns the remaining state, without ids and times. */
async function told(trouble: (point: FaultPoint, die: () => void) => Trouble | null): Promise<unknown> {
  const database = new MemoryDatabase();
  const nature = new Nature();
  const [row] = await withWorkers(contextOf(storeOn(database), nature), ['adam']);
  if (row === undefined) throw new Error('no worker');
  await sayHello(contextOf(storeOn(database), nature), row, BUFFER);
  for (const seq of STORY.keys()) {
    nature.now += 1_000;
    await untilDone({ database, nature }, trouble, (ctx) => observe(ctx, row.id, seq));
  }
  const answer = { id: '', option: 'retry', asked: 1, requestId: ANSWER };
  await untilDone({ database, nature }, trouble, async (ctx) => {
    const [escalation] = [...database.escalations.values()];
    const by = person('ann', { role: 'responder' });
    const outcome = await resolveEscalation(ctx, { ...answer, id: escalation?.id ?? 'none' }, by);
    if (outcome.kind === 'refused') throw new Error(outcome.message);
  });
  return summary(database);
}

function storeOn(database: MemoryDatabase, fault?: (point: FaultPoint) => Fault | null) {
  return createMemoryStore({
    database,
    sleep: () => Promise.resolve(),
    random: () => 0,
    ...(fault === undefined ? {} : { fault }),
  });
}

/** Runs coordinators one after the other until one has finished: a dead one never answers. */
async function untilDone(
  { database, nature }: { readonly database: MemoryDatabase; readonly nature: Nature },
  trouble: (point: FaultPoint, die: () => void) => Trouble | null,
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  for (;;) {
    const death = Promise.withResolvers<'dead'>();
    const store = storeOn(database, (point) => {
      const what = trouble(point, () => {
        store.close();
        death.resolve('dead');
      });
      if (what?.kind !== 'death') return what;
      what.die();
      return null;
    });
    const outcome = await Promise.race([work(contextOf(store, nature)).then(() => 'done' as const), death.promise]);
    if (outcome === 'done') return;
  }
}

/** Takes one observation: stores it once, and decides in the same transaction, as observe.ts does. */
async function observe(ctx: Context, workerId: string, seq: number): Promise<void> {
  const [step] = STORY.slice(seq);
  if (step === undefined) throw new Error(`The story has no part ${seq}`);
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(workerId);
    if (row === null) throw new Error('The worker is gone');
    const machineId = row.machineId;
    const session = { machineId, epoch: 1, agentEpoch: BUFFER };
    if ((await tx.receiveReports(session, [seq])).length === 0) return;
    await tx.insertObservations([{ ...session, seq, workerId, body: PANES, seenAt: 1, now: ctx.clock.now() }]);
    const after = changed(row.state, step.patch);
    await tx.saveWorker({ ...row, state: after }, ctx.clock.now());
    const event = { kind: 'default-branch-moved' } as const;
    await recorded(ctx, tx, { row, after, event, records: step.records, fresh: ctx.ids.uuid() });
  });
}

const BUFFER = '01900000-0000-7000-8000-ffffffffffff';
const PANES = { kind: 'panes', panes: [] } as const;

function summary(db: MemoryDatabase): unknown {
  const errors = [...db.errors.values()];
  const nth = (id: string | null): number => errors.findIndex((error) => error.id === id);
  return {
    incidents: [...db.incidents.values()].map(({ attempts, level, outcome }) => ({ attempts, level, outcome })),
    errors: errors.map(({ message, cause, recovered }) => ({ message, cause: nth(cause), recovered })),
    episodes: [...db.episodes.values()].map(({ kind, action }) => ({ kind, action })),
    escalations: [...db.escalations.values()].map(({ status, occurrences, application, resolution }) => ({
      status,
      occurrences,
      application,
      option: resolution?.option,
    })),
    checkpoints: [...db.checkpoints.keys()],
    items: [...db.queueItems.values()].map(({ occurrences, status }) => ({ occurrences, status })),
    accounts: [...db.accounts.values()].map(({ key, state }) => ({ key, state })),
    replies: db.replies.size,
  };
}

function attempt(n: number): DecisionRecord {
  return {
    kind: 'recovery',
    incident: INCIDENT,
    code: 'AGENT_CRASHED',
    level: 1,
    attempt: n,
    action: `restart ${n}`,
    strategy: 'restart',
    alternative: null,
  };
}

function account(event: 'limit-hit' | 'answered'): DecisionRecord {
  return { kind: 'account', event, resetAt: null };
}

function checkpoint(): DecisionRecord {
  const held = { commit: 'abc', conversation: null, incident: INCIDENT, why: 'before the restart' };
  return { kind: 'checkpoint', id: CHECKPOINT, type: 'before_retry', ...held };
}

function queued(): DecisionRecord {
  return { kind: 'queued', priority: 'S1', title: 'Repair it', body: '', class: 'network', dedupe: 'same' };
}
