/** No report of one machine changes anything of the workers of another (docs/adr/0012). */
import type { ObservationBody } from '@drover/protocol';
import { expect, test } from 'vitest';
import { examineReports } from '../../src/use-cases/doctor/reports.ts';
import { refusalsOf } from '../../src/facts/machines/refusals.ts';
import { BUSY, contentsOf, ENDS, incarnationOf, readingOf, twoMachines } from '../support/two-machines.ts';
import type { TwoMachines } from '../support/two-machines.ts';

const DONE = ENDS.deliver;
const READING = readingOf(BUSY, 2_000_000);
const NONE = { lastLines: [], limit: null, at: 5 } as const;
const FAILURE = {
  at: 5,
  conversation: 'c',
  tool: 'Bash',
  name: 'npm test',
  class: 'unknown',
  rule: 'r',
  phase: null,
  evidence: 'e',
  signature: 's',
  operation: 'o',
  action: { kind: 'escalate', title: 'stop', needed: 'you', remediation: [] },
  pauseAccount: null,
} as const;

test.each<[string, (given: TwoMachines) => ObservationBody, string]>([
  [
    'the result of its command',
    ({ bea, commandOf }) => ({ ...commandOf(bea), kind: 'result', workerId: bea.id, result: DONE }),
    'foreign-command',
  ],
  [
    'its command as one of its own worker',
    ({ ann, bea, commandOf }) => ({ ...commandOf(bea), kind: 'result', workerId: ann.id, result: DONE }),
    'foreign-command',
  ],
  [
    'the result of a command that was never given',
    ({ ann, bea, commandOf }) => ({
      ...commandOf(bea),
      kind: 'result',
      workerId: bea.id,
      commandId: ann.id,
      result: DONE,
    }),
    'unknown-command',
  ],
  [
    'an answer to its command',
    ({ bea, commandOf }) => ({
      kind: 'answer',
      commandId: commandOf(bea).commandId,
      result: { kind: 'pane', text: '' },
    }),
    'foreign-command',
  ],
  [
    'its screen',
    ({ bea }) => ({ kind: 'screen', workerId: bea.id, incarnation: incarnationOf(bea), reading: READING }),
    'foreign-worker',
  ],
  [
    'the end of its program',
    ({ bea }) => ({
      kind: 'exit',
      workerId: bea.id,
      exit: { ...NONE, incarnation: incarnationOf(bea), status: 1, signal: null },
    }),
    'foreign-worker',
  ],
  [
    'a tool that failed in it',
    ({ bea }) => ({ kind: 'tool-failed', workerId: bea.id, incarnation: incarnationOf(bea), report: FAILURE }),
    'foreign-worker',
  ],
  [
    'an answer to what its machine was asked',
    ({ queryId }) => ({ kind: 'answer', commandId: queryId, result: { kind: 'pane', text: 'a lie' } }),
    'foreign-command',
  ],
  [
    'the step of its merge',
    ({ bob, commandOf }) => ({ ...commandOf(bob), kind: 'result', workerId: bob.id, result: ENDS.validate }),
    'foreign-command',
  ],
  [
    'a pane of it',
    ({ bea }) => ({ kind: 'panes', panes: [{ workerId: bea.id, incarnation: 'another', dead: true }] }),
    'foreign-worker',
  ],
])(
  'given a worker of another machine, when a machine tells %s, then nothing of it changes',
  async (_what, lie, why) => {
    const given = await twoMachines();
    const before = contentsOf(given, given.honest);

    const taken = await given.say(given.liar, lie(given));

    expect(taken).not.toBeNull();
    expect(contentsOf(given, given.honest)).toEqual(before);
    expect(given.counted).toEqual([why]);
  },
);

test('given a machine that tells the same lie again and again, then it is logged once, counted each time, and the doctor knows of it', async () => {
  const given = await twoMachines();
  const { ctx, bea, liar, honest } = given;

  for (let times = 0; times < 3; times += 1)
    await given.say(liar, { kind: 'screen', workerId: bea.id, incarnation: incarnationOf(bea), reading: READING });

  expect(given.logged).toEqual(['The machine "liar" reports on a worker of another machine: Drover ignores it']);
  expect(given.counted).toHaveLength(3);
  const records = await ctx.store.listRefusedReports();
  expect(refusalsOf(records, liar.id)).toMatchObject([
    { says: expect.stringContaining('worker of another machine'), count: 3 },
  ]);
  expect(refusalsOf(records, honest.id)).toEqual([]);
  expect(await examineReports(ctx, [liar, honest])).toMatchObject([
    { check: 'reports', about: 'liar', level: 'warning', says: expect.stringContaining('3 time(s) between') },
  ]);
});

test('given a worker that was removed, when its machine still reports it, then that is not called a lie', async () => {
  const given = await twoMachines();
  const { ctx, bea, honest, commandOf } = given;
  const command = commandOf(bea);
  await ctx.store.transaction((tx) => tx.deleteWorker(bea.id));

  await given.say(honest, { kind: 'screen', workerId: bea.id, incarnation: incarnationOf(bea), reading: READING });
  await given.say(honest, { ...command, kind: 'result', workerId: bea.id, result: DONE });

  expect(given.logged).toEqual([]);
  expect(given.counted).toEqual(['unknown-worker', 'unknown-command']);
});

/** A text of 100 kB. */
const LONG = 'x'.repeat(100_000);
const MANY_PANES = Array.from({ length: 100 }, (_, at) => ({
  workerId: `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  incarnation: 'x'.repeat(100),
  dead: true,
}));

test.each<[string, (given: TwoMachines) => ObservationBody]>([
  [
    'a screen of a worker of another machine',
    ({ bea }) => ({
      kind: 'screen',
      workerId: bea.id,
      incarnation: incarnationOf(bea),
      reading: { ...READING, fingerprint: LONG },
    }),
  ],
  [
    'a failed tool of a worker that there is not',
    ({ bea, queryId }) => ({
      kind: 'tool-failed',
      workerId: queryId,
      incarnation: incarnationOf(bea),
      report: { ...FAILURE, evidence: LONG },
    }),
  ],
  [
    'the end of a command of another machine',
    ({ bea, commandOf }) => ({
      ...commandOf(bea),
      kind: 'result',
      workerId: bea.id,
      result: { kind: 'failed', code: 'c', message: LONG, retry: false },
    }),
  ],
  [
    'an answer to what was never asked',
    ({ bea }) => ({ kind: 'answer', commandId: bea.id, result: { kind: 'pane', text: LONG } }),
  ],
  ['panes of workers that there are not', () => ({ kind: 'panes', panes: MANY_PANES })],
])(
  'given %s, when a machine reports it a hundred times, then nothing of it is stored but a count and a digest',
  async (_what, lie) => {
    const given = await twoMachines();
    const { database } = given;

    for (let times = 0; times < 100; times += 1) await given.say(given.liar, lie(given));

    const kept = JSON.stringify([...database.observations.values(), ...database.refusedReports.values()]);
    expect(kept.length).toBeLessThan(500 * 100);
    expect(kept).not.toContain('xxx');
    const [record] = [...database.refusedReports.values()];
    expect(record).toMatchObject({
      machineId: given.liar.id,
      count: 100,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
    expect(record?.bytes).toBeGreaterThan(100 * 10_000);
  },
);

test('given a machine whose workers are gone, when it lists panes, then nothing of the list is stored', async () => {
  const given = await twoMachines();
  const { ctx, ann, database, liar } = given;
  await ctx.store.transaction((tx) => tx.deleteWorker(ann.id));
  const before = [...database.observations.values()];

  await given.say(liar, { kind: 'panes', panes: [] });
  await given.say(liar, { kind: 'panes', panes: MANY_PANES });

  expect([...database.observations.values()].slice(before.length).filter(({ body }) => body !== null)).toEqual([]);
});

test('given a question to a machine, when it answers again and again, then the first answer is stored once', async () => {
  const given = await twoMachines();
  const { database } = given;
  const answer: ObservationBody = { kind: 'answer', commandId: given.queryId, result: { kind: 'pane', text: LONG } };

  for (let times = 0; times < 3; times += 1) await given.say(given.honest, answer);

  expect([...database.observations.values()].filter(({ body }) => body.kind === 'answer')).toHaveLength(1);
  expect([...database.refusedReports.values()]).toMatchObject([{ reason: 'ended-command', count: 2 }]);
  expect(given.logged).toEqual([]);
});

test('given a machine that said hello again, when a message of its former session comes, then it is refused and comes again in the new one', async () => {
  const given = await twoMachines();
  const { bea, honest, commandOf } = given;
  const body: ObservationBody = { ...commandOf(bea), kind: 'result', workerId: bea.id, result: DONE };
  const present = await given.hello(honest);

  const late = await given.send(honest, [{ seq: 99, at: 1, body }]);
  const again = await given.send(present, [{ seq: 99, at: 1, body }]);

  expect([late, again]).toEqual([null, 99]);
  expect(given.counted).toEqual(['superseded']);
  expect((await given.ctx.store.readWorker(bea.id))?.state).toMatchObject({ mailbox: { current: null } });
});

test('given a hello, when a message names another buffer than it, then nothing of the message is taken', async () => {
  const given = await twoMachines();
  const { ann, liar } = given;
  const body: ObservationBody = { kind: 'screen', workerId: ann.id, incarnation: incarnationOf(ann), reading: READING };
  const before = given.database.observations.size;

  const taken = await given.send(liar, [{ seq: 99, at: 1, body }], { agentEpoch: given.honest.agentEpoch ?? '' });

  expect(taken).toBeNull();
  expect(given.database.observations.size).toBe(before);
});

test('given machines without end that make up kinds of reports, when each comes, then a few are told and none is kept', async () => {
  const given = await twoMachines();

  for (let kind = 0; kind < 500; kind += 1) await given.send(given.liar, [{ seq: kind + 1, unread: `kind-${kind}` }]);

  expect(given.logged).toHaveLength(20);
});
