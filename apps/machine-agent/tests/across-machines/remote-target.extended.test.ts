/** Checks that work goes into a remote repository as into one on this machine. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

/** Makes a machine whose project comes from a bare repository, and that repository. */
async function onRemote() {
  const machine = await TestMachine.start();
  const remote = join(machine.dir, 'remote.git');
  machine.git(machine.dir, 'clone', '-q', '--bare', machine.source, remote);
  await machine.agent();
  const settings = machine.worker();
  const worker = { ...settings, project: { ...settings.project, source: `file://${remote}` } };
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

test('given a project that hands work over, when it is published twice, then the branch is there, and its program asked people once', async () => {
  const { machine, coordinator, worker, remote, head, candidate } = await onRemote();
  await using _ = machine;
  const { base, commit } = candidate;
  const asked = join(machine.dir, 'asked');
  // The program fails at first, and gets words of an agent as arguments, which no shell reads.
  const script = `test -e ${asked}.ready || { touch ${asked}.ready; echo "no network" >&2; exit 1; }
printf '%s|' "$@" "$DROVER_TITLE" "$(git config remote.origin.url)" >> ${asked}; echo "https://example.org/pull/1"`;
  const openRequest = ['sh', '-c', script, 'ask', '--head={branch}', '{base}', '{title} {branch}'];
  const offering = { ...worker, project: { ...worker.project, publish: 'branch' as const, openRequest } };
  const work = { head, task: '0a1b2c3d-1111-4111-8111-111111111111' };
  const command = { kind: 'publish', base, commit, work } as const;

  const failed = await expectKind(coordinator.carriedOut(offering, command), 'offered');
  const opened = await expectKind(coordinator.carriedOut(offering, command), 'offered');
  const again = await expectKind(coordinator.carriedOut(offering, command), 'offered');

  const { branch } = opened;
  expect(failed.why).toMatch(/^no request was opened, because "sh" failed: no network/u);
  expect([opened.why, again.why]).toEqual(['https://example.org/pull/1', '']);
  expect(readFileSync(asked, 'utf8')).toBe(`--head=${branch}|main|one ${branch}|one|file://${remote}|`);
  expect(machine.git(remote, 'rev-parse', branch, 'main')).toBe(`${commit}\n${base}`);
});
