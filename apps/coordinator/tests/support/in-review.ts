/** Builds workers whose work waits for review, and people with tokens. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { Database } from '@drover/store';
import type { CoordinatorOptions } from '../../src/index.ts';
import { sha256 } from '../../src/context/sha256.ts';
import { call, newId, scene, until, type Scene } from './coordinator.ts';

export async function inReview(...names: readonly string[]) {
  return inReviewWith({}, names);
}

export async function inReviewWith(patch: Partial<CoordinatorOptions>, names: readonly string[]) {
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

export function commandsOf({ machine }: Pick<Scene, 'machine'>, kind: string): readonly unknown[] {
  return machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === kind ? [one.command] : [],
  );
}
