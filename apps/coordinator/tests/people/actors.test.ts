/** Every line of history, task, item of the queue and checkpoint names its cause, and a token finds only things within its scope. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { ApiToken, Database, Store } from '@drover/store';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import { call, callAs, newId, scene, until } from '../support/coordinator.ts';

interface Why {
  readonly history: readonly { readonly kind: string; readonly by: string | null }[];
}

test('given a task that a person gives, when its history is read, then each line says who caused it', async () => {
  await using given = await people();
  const { url, as } = given;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const ann = await as({ name: 'ann', role: 'operator' });

  const taskId = newId();
  await callAs({ url, token: ann }, 'workers.start', { requestId: taskId, name: 'adam', prompt: 'do it' });
  await until(url, 'adam', 'needs_review');
  const item = await callAs({ url, token: ann }, 'queue.add', { requestId: newId(), priority: 'S3', prompt: 'later' });
  const saved = await callAs({ url, token: ann }, 'checkpoints.create', { requestId: newId(), worker: 'adam' });

  const { history } = (await call(url, 'workers.why', { name: 'adam', limit: 100 })) as Why;
  const by = new Map(history.map((line) => [line.kind, line.by]));
  expect(by.get('up-requested')).toMatch(/^person test:/);
  expect(by.get('start-requested')).toBe('person ann');
  expect(by.get('command-finished')).toMatch(/^machine /);
  expect(item).toMatchObject({ by: 'person ann' });
  expect(saved).toMatchObject({ by: 'person ann' });
  expect(await given.taskActor(taskId)).toMatchObject({ kind: 'person', name: 'ann' });
});

test('given a token of another project, when it asks for a worker, then there is none of this name, as if it did not exist', async () => {
  await using given = await people();
  const { url, as, store } = given;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const other = await store.upsertProject({ ...OTHER, id: randomUUID() }, systemClock.now());
  const ben = await as({ name: 'ben', role: 'operator', projectId: other.id });

  expect(await callAs({ url, token: ben }, 'workers.list')).toEqual([]);
  expect(await callAs({ url, token: ben }, 'events', { limit: 10, waitMs: 0 })).toEqual([]);
  expect(await callAs({ url, token: ben }, 'queue.list', { all: true, limit: 10 })).toEqual([]);
  const there = await told(
    callAs({ url, token: ben }, 'workers.nuke', { requestId: newId(), name: 'adam', force: true }),
  );
  const nowhere = await told(
    callAs({ url, token: ben }, 'workers.nuke', { requestId: newId(), name: 'eve', force: true }),
  );
  expect(there.replace('adam', 'NAME')).toBe(nowhere.replace('eve', 'NAME'));
});

function told(asked: Promise<unknown>): Promise<string> {
  return asked.then(String, String);
}

const OTHER = {
  name: 'other',
  source: '/other',
  root: '/other-clone',
  defaultBranch: 'main',
  config: { copyFiles: [], validate: [], validateTimeoutMs: 60_000, runHooks: false, preamble: '' },
};

interface People extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  /** Makes a token. @returns its secret. */
  as(token: Pick<ApiToken, 'name' | 'role'> & Partial<ApiToken>): Promise<string>;
  taskActor(id: string): Promise<unknown>;
}

async function people(): Promise<People> {
  await using stack = new AsyncDisposableStack();
  const { coordinator, databaseUrl } = stack.use(await scene());
  const { db } = stack.use(connect<Database>(databaseUrl, { log: () => {}, maxConnections: 2 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const kept = stack.move();
  return {
    url: coordinator.url,
    store,
    as: async (token) => {
      const secret = `${token.name}-${randomUUID()}`;
      const blank = { id: randomUUID(), projectId: null, workerId: null, expiresAt: null };
      await store.createApiToken({ ...blank, ...token, sha256: sha256(secret) }, systemClock.now());
      return secret;
    },
    taskActor: async (id) =>
      (await db.selectFrom('tasks').select('actor').where('id', '=', id).executeTakeFirst())?.actor,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
