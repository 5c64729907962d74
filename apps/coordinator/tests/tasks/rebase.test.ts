/** `drover rebase` at the coordinator: of work that waits for review, once for each request. */
import type { ObservationBody, CommandEnvelope } from '@drover/protocol';
import { expect, test } from 'vitest';
import { call, newId, obedient, scene, until, WORK } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';

test('given work that waits for review, when its rebase is asked for twice by one request, then its machine rebases what was reviewed, once', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const rebase = (requestId: string, name = 'adam'): Promise<unknown> =>
    call(url, 'workers.rebase', { requestId, name });
  await expect(rebase(newId())).rejects.toThrow('not-in-review: adam: Nothing to rebase: the worker is idle');
  await expect(rebase(newId(), 'bea')).rejects.toThrow(/^not-found: /u);
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
  const id = newId();

  await rebase(id);
  const again = await rebase(id);

  expect(again).toMatchObject({ worker: { name: 'adam' } });
  await expect.poll(() => rebasesOf(given), { timeout: 60_000 }).toMatchObject([{ at: { head: WORK.head } }]);
});

test('given work that conflicts, when its rebase is asked for, then its agent is told of the conflicts and its work is reviewed again after them', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
  given.machine.script = conflicting;

  await call(url, 'workers.rebase', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'rebasing');

  await expect.poll(() => JSON.stringify(given.machine.commands), { timeout: 60_000 }).toContain('Resolve a.txt');
});

function rebasesOf({ machine }: Pick<Scene, 'machine'>): readonly unknown[] {
  return machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === 'rebase' ? [one.command] : [],
  );
}

/** Fakes a machine where the default branch has changed the same file, and whose agent stays at the conflict. */
function conflicting(command: CommandEnvelope): readonly ObservationBody[] {
  const { body } = command;
  if (body.kind === 'command' && body.command.kind === 'deliver') return [];
  if (body.kind !== 'command' || body.command.kind !== 'rebase') return obedient(command);
  return obedient(command).map((body) =>
    body.kind === 'result'
      ? {
          ...body,
          result: { kind: 'conflict', files: ['a.txt'], prompt: 'Resolve a.txt', onto: 'aaaaaaa', orig: WORK.head },
        }
      : body,
  );
}
