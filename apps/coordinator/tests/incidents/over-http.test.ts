/** Errors, questions and accounts over HTTP for people's tools, and the people who may answer. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { ApiToken, Database } from '@drover/store';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import { asks, contextOf, decided, failed, incidentOf, Nature, QUESTION } from '../support/scene.ts';
import { call, callAs, scene, SECRET } from '../support/coordinator.ts';

test('given a worker in trouble, when tools ask over HTTP, then errors, report, question and accounts are there', async () => {
  await using given = await troubled();
  const { ask } = given;

  const errors = await ask('errors', { all: false, limit: 10, code: 'agent-crashed' });
  const report = await ask('report', { worker: 'adam', sinceMs: 60_000 });
  const [question] = (await ask('escalations.list', { all: false, limit: 10 })) as { shortId: string }[];
  const shown = await ask('escalations.show', { id: question?.shortId });

  expect(errors).toMatchObject([{ code: 'AGENT_CRASHED', worker: 'adam', remediation: expect.any(Array) }]);
  expect(report).toMatchObject({ errors: [{ count: 1 }], escalations: { open: 1 } });
  expect(shown).toMatchObject({ worker: 'adam', title: QUESTION.title, context: { project: 'demo' } });
  expect(await ask('accounts')).toMatchObject([{ state: 'open', pays: ['adam'], quota: null }]);
});

test('given tokens of two roles, when each answers, then a viewer may look only, and a responder may answer', async () => {
  await using given = await troubled();
  const { ask, url, tokens } = given;
  const [question] = (await ask('escalations.list', { all: false, limit: 10 })) as { id: string }[];
  const answer = { requestId: randomUUID(), id: question?.id, option: 'retry' };

  const refused = callAs({ url, token: tokens.viewer }, 'escalations.resolve', answer);
  await expect(refused).rejects.toThrow('needs the role responder');
  const won = await callAs({ url, token: tokens.responder }, 'escalations.resolve', answer);

  expect(won).toMatchObject({ status: 'resolved', resolution: { by: 'responder', option: 'retry' } });
});

test('given a code that is none, when errors are asked for, then the refusal names those that there are', async () => {
  await using given = await troubled();

  await expect(given.ask('errors', { all: true, limit: 1, code: 'nope' })).rejects.toThrow(
    /"nope" is not an error code; the codes are: AGENT_/,
  );
});

async function troubled() {
  await using stack = new AsyncDisposableStack();
  const { coordinator, databaseUrl } = stack.use(await scene());
  const { url } = coordinator;
  await call(url, 'workers.add', { requestId: randomUUID(), name: 'adam' });
  const { db } = stack.use(connect<Database>(databaseUrl, { log: () => {}, maxConnections: 2 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const nature = new Nature();
  nature.now = systemClock.now();
  const ctx = contextOf(store, nature);
  const [worker] = await store.listWorkers();
  if (worker === undefined) throw new Error('no worker');
  const incident = randomUUID();
  const open = incidentOf(incident, { level: 4, escalated: true, options: [...QUESTION.options] });
  const records = [failed(incident, 'it crashed'), asks(incident)];
  await decided(ctx, worker.id, { records, patch: { lifecycle: { status: 'error' }, incident: { open } } });
  const tokens = { viewer: `viewer-${randomUUID()}`, responder: `responder-${randomUUID()}` };
  for (const role of ['viewer', 'responder'] as const satisfies readonly ApiToken['role'][]) {
    const token = {
      id: randomUUID(),
      name: role,
      role,
      projectId: null,
      workerId: null,
      expiresAt: null,
      sha256: sha256(tokens[role]),
    };
    await store.createApiToken(token, nature.now);
  }
  const kept = stack.move();
  return {
    url,
    tokens,
    ask: (path: string, input?: unknown) => query(url, path, input),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Asks a query as the CLI does. @throws Error with the message of a refusal. */
async function query(url: string, path: string, input?: unknown): Promise<unknown> {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(`${url}/trpc/${path}${search}`, { headers: { authorization: `Bearer ${SECRET}` } });
  const body = (await response.json()) as { result?: { data: unknown }; error?: { message: string } };
  if (body.error !== undefined) throw new Error(body.error.message);
  return body.result?.data;
}
