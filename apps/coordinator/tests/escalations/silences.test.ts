/** Silences hold calls back, never questions: on both stores. */
import { describe, expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { createOncallFleet } from '../../src/use-cases/oncall/fleet.ts';
import { SILENCES_MAX } from '../../src/use-cases/oncall/silences.ts';
import { person } from '../support/actors.ts';
import { withPlaces } from '../support/calls.ts';
import { ANN, OPEN, open4 } from '../support/questions.ts';
import { asks, decided, inMemory, onPostgres } from '../support/scene.ts';

const MINUTE = 60_000;
const BOSS = person('boss', { role: 'operator' });

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('silences, %s', (_, open) => {
  test('given a silenced machine, when a worker on it asks, then the question waits, and the call comes when the silence ends', async () => {
    await using scene = await asking(open);
    const { fleet, ask, pings, pass } = scene;
    const begun = await fleet.silence({ machine: 'laptop', forMs: 60 * MINUTE, reason: 'new disk' }, BOSS);
    await ask();

    expect(begun).toMatchObject({ kind: 'ok', value: { machine: 'laptop', by: 'person boss', reason: 'new disk' } });
    expect(await listEscalations(scene.ctx, OPEN, ANN)).toMatchObject([{ status: 'open' }]);
    expect((await fleet.showOncall(BOSS))[0]).toMatchObject({ waiting: 1, held: 1, silences: [{ machine: 'laptop' }] });
    await pass(59 * MINUTE);
    expect(await pings()).toBe(0);
    await pass(MINUTE);
    expect(await pings()).toBe(1);
  });

  test('given a silence that somebody ends, when it held a call back, then the call comes now', async () => {
    await using scene = await asking(open);
    const { ctx, fleet, ask, pings } = scene;
    const begun = await fleet.silence({ worker: 'adam', forMs: 60 * MINUTE, reason: 'I look' }, BOSS);
    await ask();
    if (begun.kind === 'refused') throw new Error(begun.message);

    expect(await fleet.unsilence({ id: begun.value.shortId }, BOSS)).toMatchObject({ kind: 'ok' });
    await drainDueWork(ctx);

    expect(await pings()).toBe(1);
    expect(await fleet.unsilence({ id: begun.value.shortId }, BOSS)).toMatchObject({ code: 'not-found' });
  });

  test('given a silence that is shortened, then ended, when calls are due now, then the loop hears of each after the commit', async () => {
    await using scene = await asking(open);
    const { ctx } = scene;
    const order: string[] = [];
    const transaction: typeof ctx.store.transaction = async (work) => {
      const done = await ctx.store.transaction(work);
      order.push('commit');
      return done;
    };
    const hints = { ...ctx.hints, due: () => order.push('hint') };
    const fleet = createOncallFleet({ ...ctx, hints, store: { ...ctx.store, transaction } });
    const begun = await fleet.silence({ worker: 'adam', forMs: 60 * MINUTE, reason: 'I look' }, BOSS);
    if (begun.kind === 'refused') throw new Error(begun.message);
    order.length = 0;

    await fleet.editSilence({ id: begun.value.shortId, forMs: MINUTE }, BOSS);
    await fleet.unsilence({ id: begun.value.shortId }, BOSS);

    expect(order).toEqual(['commit', 'hint', 'commit', 'hint']);
  });

  test('given room for one more silence, when several people begin one at once, then one is begun and the others are told why not', async () => {
    await using scene = await asking(open);
    const { fleet, ctx } = scene;
    const how = { machine: 'laptop', forMs: MINUTE, reason: 'x' };
    await fleet.silence(how, BOSS);
    const [row] = await ctx.store.listSilences(ctx.clock.now());
    if (row === undefined) throw new Error('no silence was begun');
    await ctx.store.transaction(async (tx) => {
      for (let more = 1; more < SILENCES_MAX - 1; more += 1) await tx.insertSilence({ ...row, id: ctx.ids.uuid() });
    });

    const begun = await Promise.all([0, 1, 2, 3].map(() => fleet.silence(how, BOSS)));

    expect(begun.filter(({ kind }) => kind === 'ok')).toHaveLength(1);
    expect(begun.find(({ kind }) => kind === 'refused')).toMatchObject({ message: expect.stringContaining('end one') });
  });

  test('given names that mean nothing, when they are silenced, then that is refused with those that exist', async () => {
    await using scene = await asking(open);
    const { fleet, ctx } = scene;
    const how = { forMs: MINUTE, reason: 'x' };

    const refusals = [
      await fleet.silence(how, BOSS),
      await fleet.silence({ ...how, worker: 'adm' }, BOSS),
      await fleet.silence({ ...how, machine: 'laptp' }, BOSS),
      await fleet.silence({ ...how, project: 'shp' }, BOSS),
    ];

    expect(refusals).toMatchObject([
      { code: 'invalid', message: expect.stringContaining('--worker') },
      { code: 'not-found', message: expect.stringContaining('adam') },
      { code: 'not-found', message: expect.stringContaining('laptop') },
      { code: 'not-found', message: expect.stringContaining('shop') },
    ]);
    expect(await ctx.store.listSilences(0)).toEqual([]);
  });

  test('X10: given a caller of another project, when they silence or end a silence, then nothing of this project changes', async () => {
    await using scene = await asking(open);
    const { ctx, fleet, ask, pings, nature } = scene;
    const [project] = await ctx.store.listProjects();
    if (project === undefined) throw new Error('There is no project');
    const other = await ctx.store.upsertProject({ ...project, id: nature.uuid(), name: 'other', root: '/other' }, 2);
    const stranger = person('eve', { role: 'operator', project: other.id });
    const begun = await fleet.silence({ machine: 'laptop', forMs: 60 * MINUTE, reason: 'mine' }, stranger);
    const own = await fleet.silence({ worker: 'adam', forMs: MINUTE, reason: 'mine' }, stranger);
    await ask();

    expect(begun).toMatchObject({ kind: 'ok' });
    expect(own).toMatchObject({ code: 'not-found' });
    expect(await pings()).toBe(1);
  });
});

async function asking(open: Parameters<typeof withPlaces>[0]) {
  const scene = await withPlaces(open, ['adam'], { repeat: 0 });
  const { ctx, first, incident } = scene;
  return {
    ...scene,
    fleet: createOncallFleet(ctx),
    ask: () => decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) }),
    pings: async (): Promise<number> => {
      const [question] = await listEscalations(ctx, OPEN, ANN);
      const [delivery] = await ctx.store.listDeliveries(question?.id ?? '');
      return delivery?.pingsWanted ?? 0;
    },
  };
}
