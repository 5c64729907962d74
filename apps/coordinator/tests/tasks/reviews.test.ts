/** An accept merges the commit that its caller was shown, also when other people reviewed a newer one. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import type { ObservationBody, CommandEnvelope } from '@drover/protocol';
import { connect, createSqlStore } from '@drover/store';
import type { Database } from '@drover/store';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import { DEFAULT_POLICY } from '@drover/core';
import type { CoordinatorOptions } from '../../src/index.ts';
import { call, callAs, newId, obedient, scene, until, untilNoted, WORK } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';

const LATER = { head: 'c'.repeat(40), tree: 'd'.repeat(40) };

test('given two workers that wait, when a viewer looks at one and an operator at the other, then the operator accepts the one they saw', async () => {
  await using given = await inReview('adam', 'bea');
  const { url, as } = given;
  const [vic, ann] = [await as('vic', 'viewer'), await as('ann', 'operator')];
  await callAs({ url, token: ann }, 'workers.review', { name: 'adam' });
  await callAs({ url, token: vic }, 'workers.review', { name: 'bea' });

  await callAs({ url, token: ann }, 'workers.accept', { requestId: newId() });

  expect(await until(url, 'adam', 'idle')).toBeDefined();
  expect(await until(url, 'bea', 'needs_review')).toBeDefined();
});

test('given work that somebody else has reviewed, when it is accepted or rejected without a look, then it is refused and said how to go on', async () => {
  await using given = await inReview('adam');
  const { url, as } = given;
  const [vic, ann] = [await as('vic', 'viewer'), await as('ann', 'operator')];
  await callAs({ url, token: vic }, 'workers.review', {});

  const ask = (path: string, input: object): Promise<unknown> =>
    callAs({ url, token: ann }, path, { requestId: newId(), ...input });

  await expect(ask('workers.accept', { name: 'adam' })).rejects.toThrow(
    'not-reviewed: adam: you have not reviewed its work: run "drover review adam" first, or name the commit that you reviewed: "drover accept adam --head COMMIT"',
  );
  const none = 'which-worker: 1 worker waits for review, and you have reviewed none of them';
  await expect(ask('workers.accept', {})).rejects.toThrow(none);
  await expect(ask('workers.reject', { text: 'no' })).rejects.toThrow(none);
  expect(commandsOf(given, 'rebase')).toHaveLength(0);
});

test('given a commit that was named, when it is not what was reviewed, then only a whole name of one is taken', async () => {
  await using given = await inReview('adam');
  const { url } = given;
  await call(url, 'workers.review', {});
  const accept = (head: string): Promise<unknown> =>
    call(url, 'workers.accept', { requestId: newId(), name: 'adam', head });

  await expect(accept('ccccccc')).rejects.toThrow('not-reviewed: adam: "ccccccc" is not the commit that you reviewed');
  await expect(accept('main')).rejects.toThrow('Expected the name of a commit');
  await expect(accept('b'.repeat(6))).rejects.toThrow('Expected the name of a commit');
  await accept('BBBBBBB');
  await until(url, 'adam', 'idle');

  expect(commandsOf(given, 'candidate').at(-1)).toMatchObject({ at: WORK });
});

test('given a whole name of a commit, when nothing was reviewed, then the machine is asked for exactly that', async () => {
  await using given = await inReview('adam');
  const { url } = given;

  await call(url, 'workers.accept', { requestId: newId(), name: 'adam', head: WORK.head });
  await until(url, 'adam', 'idle');

  expect(commandsOf(given, 'candidate').at(-1)).toMatchObject({ at: { head: WORK.head, tree: null } });
});

test('given a commit that came after the review, when the work is accepted, then the machine refuses and another look is needed', async () => {
  await using given = await inReview('adam');
  const { url, machine } = given;
  const review = await call(url, 'workers.review', {});
  machine.script = movedOn;

  await call(url, 'workers.accept', { requestId: newId(), name: 'adam' });

  const waiting = await untilNoted(url, 'adam', { status: 'needs_review', note: /^not merged: 1 commit came after/u });
  expect(waiting.note).toContain('run "drover review adam" again');
  expect(review).toMatchObject(WORK);
});

test('given an accept that is asked again after its review is gone, when the same request comes, then it is answered as then', async () => {
  await using given = await inReview('adam');
  const { url } = given;
  const id = newId();
  await call(url, 'workers.review', {});
  await call(url, 'workers.accept', { requestId: id });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'and more' });
  await until(url, 'adam', 'needs_review');

  const again = await call(url, 'workers.accept', { requestId: id });

  expect(again).toMatchObject({ worker: { name: 'adam' } });
  await expect(call(url, 'workers.accept', { requestId: newId(), name: 'adam' })).rejects.toThrow('not-reviewed: ');
});

test('given three accepted by one request beside one that is not there, when the first takes its turn, then both others come along in their order', async () => {
  // Nothing waits for a train: work that comes along was accepted at the same moment.
  await using given = await inReviewWith({ policy: { ...DEFAULT_POLICY, trainGatherMs: 0 } }, ['adam', 'bea', 'cal']);
  const { url } = given;
  for (const name of ['adam', 'bea', 'cal']) await call(url, 'workers.review', { name });
  const items = ['cal', 'zoe', 'adam', 'bea'].map((name) => ({ requestId: newId(), name }));

  const answers = await call(url, 'workers.acceptTogether', { items });
  const again = await call(url, 'workers.acceptTogether', { items });
  for (const name of ['adam', 'bea', 'cal']) await until(url, name, 'idle');

  const missing = { kind: 'refused', code: 'not-found', message: expect.stringContaining('zoe') };
  const expected = [accepted('cal'), missing, accepted('adam'), accepted('bea')];
  expect(answers).toMatchObject(expected);
  expect(again).toMatchObject(expected);
  expect(commandsOf(given, 'extend')).toMatchObject([{ items: [{ worker: 'adam' }, { worker: 'bea' }] }]);
  expect(commandsOf(given, 'publish')).toHaveLength(1);
});

function accepted(name: string): object {
  return { kind: 'accepted', worker: { name } };
}

/** Builds workers whose work waits for review, and people with tokens. */
async function inReview(...names: readonly string[]) {
  return inReviewWith({}, names);
}

async function inReviewWith(patch: Partial<CoordinatorOptions>, names: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const given = stack.use(await scene(patch));
  const { url } = given.coordinator;
  for (const name of names) {
    await call(url, 'workers.add', { requestId: newId(), name });
    await until(url, name, 'idle');
    await call(url, 'workers.start', { requestId: newId(), name, prompt: 'make it so' });
    await until(url, name, 'needs_review');
  }
  const { db } = stack.use(connect<Database>(given.databaseUrl, { log: () => {}, maxConnections: 2 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const kept = stack.move();
  return {
    url,
    machine: given.machine,
    /** @returns the secret of a new token. */
    async as(name: string, role: 'viewer' | 'operator'): Promise<string> {
      const secret = `${name}-${randomUUID()}`;
      const blank = { id: randomUUID(), projectId: null, workerId: null, expiresAt: null };
      await store.createApiToken({ ...blank, name, role, sha256: sha256(secret) }, systemClock.now());
      return secret;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function commandsOf({ machine }: Pick<Scene, 'machine'>, kind: string): readonly unknown[] {
  return machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === kind ? [one.command] : [],
  );
}

/** Fakes a machine whose agent has committed once more. */
function movedOn(command: CommandEnvelope): readonly ObservationBody[] {
  const answers = obedient(command);
  if (command.body.kind !== 'command' || command.body.command.kind !== 'candidate') return answers;
  const why = '1 commit came after what was reviewed: ccccccc Sneak: run "drover review adam" again';
  return answers.map((body) =>
    body.kind === 'result' ? { ...body, result: { kind: 'changed', head: LATER.head, why } } : body,
  );
}
