/** Records of a decision become rows of the error log, incidents and episodes; and a report on them. */
import { SAVING, TOOL } from '@drover/core';
import { expect, test } from 'vitest';
import { EVERYTHING } from '../../src/facts/workers/find.ts';
import { listErrors } from '../../src/use-cases/incidents/errors.ts';
import { report } from '../../src/use-cases/incidents/report.ts';
import {
  asks,
  contextOf,
  decided,
  failed,
  incidentOf,
  inMemory,
  Nature,
  withPolicy,
  withWorkers,
} from '../support/scene.ts';

test('given two errors of one incident, when they are written, then each is whole, and the first is the cause of the second', async () => {
  await using scene = await troubled();
  const { ctx, id, incident } = scene;

  await decided(ctx, id, { records: [failed(incident, 'first')], patch: { incident: { open: incidentOf(incident) } } });
  await decided(ctx, id, {
    records: [failed(incident, 'second')],
    patch: { incident: { open: incidentOf(incident) } },
  });

  const [second, first] = await listErrors(ctx, { all: true, limit: 10 }, EVERYTHING);
  expect(second).toMatchObject({
    code: 'AGENT_CRASHED',
    category: 'AGENT_ERROR',
    severity: 'error',
    recoverable: true,
    retryable: true,
    message: 'second',
    details: 'exit 3',
    component: 'policy',
    worker: 'adam',
    machine: 'laptop',
    strategy: 'restart',
    durationMs: 250,
    retryCount: 1,
    incident,
    cause: first?.id,
    recovered: false,
    context: { project: 'shop', profile: 'claude', exitStatus: 3 },
  });
  expect(first?.cause).toBeNull();
});

test.each(['opened', 'goes on with'] as const)(
  'given a decision that %s an incident, when it writes errors and asks twice, then its question shows all that was written',
  async (which) => {
    await using scene = await troubled();
    const { ctx, id, incident } = scene;
    const open = { incident: { open: incidentOf(incident, { level: 4, escalated: true }) } };
    const again = { ...asks(incident), why: 'it crashed once more' };
    const records = [failed(incident, 'first'), attempt(incident), failed(incident, 'second'), asks(incident), again];

    await decided(ctx, id, { records, patch: open, fresh: which === 'opened' ? incident : scene.nature.uuid() });

    const [second, first] = await listErrors(ctx, { all: true, limit: 10 }, EVERYTHING);
    expect([second?.message, second?.cause, first?.cause]).toEqual(['second', first?.id, null]);
    expect(await ctx.store.listEscalations({ limit: 10 })).toMatchObject([
      {
        occurrences: 2,
        context: {
          errorId: second?.id,
          history: [{ kind: 'attempt' }, { kind: 'escalated', action: asks(incident).why }, { action: again.why }],
        },
      },
    ]);
  },
);

test('given an exit that a machine saw a moment ago, when its error is written, then it says how long that took', async () => {
  await using scene = await troubled();
  const { ctx, id, incident, nature } = scene;
  const exit = { incarnation: '1', status: 3, signal: null, lastLines: [], limit: null, at: nature.now - 80 };

  await decided(ctx, id, { records: [failed(incident, 'it ended')], event: { kind: 'pane-exited', exit } });

  expect((await listErrors(ctx, { all: true, limit: 1 }, EVERYTHING))[0]?.detectMs).toBe(80);
});

test('given errors, when their incident is over, then they are recovered, and only a list of all shows them', async () => {
  await using scene = await troubled();
  const { ctx, id, incident, nature } = scene;
  await decided(ctx, id, {
    records: [failed(incident, 'first'), failed(null, 'loose')],
    patch: { incident: { open: incidentOf(incident) } },
  });
  nature.now += 3_000;

  await decided(ctx, id, { records: [recovered(incident)], patch: { incident: { open: null } } });

  expect(await listErrors(ctx, { all: false, limit: 10 }, EVERYTHING)).toMatchObject([{ message: 'loose' }]);
  expect(await listErrors(ctx, { all: true, limit: 10, sinceMs: 1_000 }, EVERYTHING)).toEqual([]);
  expect(await listErrors(ctx, { all: true, limit: 10, worker: 'adam' }, EVERYTHING)).toHaveLength(2);
});

test('given an incident that a person ends, when it is over, then its errors are no open ones any more', async () => {
  await using scene = await troubled();
  const { ctx, id, incident } = scene;
  await decided(ctx, id, { records: [failed(incident, 'first')], patch: { incident: { open: incidentOf(incident) } } });

  const answered = { kind: 'escalation-closed', incident, how: 'resolved', option: 'skip' } as const;
  await decided(ctx, id, { records: [answered], patch: { incident: { open: null } } });

  expect(await listErrors(ctx, { all: false, limit: 10 }, EVERYTHING)).toEqual([]);
});

test('given an incident that is over for another reason, when it was called off, then its errors are not open, and did not recover', async () => {
  await using scene = await troubled();
  const { ctx, id, incident } = scene;
  await decided(ctx, id, { records: [failed(incident, 'first')], patch: { incident: { open: incidentOf(incident) } } });

  const moot = { kind: 'escalation-closed', incident, how: 'cancelled', option: null } as const;
  await decided(ctx, id, { records: [moot], patch: { incident: { open: null } } });

  expect(await listErrors(ctx, { all: false, limit: 10 }, EVERYTHING)).toEqual([]);
  expect(await listErrors(ctx, { all: true, limit: 10 }, EVERYTHING)).toMatchObject([
    { recovered: false, outcome: 'cancelled' },
  ]);
});

test('given a save that failed, when the next one succeeds, then its error is over, and no other', async () => {
  await using scene = await troubled();
  const { ctx, id } = scene;
  const unsaved = { ...failed(null, 'Drover could not save its work'), component: SAVING };
  await decided(ctx, id, { records: [unsaved, failed(null, 'another')] });

  const saved = {
    id: scene.nature.uuid(),
    type: 'periodic',
    commit: null,
    conversation: null,
    incident: null,
  } as const;
  await decided(ctx, id, { records: [{ kind: 'checkpoint', ...saved, why: 'a minute' }] });

  expect(await listErrors(ctx, { all: false, limit: 10 }, EVERYTHING)).toMatchObject([{ message: 'another' }]);
});

test('given a number of checkpoints to keep, when one more is written, then the rows of the oldest go', async () => {
  await using scene = await troubled();
  const { ctx, id, nature } = scene;
  await withPolicy(ctx, { checkpoint: { keptMax: 2 } });
  const ids = [nature.uuid(), nature.uuid(), nature.uuid()];

  for (const one of ids) {
    nature.now += 1_000;
    const saved = { id: one, type: 'before_retry', commit: one, conversation: null, incident: null } as const;
    await decided(ctx, id, { records: [{ kind: 'checkpoint', ...saved, why: 'a test' }] });
  }

  const left = await ctx.store.listCheckpoints({ workerId: id, limit: 10 });
  expect(left.map((row) => row.id).toSorted()).toEqual(ids.slice(1).toSorted());
});

const RECOVERED = { recovered: true, outcome: null };
const CALLED_OFF = { recovered: false, outcome: 'cancelled' };
const OPEN = { recovered: false, outcome: null };

test.each([
  ['review', RECOVERED, OPEN],
  ['accepted', RECOVERED, RECOVERED],
  ['ended', CALLED_OFF, CALLED_OFF],
  ['failed', CALLED_OFF, CALLED_OFF],
  ['rejected', OPEN, OPEN],
] as const)(
  'given a tool and a command that failed in a task, when the task is "%s", then that is what became of them, and of no other task\'s',
  async (status, tool, other) => {
    await using scene = await troubled();
    const { ctx, id } = scene;
    const failures = [{ ...failed(null, 'npm failed'), component: `${TOOL}Bash` }, failed(null, 'no answer')];
    await decided(ctx, id, {
      records: [failed(null, 'before')],
      patch: { task: { ...TASK, id: scene.nature.uuid() } },
    });
    await decided(ctx, id, { records: failures, patch: { task: TASK } });

    await decided(ctx, id, { records: [{ kind: 'task', id: TASK.id, status }], patch: { task: { kind: 'none' } } });

    const became = new Map(
      (await listErrors(ctx, { all: true, limit: 10 }, EVERYTHING)).map((row) => [row.message, row]),
    );
    expect(became.get('npm failed')).toMatchObject(tool);
    expect(became.get('no answer')).toMatchObject(other);
    expect(became.get('before')).toMatchObject(OPEN);
  },
);

test('given an error of no incident, when its worker is removed, then it is called off', async () => {
  await using scene = await troubled();
  const { ctx, id } = scene;
  await decided(ctx, id, { records: [failed(null, 'no answer')] });

  await decided(ctx, id, { records: [{ kind: 'gone' }] });

  expect(await listErrors(ctx, { all: false, limit: 10 }, EVERYTHING)).toEqual([]);
  expect(await listErrors(ctx, { all: true, limit: 10 }, EVERYTHING)).toMatchObject([CALLED_OFF]);
});

test('given a recovery and a question, when they are summed up, then the report counts both and says where to look', async () => {
  await using scene = await troubled();
  const { ctx, id, incident, nature } = scene;
  const second = nature.uuid();
  await decided(ctx, id, {
    records: [failed(incident, 'first'), attempt(incident)],
    patch: { incident: { open: incidentOf(incident, { attempts: 1 }) } },
  });
  nature.now += 3_000;
  await decided(ctx, id, { records: [recovered(incident)], patch: { incident: { open: null } } });
  await decided(ctx, id, {
    records: [failed(second, 'again'), asks(second)],
    patch: { incident: { open: incidentOf(second, { level: 4, escalated: true, openedAt: nature.now }) } },
  });

  const outcome = await report(ctx, { worker: 'adam', sinceMs: 60_000 }, EVERYTHING);

  expect(outcome).toMatchObject({
    kind: 'ok',
    value: {
      errors: [{ code: 'AGENT_CRASHED', count: 2, recovered: 1, lastMessage: 'again' }],
      incidents: { total: 2, open: 1, recovered: 1, recoveryRate: 1 },
      recoveries: [{ how: 'restart (level 1)', attempts: 1, helped: 1 }],
      timeToRecoverMs: { count: 1, p50: 3_000, max: 3_000 },
      retriesBeforeSuccess: [{ attempts: 2, incidents: 1 }],
      escalations: { total: 1, open: 1 },
      references: [
        { command: expect.stringMatching(/^drover escalation show [0-9a-f]{8}$/) },
        { command: 'drover report errors --worker adam' },
      ],
    },
  });
});

test('given an unknown name, when a report is asked for, then it is refused with those that there are', async () => {
  await using scene = await troubled();

  const outcome = await report(scene.ctx, { worker: 'nobody', sinceMs: 1 }, EVERYTHING);

  expect(outcome).toMatchObject({ kind: 'refused', code: 'not-found', message: expect.stringContaining('adam') });
});

test('given a profile that recovery chose, when it is written, then the worker leaves its account', async () => {
  await using scene = await troubled();
  const { ctx, id } = scene;
  const paused = { account: { kind: 'paused', until: null } } as const;
  await decided(ctx, id, { records: [{ kind: 'account', event: 'limit-hit', resetAt: null }], patch: paused });

  await decided(ctx, id, { records: [{ kind: 'profile-changed', from: 'claude', to: 'codex' }], patch: paused });

  expect(await ctx.store.listAccounts()).toMatchObject([{ state: { kind: 'paused', waiting: [] } }]);
});

const TASK = {
  kind: 'in-hand',
  id: 't',
  prompt: 'p',
  text: 'p',
  startedAt: 1,
  headBefore: null,
  taken: true,
  attempts: 0,
} as const;

function recovered(incident: string) {
  return { kind: 'recovered', incident, code: 'AGENT_CRASHED', attempts: 2, level: 1, sinceMs: 3_000 } as const;
}

function attempt(incident: string) {
  const what = { action: 'restart in 2 s', strategy: 'restart', alternative: null } as const;
  return { kind: 'recovery', incident, code: 'AGENT_CRASHED', level: 1, attempt: 1, ...what } as const;
}

async function troubled() {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const [row] = await withWorkers(ctx, ['adam']);
  if (row === undefined) throw new Error('no worker');
  return {
    ctx,
    nature,
    id: row.id,
    incident: nature.uuid(),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}
