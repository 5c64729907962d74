/** A person is asked: once, with all that is known, and the first valid answer wins. On both stores. */
import { describe, expect, test } from 'vitest';
import type { SshMachine } from '@drover/store';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { respond } from '../../src/use-cases/escalations/respond.ts';
import { ANN, asked, BEN, OPEN, open4, troubled, workerOf } from '../support/questions.ts';
import {
  asks,
  contextOf,
  decided,
  failed,
  inMemory,
  onPostgres,
  QUESTION,
  sayHello,
  withPolicy,
} from '../support/scene.ts';

const ALL = { all: true, limit: 100 };

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('escalations, %s', (_, open) => {
  test('given a spent incident, when a person is asked, then one escalation holds all that is known, and a repeat counts', async () => {
    await using scene = await troubled(open, ['adam']);
    const { ctx, incident, first, nature } = scene;
    await sayHello(ctx, first, nature.uuid());
    const last = exitOf(['Segmentation fault']);
    await decided(ctx, first.id, { records: [failed(incident, 'it crashed')], patch: open4(incident) });

    await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident), event: last });
    nature.now += 1_000;
    await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) });

    const [escalation, ...others] = await listEscalations(ctx, OPEN, ANN);
    expect(others).toEqual([]);
    expect(escalation).toMatchObject({
      worker: 'adam',
      status: 'open',
      title: QUESTION.title,
      occurrences: 2,
      context: { code: 'AGENT_CRASHED', machine: 'laptop', account: 'claude@laptop', worktree: '/r/.worktrees/adam' },
    });
    expect(escalation?.context.errorId).not.toBeNull();
    expect(escalation?.commands[0]).toBe(`drover answer ${escalation?.shortId} --option retry`);
  });

  test('given an exit, when a person is asked, then the bundle holds the last lines of the pane', async () => {
    await using scene = await troubled(open, ['adam']);
    const { ctx, incident, first } = scene;

    await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident), event: exitOf(['a', 'fault']) });

    expect((await listEscalations(ctx, OPEN, ANN))[0]?.context.pane).toEqual(['a', 'fault']);
  });

  test('given two answers at once at two replicas, when both are decided, then one wins and the other is told who', async () => {
    await using scene = await asked(open);
    const { ctx, id } = scene;
    const other = contextOf(scene.stored.open(), scene.nature);
    const answer = { id, option: 'retry', asked: 1 };

    const outcomes = await Promise.all([
      resolveEscalation(ctx, { ...answer, requestId: scene.nature.uuid() }, ANN),
      resolveEscalation(other, { ...answer, requestId: scene.nature.uuid() }, BEN),
    ]);

    const won = outcomes.find(({ kind }) => kind === 'ok');
    const lost = outcomes.find(({ kind }) => kind === 'refused');
    const winner = won?.kind === 'ok' ? won.value.resolution?.by : undefined;
    expect(won).toMatchObject({ value: { status: 'resolved', application: 'applied' } });
    expect(lost).toMatchObject({
      code: 'already-resolved',
      message: expect.stringContaining(`${winner} already answered`),
    });
  });

  test('given answers that are none, when they come, then each is refused with what is expected, and the question stays', async () => {
    await using scene = await asked(open);
    const { ctx, id, nature } = scene;
    const requestId = nature.uuid();

    const refusals = [
      await resolveEscalation(ctx, { id, option: 'nope', asked: 1, requestId }, ANN),
      await resolveEscalation(ctx, { id, option: 'retry-with-changes', asked: 1, requestId }, ANN),
      await resolveEscalation(ctx, { id: 'ffffffff', option: 'retry', asked: 1, requestId }, ANN),
    ];

    expect(refusals).toMatchObject([
      { code: 'invalid', message: 'There is no option "nope"; there are: "retry", "retry-with-changes"' },
      { code: 'invalid', message: 'The option "retry-with-changes" needs a text: add --text "…"' },
      { code: 'not-found' },
    ]);
    expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(1);
  });

  test('given a person who looks, when another looks too, then the first stays named and the question stays open', async () => {
    await using scene = await asked(open);
    const { ctx, id } = scene;

    await respond(ctx, { id, said: { kind: 'ack' } }, ANN);
    await respond(ctx, { id: id.slice(-8), said: { kind: 'ack' } }, BEN);

    expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([{ status: 'acked', ackedBy: 'ann' }]);
  });

  test('given an open question, when its incident ends otherwise or its worker is removed, then it needs no answer', async () => {
    await using scene = await troubled(open, ['adam', 'bea']);
    const { ctx, first, incident } = scene;
    const bea = await workerOf(ctx, 'bea');
    const hers = scene.nature.uuid();
    await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) });
    await decided(ctx, bea.id, { records: [asks(hers)], patch: open4(hers) });

    const over = { kind: 'recovered', incident, code: 'AGENT_CRASHED', attempts: 2, level: 1, sinceMs: 5 } as const;
    await decided(ctx, first.id, { records: [over], patch: { incident: { open: null } } });
    await decided(ctx, bea.id, { records: [{ kind: 'gone' }] });

    const rows = await listEscalations(ctx, ALL, ANN);
    expect(rows.map(({ worker, status }) => [worker, status])).toEqual([
      ['bea', 'cancelled'],
      ['adam', 'expired'],
    ]);
    const outcome = await resolveEscalation(
      ctx,
      { id: rows[1]?.id ?? '', option: 'retry', asked: 1, requestId: scene.nature.uuid() },
      ANN,
    );
    expect(outcome).toMatchObject({ kind: 'refused', code: 'already-expired' });
    expect(await ctx.store.listIncidents({ limit: 10 })).toMatchObject([
      { outcome: 'cancelled' },
      { outcome: 'recovered' },
    ]);
  });

  test('given twelve workers on one machine lost at once, when each asks, then it is one question that one answer settles', async () => {
    const names = Array.from({ length: 12 }, (__, index) => `w${String(index).padStart(2, '0')}`);
    await using scene = await troubled(open, names);
    const { ctx, workers, nature } = scene;

    await Promise.all(
      workers.map((row) => {
        const incident = nature.uuid();
        return decided(ctx, row.id, { records: [asks(incident, 'MACHINE_LOST')], patch: open4(incident) });
      }),
    );

    const [storm, ...others] = await listEscalations(ctx, OPEN, ANN);
    expect(others).toEqual([]);
    expect(storm?.title).toBe('12 workers on machine "laptop" lost');
    expect(storm?.workers.map(({ worker }) => worker).toSorted()).toEqual(names);
    const outcome = await resolveEscalation(
      ctx,
      { id: storm?.id ?? '', option: 'retry', asked: 1, requestId: nature.uuid() },
      ANN,
    );
    expect(outcome).toMatchObject({ kind: 'ok', value: { status: 'resolved' } });
    expect(await listEscalations(ctx, OPEN, ANN)).toEqual([]);
  });

  test('given [policy] that folds sooner, when three workers on one machine are lost, then it is one question', async () => {
    await using scene = await troubled(open, ['w0', 'w1', 'w2']);
    const { ctx, workers, nature } = scene;
    await withPolicy(ctx, { storm: { workersMax: 2 } });

    for (const row of workers) {
      const incident = nature.uuid();
      await decided(ctx, row.id, { records: [asks(incident, 'MACHINE_LOST')], patch: open4(incident) });
    }

    expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(1);
  });

  test('given two workers on a host whose key has changed, when both ask, then it is one question that names what confirms the key', async () => {
    await using scene = await troubled(open, ['w0', 'w1']);
    const { ctx, workers, nature } = scene;
    const ssh: SshMachine = {
      connection: { destination: 'ada@far', port: null, identity: null, jump: null, carrier: null },
      onlyGateway: null,
      expected: null,
      pinned: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=='],
      hostId: 'h',
      gateway: null,
      epoch: 1,
      state: { kind: 'key-changed', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQ==', since: nature.now },
      findings: [],
      away: null,
    };
    await ctx.store.transaction((tx) => tx.saveSsh(workers[0]?.machineId ?? '', ssh));

    for (const row of workers) {
      const incident = nature.uuid();
      await decided(ctx, row.id, { records: [asks(incident, 'MACHINE_LOST')], patch: open4(incident) });
    }

    const questions = await listEscalations(ctx, OPEN, ANN);
    expect(questions.map(({ title }) => title)).toEqual([
      expect.stringContaining('"drover machine trust laptop"; 2 workers wait'),
    ]);
  });

  test('given five workers on one machine lost, or many with troubles of their own, when they ask, then nothing is folded', async () => {
    const names = Array.from({ length: 12 }, (__, index) => `w${index}`);
    await using scene = await troubled(open, names);
    const { ctx, workers, nature } = scene;

    for (const [index, row] of workers.entries()) {
      const incident = nature.uuid();
      await decided(ctx, row.id, {
        records: [asks(incident, index < 5 ? 'MACHINE_LOST' : 'AGENT_CRASHED')],
        patch: open4(incident),
      });
    }

    expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(12);
  });
});

function exitOf(lastLines: readonly string[]) {
  const exit = { incarnation: '1', status: 3, signal: null, lastLines, limit: null, at: 999_000 };
  return { kind: 'pane-exited', exit } as const;
}
