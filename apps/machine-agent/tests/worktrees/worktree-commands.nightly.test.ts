/** Checks that the rarer commands around a worktree answer as the policy expects: conflicts, and work that is left. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { prepared } from '../support/prepared.ts';

test('given work that clashes with main, or that main has, when its candidate is made, then that is said and nothing is touched', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  const base = await prepared(machine, settings);
  const make = { kind: 'candidate', at: null, began: null } as const;
  const head = machine.commit(machine.worktree(), { 'a.txt': 'mine\n' }, 'mine');
  const main = machine.commit(machine.source, { 'a.txt': 'theirs\n' }, 'theirs');

  const clash = await coordinator.carriedOut(settings, make);
  machine.git(machine.worktree(), 'reset', '-q', '--hard', base);
  const contained = await coordinator.carriedOut(settings, make);

  expect(clash).toEqual({ kind: 'clash', head, base: main, files: ['a.txt'] });
  expect(contained).toEqual({ kind: 'contained', head: base, base: main });
});

test('given work that conflicts, when it is rebased, then the files and a prompt come back and the conflict stands', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  machine.commit(machine.worktree(), { 'a.txt': 'mine\n' }, 'mine');
  machine.commit(machine.source, { 'a.txt': 'theirs\n' }, 'theirs');

  const conflict = await expectKind(
    coordinator.carriedOut(settings, { kind: 'rebase', at: null, began: null }),
    'conflict',
  );
  const observe = { kind: 'observe', base: null, delivery: null } as const;
  const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(conflict).toMatchObject({ files: ['a.txt'], onto: machine.git(machine.source, 'rev-parse', 'main').trim() });
  expect(conflict.prompt).toContain('theirs');
  expect(observed.git).toMatchObject({ rebasing: true, unmerged: 1 });
});

test('given conflicts, when an agent has ended them, then git says how, with words for it and for people', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  machine.commit(machine.worktree(), { 'a.txt': 'mine\n' }, 'mine');
  machine.commit(machine.source, { 'a.txt': 'theirs\n' }, 'theirs');
  const { onto, orig } = await expectKind(
    coordinator.carriedOut(settings, { kind: 'rebase', at: null, began: null }),
    'conflict',
  );

  const standing = await coordinator.carriedOut(settings, { kind: 'resolution', onto, orig });
  machine.git(machine.worktree(), 'rebase', '--skip');
  const skipped = await coordinator.carriedOut(settings, { kind: 'resolution', onto, orig });

  expect(standing).toMatchObject({
    kind: 'judged',
    verdict: 'in-progress',
    head: '',
    why: 'stopped with 1 file(s) not merged',
  });
  expect(skipped).toMatchObject({ kind: 'judged', verdict: 'emptied', head: onto, why: 'left nothing of the work' });
  expect(skipped).toMatchObject({ prompt: expect.stringContaining(`git reset --hard ${orig}`) });
});

test('given uncommitted work, when a new task is prepared, then it is saved on a ref that is told', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  writeFileSync(join(machine.worktree(), 'draft.txt'), 'half an idea\n');

  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const again = await expectKind(machine.coordinator.carriedOut(settings, command), 'prepared');

  expect(machine.git(machine.archive, 'show', `${again.saved}:draft.txt`)).toBe('half an idea');
});

test('given work that is not merged, when the worker is removed, then only force removes it and keeps the work', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  const head = machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');

  const refused = await expectKind(coordinator.carriedOut(settings, { kind: 'remove', force: false }), 'not-removed');
  const removed = await expectKind(coordinator.carriedOut(settings, { kind: 'remove', force: true }), 'removed');

  expect(refused.why).toContain('1 commit');
  expect(machine.git(machine.archive, 'rev-parse', `${removed.kept}^`)).toBe(head);
});

test('given a commit that Drover has seen on the branch of a worktree that is gone, when a new task is prepared, then it is saved on a ref that is told', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();
  const base = await prepared(machine, settings);
  const own = machine.commit(machine.worktree(), { 'own.txt': 'mine\n' }, 'own');
  const keep = { kind: 'checkpoint', id: randomUUID(), type: 'periodic', why: '' } as const;
  await expectKind(machine.coordinator.carriedOut(settings, keep), 'checkpointed');
  rmSync(machine.worktree(), { recursive: true });

  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const again = await expectKind(machine.coordinator.carriedOut(settings, command), 'prepared');

  expect(again).toMatchObject({ base, head: base, saved: `refs/drover/checkpoints/alba/${command.saveAs}-commits0` });
  expect(machine.git(machine.archive, 'rev-parse', `${again.saved}^1`)).toBe(own);
  expect(machine.git(machine.worktree(), 'rev-parse', 'HEAD')).toBe(base);
});

test('given a source that is no repository, when a worktree is prepared, then the failure says what to do', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();
  const lost = { ...settings, project: { ...settings.project, source: join(machine.dir, 'nowhere') } };

  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const failed = await expectKind(machine.coordinator.carriedOut(lost, command), 'failed');

  expect(failed).toMatchObject({ code: 'source-missing', retry: false });
  expect(failed.message).toContain('give the directory of a git repository');
});
