/** Questions that a machine may ask of the machine with the repository, and their answers. */
import { randomUUID } from 'node:crypto';
import type { HomeRequest, QueryResult } from '@drover/protocol';
import type { Machine, MachinePlaces } from '@drover/store';
import { describe, expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { askHome, type AskedHome } from '../../src/use-cases/parcels/home.ts';
import { twoMachines } from '../support/two-machines.ts';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
const SHA = 'c'.repeat(64);
const AT_HOME: MachinePlaces = { workspace: '/w', roots: { p: '/srv/p' } };
const ELSEWHERE: MachinePlaces = { workspace: '/w', roots: {} };
const MAIN: QueryResult = { kind: 'main', commit: OLD, format: 'sha1' };

/** Questions to the home about main. */
const OF_MAIN: ReadonlySet<string> = new Set([
  'read-main',
  'pack',
  'publish-for',
  'keep-content',
  'settle-main',
  'check-for',
]);

/** Builds a home and another machine with a command that publishes. `answers` are the home's answers when time passes. */
async function withHome(options: { readonly home?: MachinePlaces; readonly answers?: QueryResult | null } = {}) {
  const fleet = await twoMachines();
  const home = await fleet.hello(fleet.honest, options.home ?? AT_HOME);
  const asker = await fleet.hello(fleet.liar, ELSEWHERE);
  const worker = await fleet.begin(asker, 'udo');
  const { ctx: plain, database } = fleet;
  const { answers = MAIN } = options;
  let passed = 0;
  const asked = () =>
    [...database.outbox.values(), ...database.ended.values()]
      .filter(({ machineId }) => machineId === home.id)
      .flatMap(({ body }) => (body.kind === 'query' && OF_MAIN.has(body.query.kind) ? [body.query] : []));
  const ctx = {
    ...plain,
    clock: {
      now: () => plain.clock.now() + passed,
      after: (ms: number, run: () => void) => {
        passed += ms;
        const pass = async (): Promise<void> => {
          await Promise.resolve(); // by then the waiting call knows how to stop the timer
          for (const { id, machineId, body } of database.outbox.values()) {
            if (machineId !== home.id || body.kind !== 'query' || answers === null) continue;
            await plain.store.transaction((tx) =>
              tx.finishCommands([{ id, machineId, command: null, result: answers }], plain.clock.now()),
            );
          }
          run();
        };
        void pass();
        return () => {};
      },
    },
  };
  const commandId = randomUUID();
  const settings = [...database.outbox.values()].find(({ workerId }) => workerId === worker.id)?.settings;
  if (settings === undefined) throw new Error('no settings');
  const publish = { kind: 'publish', base: OLD, commit: NEW } as const;
  const command = { id: commandId, machineId: asker.id, workerId: worker.id, settings, timeoutMs: 1 };
  await plain.store.transaction((tx) =>
    tx.insertCommands([{ ...command, body: { kind: 'command', seq: 99, command: publish } }], plain.clock.now()),
  );
  const ask = (
    what: HomeRequest['ask'],
    change: { readonly machine?: Machine; readonly command?: string; readonly id?: string } = {},
  ): Promise<AskedHome> =>
    askHome(
      ctx,
      { commands: new Waiters() },
      {
        machine: change.machine ?? asker,
        request: { command: change.command ?? commandId, id: change.id ?? randomUUID(), ask: what },
      },
    );
  return { ...fleet, home, asker, commandId, ask, asked, ctx, settings };
}

test('given a command of its own, when a machine asks for main, then the machine with the repository is asked once, and answers', async () => {
  const { ask, asked, home, settings } = await withHome();
  const id = randomUUID();

  const [first, again] = [await ask({ kind: 'main' }, { id }), await ask({ kind: 'main' }, { id })];

  expect(first).toMatchObject({ kind: 'answered', answer: { machine: home.id, name: 'honest', result: MAIN } });
  expect(again).toEqual(first);
  expect(asked()).toEqual([{ kind: 'read-main' }]);
  expect(settings.project.elsewhere).toBe(true);
});

test('given a machine that names a command of another one, or one that is not there, when it asks, then nobody is asked', async () => {
  const { ask, asked, honest } = await withHome();

  const answers = [
    await ask({ kind: 'main' }, { command: randomUUID() }),
    await ask({ kind: 'main' }, { machine: { ...honest, id: randomUUID() } }),
  ];

  expect(answers).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
  expect(asked()).toEqual([]);
});

test.each([
  ['another commit', { base: OLD, commit: 'd'.repeat(40) }],
  ['another base', { base: 'd'.repeat(40), commit: NEW }],
])('given a command that publishes, when its machine wants to publish %s, then nobody is asked', async (_, what) => {
  const { ask, asked } = await withHome();

  expect(await ask({ kind: 'publish', sha256: SHA, bytes: 1, ...what })).toEqual({ kind: 'unknown' });

  expect(asked()).toEqual([]);
});

test('given what its command publishes, when a machine asks for that, then the home is told whose parcel and work it is', async () => {
  const outcome = { kind: 'published', checkout: { kind: 'none' } } as const;
  const { ask, asked, asker } = await withHome({ answers: { kind: 'publish-ended', outcome } });

  const answer = await ask({ kind: 'publish', sha256: SHA, bytes: 7, base: OLD, commit: NEW });

  expect(answer).toMatchObject({ kind: 'answered', answer: { result: { outcome } } });
  expect(asked()).toEqual([
    { kind: 'publish-for', from: asker.id, sha256: SHA, bytes: 7, worker: 'udo', base: OLD, commit: NEW },
  ]);
});

test('given content of what its command publishes, when a machine asks to have it kept, then the home is told whose it is, and may read it', async () => {
  const { ask, asked, asker, home, ctx } = await withHome({ answers: { kind: 'content-kept' } });
  const named = { kind: 'unpack', machineId: asker.id, sha256: SHA } as const;

  const answer = await ask({ kind: 'content', sha256: SHA, bytes: 7 });

  expect(answer).toMatchObject({ kind: 'answered', answer: { result: { kind: 'content-kept' } } });
  expect(asked()).toEqual([{ kind: 'keep-content', from: asker.id, sha256: SHA, bytes: 7 }]);
  // The question is answered: nobody reads the parcel any more.
  expect(await ctx.store.isParcelNamed(home.id, named)).toBe(false);
});

test('given a command that publishes nothing, when its machine wants content kept, then nobody is asked', async () => {
  const { ask, asked, asker, ctx, database } = await withHome();
  const other = [...database.outbox.values()].find(
    ({ machineId, body }) => machineId === asker.id && body.kind === 'command' && body.command.kind !== 'publish',
  );

  const answer = await ask({ kind: 'content', sha256: SHA, bytes: 7 }, { command: other?.id ?? '' });

  expect(other).toBeDefined();
  expect(answer).toEqual({ kind: 'unknown' });
  expect(asked()).toEqual([]);
  expect(ctx.store).toBeDefined();
});

test('given a parcel of the home, when a machine has asked for it, then it alone may read it', async () => {
  const { ask, ctx, home, asker } = await withHome({ answers: { kind: 'packed', sha256: SHA, bytes: 7 } });
  const key = { machineId: home.id, sha256: SHA };
  await ctx.store.transaction((tx) => tx.openParcel({ ...key, bytes: 7, openedAt: 1 }));
  const named = { kind: 'unpack', ...key } as const;
  const before = await ctx.store.isParcelNamed(asker.id, named);

  await ask({ kind: 'fetch', commit: OLD, not: [], resend: false });

  expect(before).toBe(false);
  expect(await ctx.store.isParcelNamed(asker.id, named)).toBe(true);
  expect(await ctx.store.isParcelNamed(randomUUID(), named)).toBe(false);
});

describe('the work of a worker elsewhere', () => {
  const WORK = { kind: 'work', worker: 'hal', commit: NEW, not: [OLD], resend: false } as const;

  /** Builds a worker on the home machine, and a command of the other machine that builds a train with its work. */
  async function withTrain(change: { readonly elsewhere?: boolean; readonly head?: string } = {}) {
    const fleet = await withHome({ answers: { kind: 'packed', sha256: SHA, bytes: 7 } });
    const { ctx, home, asker, settings, begin } = fleet;
    await begin(home, 'hal');
    const id = randomUUID();
    const { head = NEW, elsewhere = true } = change;
    const items = [{ worker: 'hal', at: { head, tree: null }, elsewhere }];
    const extend = { kind: 'extend', onto: OLD, items } as const;
    const command = { id, machineId: asker.id, workerId: settings.workerId, settings, timeoutMs: 1 };
    await ctx.store.transaction((tx) =>
      tx.insertCommands([{ ...command, body: { kind: 'command', seq: 100, command: extend } }], ctx.clock.now()),
    );
    return { ...fleet, train: { command: id } };
  }

  test('given a train with it, when the machine that builds it asks, then the machine of the worker is asked to pack it, and only who asked may read', async () => {
    const { ask, asked, train, ctx, home, asker } = await withTrain();
    const key = { machineId: home.id, sha256: SHA };
    await ctx.store.transaction((tx) => tx.openParcel({ ...key, bytes: 7, openedAt: 1 }));

    const answer = await ask(WORK, train);

    expect(answer).toMatchObject({ kind: 'answered', answer: { machine: home.id, result: { kind: 'packed' } } });
    expect(asked()).toMatchObject([{ kind: 'pack', of: 'work', commit: NEW, not: [OLD] }]);
    expect(await ctx.store.isParcelNamed(asker.id, { kind: 'unpack', ...key })).toBe(true);
    expect(await ctx.store.isParcelNamed(randomUUID(), { kind: 'unpack', ...key })).toBe(false);
  });

  test.each([
    ['a command that builds no train', {}, { command: undefined }],
    ['a train with another commit of it', { head: OLD }, {}],
    ['a train in which it is on the same machine', { elsewhere: false }, {}],
  ])('given %s, when a machine asks for it, then nobody is asked', async (_, change, options) => {
    const { ask, asked, train } = await withTrain(change);

    expect(await ask(WORK, 'command' in options ? {} : train)).toEqual({ kind: 'unknown' });

    expect(asked()).toEqual([]);
  });

  test('given a worker that is not there, when a machine asks for its work, then nobody is asked', async () => {
    const { ask, asked, train } = await withTrain();

    expect(await ask({ ...WORK, worker: 'udo' }, train)).toEqual({ kind: 'unknown' });

    expect(asked()).toEqual([]);
  });

  test('given that its machine is away, when another one asks for it, then it is told so', async () => {
    const { ask, asked, train, ctx } = await withTrain();
    ctx.clock.after(10 * 60_000, () => {});

    expect(await ask(WORK, train)).toEqual({
      kind: 'away',
      message: expect.stringContaining('"honest", which is not connected'),
    });
    expect(asked()).toEqual([]);
  });
});

describe('checks on the machine that the project names', () => {
  const CHECKS = { kind: 'checks', parcel: { sha256: SHA, bytes: 7 }, commit: NEW, tree: OLD } as const;
  const VALID = { kind: 'valid', head: NEW, tree: OLD, checks: 'make' } as const;

  /** Builds a command of the machine with the work that lets the other machine run the checks. */
  async function withChecks(on: string | undefined) {
    const fleet = await withHome({ answers: { kind: 'checks-ended', outcome: VALID } });
    const { ctx, asker, settings } = fleet;
    const id = randomUUID();
    const validate = { kind: 'validate', at: { head: NEW, tree: OLD }, on } as const;
    const command = { id, machineId: asker.id, workerId: settings.workerId, settings, timeoutMs: 1 };
    await ctx.store.transaction((tx) =>
      tx.insertCommands([{ ...command, body: { kind: 'command', seq: 100, command: validate } }], ctx.clock.now()),
    );
    return { ...fleet, given: { command: id } };
  }

  test('given a command that names it, when the machine with the work asks, then it is told whose parcel and which commit it is', async () => {
    const { ask, asked, given, asker, home } = await withChecks('honest');

    const answer = await ask(CHECKS, given);

    expect(answer).toMatchObject({ kind: 'answered', answer: { machine: home.id, result: { outcome: VALID } } });
    expect(asked()).toEqual([{ kind: 'check-for', from: asker.id, sha256: SHA, bytes: 7, commit: NEW, tree: OLD }]);
  });

  test.each([
    ['checks where the work is', undefined, CHECKS],
    ['has another commit checked', 'honest', { ...CHECKS, commit: OLD }],
    ['names the machine that asks', 'liar', CHECKS],
  ] as const)('given a command that %s, when its machine asks, then nobody is asked', async (_, on, what) => {
    const { ask, asked, given } = await withChecks(on);

    expect(await ask(what, given)).toEqual({ kind: 'unknown' });

    expect(asked()).toEqual([]);
  });

  test.each([
    ['is silent', 'honest'],
    ['is not there', 'nobody'],
  ])('given that the machine %s, when the checks are asked for, then that is told', async (_, on) => {
    const { ask, asked, given, ctx } = await withChecks(on);
    ctx.clock.after(10 * 60_000, () => {});

    expect(await ask(CHECKS, given)).toEqual({ kind: 'away', message: expect.stringContaining(`"${on}", which runs`) });
    expect(asked()).toEqual([]);
  });
});

test('given a home that does not answer, when a machine asks, then it is told to ask again, and later that the home is away', async () => {
  const { ask, ctx } = await withHome({ answers: null });

  expect(await ask({ kind: 'main' })).toEqual({ kind: 'under-way' });
  ctx.clock.after(10 * 60_000, () => {});

  expect(await ask({ kind: 'main' })).toEqual({
    kind: 'away',
    message: expect.stringContaining('"honest", which is not connected'),
  });
});

test('given no machine with the repository, when a machine asks, then it is told which setting names one', async () => {
  const { ask } = await withHome({ home: ELSEWHERE });

  expect(await ask({ kind: 'main' })).toEqual({ kind: 'away', message: expect.stringContaining('repo.home') });
});
