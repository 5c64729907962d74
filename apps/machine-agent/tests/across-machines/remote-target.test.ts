/** Does work go into a repository elsewhere, as into one on this machine? */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

/** A machine whose project comes from a bare repository, and that repository. */
async function onRemote() {
  const machine = await TestMachine.start();
  const remote = join(machine.dir, 'remote.git');
  machine.git(machine.dir, 'clone', '-q', '--bare', machine.source, remote);
  await machine.agent();
  const seat = machine.worker();
  const worker = { ...seat, project: { ...seat.project, source: `file://${remote}` } };
  const { coordinator } = machine;
  await expectKind(coordinator.carriedOut(worker, { kind: 'prepare', reset: true, saveAs: randomUUID() }), 'prepared');
  const head = machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  const at = { head, tree: null };
  const candidate = await expectKind(
    coordinator.carriedOut(worker, { kind: 'candidate', at, began: null }),
    'candidate',
  );
  return { machine, coordinator, worker, remote, head, candidate };
}

test('given a project of a remote, when its work is made a candidate, published, proven and recycled, then it is in the remote', async () => {
  const { machine, coordinator, worker, remote, head, candidate } = await onRemote();
  await using _ = machine;
  const { base, commit } = candidate;

  const published = await coordinator.carriedOut(worker, { kind: 'publish', base, commit });
  const proven = await coordinator.carriedOut(worker, { kind: 'prove', commit });
  const recycled = await coordinator.carriedOut(worker, { kind: 'recycle', commit, head });

  expect([published, proven]).toEqual([
    { kind: 'published', commit },
    { kind: 'proven', commit },
  ]);
  expect(recycled).toEqual({ kind: 'recycled', base: commit });
  expect(machine.git(remote, 'rev-parse', 'main')).toBe(commit);
  expect(machine.git(remote, 'show', 'main:b.txt')).toBe('bee');
});

test('given a remote that protects its branch, when work is published, then its words come back and nothing is lost', async () => {
  const { machine, coordinator, worker, remote, head, candidate } = await onRemote();
  await using _ = machine;
  const { base, commit } = candidate;
  writeFileSync(join(remote, 'hooks/update'), '#!/bin/sh\necho "protected branch: open a request"\nexit 1\n', {
    mode: 0o755,
  });

  const published = await coordinator.carriedOut(worker, { kind: 'publish', base, commit });

  expect(published).toMatchObject({ kind: 'rejected', words: expect.stringContaining('open a request') });
  expect(machine.git(remote, 'rev-parse', 'main')).toBe(base);
  expect(machine.git(machine.worktree(), 'rev-parse', 'HEAD')).toBe(head);
});
