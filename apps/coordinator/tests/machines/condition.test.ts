/** Consequences of a machine's report on its condition, and of nonsense. On scripted machines. */
import { syncRequest } from '@drover/protocol';
import { expect, test } from 'vitest';
import { takeRequest } from '../../src/agent/sync.ts';
import { examineMachines } from '../../src/use-cases/doctor/machines.ts';
import { whyNotYet } from '../../src/facts/machines/canary.ts';
import { CONDITION_HOLDS_MS } from '../../src/facts/machines/condition.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { emptied, heard, MIA, nameOf } from '../support/placing.ts';
import type { TwoMachines } from '../support/two-machines.ts';

/** Sends a whole sync of a machine that reports its condition. */
async function says({ ctx, honest }: TwoMachines, said: Record<string, unknown>, machine = honest): Promise<void> {
  const condition = {
    sentAt: ctx.clock.now(),
    programs: [],
    processors: 4,
    load: 0.5,
    memory: { bytes: 16e9, freeBytes: 8e9 },
    disk: { bytes: 1e12, freeBytes: 5e11 },
    ...said,
  };
  const agentEpoch = machine.agentEpoch ?? '';
  const request = syncRequest.parse({ agentEpoch, acks: [], observations: [], condition });
  expect(await takeRequest(ctx, machine, request)).toMatchObject({ ackThrough: 0 });
}

const CLAUDE = { of: 'profile', name: 'sim', state: 'present', version: '1' } as const;

test('given machines that say what they have, when workers come, then they go where their program, disk and memory are, and the refusal says what is short', async () => {
  const given = await emptied();
  const { two } = given;
  await says(two, { programs: [{ ...CLAUDE, state: 'missing' }] }, two.liar);
  await says(two, { programs: [CLAUDE] });

  const first = await given.add('adam');
  await says(two, { disk: { bytes: 1e12, freeBytes: 1e8 } });
  const second = await given.add('bea');
  await says(two, { programs: [{ ...CLAUDE, state: 'forbidden' }] }, two.liar);
  const third = await given.add('dan');
  const named = await given.add('cleo', { machine: 'liar' });

  expect(nameOf(first)).toBe('adam on honest');
  expect(nameOf(second)).toBe('bea on liar');
  expect(second.kind === 'ok' && second.value.note).toBe(
    'On liar, it does not have the program of "sim" yet, so the agent cannot start until somebody installs it',
  );
  expect(nameOf(third)).toBe(
    'No machine can take dan: "honest" is short: 0.1 GiB of disk are free, and new work needs 1.0 GiB; ' +
      '"liar" may not start "sim": its owner does not allow it: see "drover machine", and name one with --machine to wait for it',
  );
  expect(nameOf(named)).toBe('cleo on liar');
});

test('given a machine under load, when a worker comes, then it goes to the other, and after ten silent minutes nothing goes by it', async () => {
  const given = await emptied();
  await says(given.two, { load: 30 });
  const before = await given.add('adam');
  await given.ctx.store.transaction(async (tx) => tx.deleteWorker(given.rowOf('adam').id));

  given.nature.now += CONDITION_HOLDS_MS + 1;
  await heard(given.two);
  const after = await given.add('bea');

  expect([before, after].map(nameOf)).toEqual(['adam on liar', 'bea on honest']);
});

test('given a machine that says nonsense of itself, when it is heard, then nothing of it is kept, and its sync goes on', async () => {
  const given = await emptied();
  const { two } = given;
  const kept = async (): Promise<unknown> => (await given.ctx.store.readMachine(two.honest.id))?.condition;

  for (const said of [
    { processors: 0 },
    { load: -1 },
    { load: Number.MAX_VALUE },
    { memory: { bytes: 1, freeBytes: -5 } },
    { sentAt: 'now' },
    { programs: Array.from({ length: 101 }, () => CLAUDE) },
    { programs: [{ ...CLAUDE, version: 'v'.repeat(201) }] },
    { programs: [{ ...CLAUDE, state: 'root' }] },
  ])
    await says(two, said);

  expect(await kept()).toBeNull();
  await says(two, { sentAt: 0, extra: 'x' });
  expect(await kept()).toMatchObject({ clockOffsetMs: -given.ctx.clock.now() });
  expect(await kept()).not.toHaveProperty('extra');
});

test('given a machine whose clock is off, whose memory is low and which has a key, when people look, then machines and the doctor warn of it', async () => {
  const given = await emptied();
  const { two } = given;
  await given.add('adam', { machine: 'honest' });
  const sentAt = given.ctx.clock.now() + 3_400;
  await says(two, {
    sentAt,
    memory: { bytes: 1e9, freeBytes: 1e7 },
    programs: [{ ...CLAUDE, state: 'missing', keys: ['ANTHROPIC_API_KEY'] }],
  });
  await says(two, { sentAt: given.ctx.clock.now() + 1_900 }, two.liar);

  const shown = await createMachineFleet(given.ctx).listMachines(MIA);
  const facts = {
    now: given.ctx.clock.now(),
    machines: await given.ctx.store.listMachines(),
    workers: await given.ctx.store.listWorkers(),
    projects: await given.ctx.store.listProjects(),
  };
  const found = examineMachines(facts, given.ctx.policy);

  const clock = 'has a clock that is about 3.4 s ahead: dates of commits and in its log are wrong';
  expect(shown.map(({ name, warnings }) => [name, warnings])).toEqual([
    ['honest', [clock, expect.stringContaining('is short: 0.0 GiB of memory are free')]],
    ['liar', []],
  ]);
  expect(found.filter(({ level }) => level !== 'ok')).toMatchObject([
    { check: 'clock', about: 'honest', level: 'warning', says: clock },
    { check: 'memory', about: 'honest', level: 'warning' },
    {
      check: 'payment',
      about: 'honest',
      level: 'warning',
      says: expect.stringContaining('ANTHROPIC_API_KEY of its environment is refused'),
    },
    { check: 'program', about: 'honest', level: 'problem' },
  ]);
});

function untried(turns: number): Record<string, unknown> {
  return { programs: [{ ...CLAUDE, untried: { version: '9.9.9', turns, disagreements: 0 } }] };
}

test('given a version that no trial has seen, when a worker is at work with it, then the next one waits until enough turns are read right, and people are told', async () => {
  const given = await emptied();
  const { two, ctx } = given;
  await says(two, untried(4));
  await says(two, untried(3), two.liar);
  await given.add('adam', { machine: 'honest' });
  await given.add('bea', { machine: 'liar' });
  const works = (name: string, status: 'working' | 'idle') => {
    const row = given.rowOf(name);
    return { ...row, state: { ...row.state, lifecycle: { ...row.state.lifecycle, status } } };
  };
  const why = async (status: 'working' | 'idle'): Promise<string | null> => {
    const machines = await ctx.store.listMachines();
    return whyNotYet(
      works('bea', 'idle'),
      { machines, workers: [works('adam', status), works('bea', 'idle')] },
      ctx.policy,
    );
  };

  expect(await why('idle')).toBeNull();
  expect(await why('working')).toBe(
    'would be the second at work with sim 9.9.9, which no trial has seen: adam is the first',
  );
  expect((await createMachineFleet(ctx).listMachines(MIA)).map(({ warnings }) => warnings)).toEqual(
    Array.from({ length: 2 }, () => [
      'runs sim 9.9.9, which no trial has seen: one task at a time until 10 turns are read right (7 so far)',
    ]),
  );

  await says(two, untried(7));

  expect(await why('working')).toBeNull();
  expect((await createMachineFleet(ctx).listMachines(MIA)).flatMap(({ warnings }) => warnings)).toEqual([]);
});
