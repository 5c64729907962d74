/** Checks that an accepted run goes where the project publishes: into the default branch, or into a branch that people merge. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerSettings } from '@drover/protocol';
import { expectKind, TestMachine } from '../support/machine.ts';

const RUN = '0199aaaa-0000-7000-8000-00001234abcd';

/** Makes a machine whose project comes from a bare repository, and a run that has a commit of a worker. */
async function withWork() {
  const machine = await TestMachine.start();
  const remote = join(machine.dir, 'remote.git');
  machine.git(machine.dir, 'clone', '-q', '--bare', machine.source, remote);
  await machine.agent();
  const settings = machine.worker();
  const project = { ...settings.project, source: `file://${remote}` };
  const { coordinator } = machine;
  const ask = async (query: Readonly<Record<string, unknown>>, changes: Partial<WorkerSettings['project']> = {}) => {
    const asked = { run: RUN, request: `${RUN}:1`, profiles: [], ...query } as unknown as Parameters<
      typeof coordinator.ask
    >[1];
    return coordinator.ask({ ...settings, project: { ...project, ...changes } }, asked);
  };
  const prepare = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  await expectKind(coordinator.carriedOut({ ...settings, project }, prepare), 'prepared');
  const began = machine.git(remote, 'rev-parse', 'main');
  const head = machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  expect(await ask({ kind: 'run-pin', commit: head })).toMatchObject({ kind: 'run-pinned', commit: head });
  return { machine, remote, began, head, ask };
}

test('given a project that hands work over, when a run is accepted twice, then its branch is there once, people are asked once, and the default branch stays', async () => {
  const { machine, remote, began, head, ask } = await withWork();
  await using _ = machine;
  const asking = { publish: 'branch' as const, openRequest: ['echo', 'asked for {branch}'] };

  const landed = await ask({ kind: 'run-land', commit: head, began }, asking);
  const again = await ask({ kind: 'run-land', commit: head, began }, asking);

  const branch = 'drover/run-1234abcd';
  const commit = machine.git(remote, 'rev-parse', branch);
  expect(landed).toEqual({ kind: 'run-landed', commit, offered: { branch, why: `asked for ${branch}` } });
  expect(again).toEqual({ kind: 'run-landed', commit, offered: { branch, why: '' } });
  expect(machine.git(remote, 'rev-parse', 'main')).toBe(began);
  expect(machine.git(remote, 'show', `${branch}:b.txt`)).toBe('bee');
});

test('given a project that hands work over, when its check fails on the candidate or the branch is not Drover’s, then nothing is pushed', async () => {
  const { machine, remote, began, head, ask } = await withWork();
  await using _ = machine;
  const land = { kind: 'run-land', commit: head, began };

  const unchecked = await ask(land, { publish: 'branch', validate: [['false']], validateFrom: 'config' });
  machine.git(remote, 'branch', 'drover/run-1234abcd', 'main');
  const foreign = await ask(land, { publish: 'branch' });

  expect(unchecked).toMatchObject({ kind: 'run-not-landed', text: expect.stringContaining('fails the check "false"') });
  expect(foreign).toMatchObject({ kind: 'run-not-landed', text: expect.stringContaining('Drover did not push') });
  expect(machine.git(remote, 'rev-parse', 'main', 'drover/run-1234abcd')).toBe(`${began}\n${began}`);
});

test('given a default branch that moved and refuses pushes at first, when a run is accepted, then its commit stands on the newest one, or nothing moves', async () => {
  const { machine, remote, began, head, ask } = await withWork();
  await using _ = machine;
  const other = join(machine.dir, 'other');
  machine.git(machine.dir, 'clone', '-q', remote, other);
  const newest = machine.commit(other, { 'c.txt': 'sea\n' }, 'two');
  machine.git(other, 'push', '-q', 'origin', 'HEAD:main');
  writeFileSync(join(remote, 'hooks/update'), '#!/bin/sh\ntest -e allowed || exit 1\n', { mode: 0o755 });
  const land = { kind: 'run-land', commit: head, began };

  const refused = await ask(land);
  writeFileSync(join(remote, 'allowed'), '');
  const landed = await ask(land);

  expect(refused).toMatchObject({ kind: 'run-not-landed', text: expect.stringContaining('the remote refused it') });
  expect(landed).toMatchObject({ kind: 'run-landed', commit: machine.git(remote, 'rev-parse', 'main'), offered: null });
  expect(machine.git(remote, 'rev-parse', 'main^')).toBe(newest);
});
