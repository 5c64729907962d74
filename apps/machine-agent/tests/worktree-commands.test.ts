/** Do the orders around a worktree answer as the policy expects, and are they safe to repeat? */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import type { WorkerSettings } from '@drover/protocol';

async function prepared(machine: TestMachine, worker: WorkerSettings): Promise<string> {
  const op = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  return (await expectKind(machine.coordinator.carriedOut(worker, op), 'prepared')).base;
}

test('given a project without a clone, when three workers are prepared at once, then all share one clone', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const seats = ['alba', 'bruno', 'carla'].map((name) => machine.worker(name));

  const bases = await Promise.all(seats.map((worker) => prepared(machine, worker)));

  expect(new Set(bases).size).toBe(1);
});

test('given committed work, when it is accepted step by step and twice each, then it is merged and the seat is fresh', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.worker('alba', {});
  const checked = { ...seat, project: { ...seat.project, validate: [['test', '-f', 'b.txt']] } };
  await prepared(machine, checked);
  machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  machine.commit(machine.worktree(), { 'b.txt': 'bees\n' }, 'two');
  const other = machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');

  const seen = machine.pin();
  const rebased = await expectKind(coordinator.carriedOut(checked, { kind: 'rebase', at: seen }), 'rebased');
  const repeated = await expectKind(coordinator.carriedOut(checked, { kind: 'rebase', at: seen }), 'rebased');
  const at = { head: rebased.head, tree: rebased.tree };
  await expectKind(coordinator.carriedOut(checked, { kind: 'validate', at }), 'valid');
  const squash = { kind: 'squash', base: rebased.base, at } as const;
  const squashed = await expectKind(coordinator.carriedOut(checked, squash), 'squashed');
  const again = await expectKind(coordinator.carriedOut(checked, squash), 'squashed');
  const forward = { kind: 'fast-forward', expected: squashed.expected, commit: squashed.commit } as const;
  await expectKind(coordinator.carriedOut(checked, forward), 'merged');
  await expectKind(coordinator.carriedOut(checked, forward), 'merged');
  const recycle = { kind: 'recycle', commit: squashed.commit } as const;
  const recycled = await expectKind(coordinator.carriedOut(checked, recycle), 'recycled');
  await expectKind(coordinator.carriedOut(checked, recycle), 'recycled');

  expect(rebased).toMatchObject({ base: other, from: seen.head, moved: true, unseen: null });
  expect(repeated).toEqual({ ...rebased, moved: false });
  expect(squashed.tree).toBe(rebased.tree);
  expect(again.commit).toBe(squashed.commit);
  expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(squashed.commit);
  expect(readFileSync(join(machine.source, 'b.txt'), 'utf8')).toBe('bees\n');
  expect(recycled.base).toBe(squashed.commit);
});

test('given work that conflicts, when it is rebased, then the files and a prompt come back and the conflict stands', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.worker();
  await prepared(machine, seat);
  machine.commit(machine.worktree(), { 'a.txt': 'mine\n' }, 'mine');
  machine.commit(machine.source, { 'a.txt': 'theirs\n' }, 'theirs');

  const conflict = await expectKind(coordinator.carriedOut(seat, { kind: 'rebase', at: null }), 'conflict');
  const looked = await expectKind(coordinator.carriedOut(seat, { kind: 'look', base: null, delivery: null }), 'looked');

  expect(conflict.files).toEqual(['a.txt']);
  expect(conflict.prompt).toContain('theirs');
  expect(looked.git).toMatchObject({ rebasing: true, unmerged: 1 });
});

test('given checks that fail, changes that are not committed, and nothing to merge, when asked, then each is said', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.worker();
  const failing = { ...seat, project: { ...seat.project, validate: [['sh', '-c', 'echo no good; exit 3']] } };
  const base = await prepared(machine, seat);

  const invalid = await expectKind(coordinator.carriedOut(failing, { kind: 'validate', at: machine.pin() }), 'invalid');
  await expectKind(coordinator.carriedOut(seat, { kind: 'squash', base, at: machine.pin() }), 'nothing-to-merge');
  writeFileSync(join(machine.worktree(), 'a.txt'), 'changed\n');
  const dirty = await expectKind(coordinator.carriedOut(seat, { kind: 'rebase', at: null }), 'failed');

  expect(invalid.output).toContain('no good');
  expect(dirty).toMatchObject({ code: 'worktree-dirty', retry: false });
});

test('given uncommitted work, when a new task is prepared, then it is saved on a ref that is told', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const seat = machine.worker();
  await prepared(machine, seat);
  writeFileSync(join(machine.worktree(), 'draft.txt'), 'half an idea\n');

  const op = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const again = await expectKind(machine.coordinator.carriedOut(seat, op), 'prepared');

  expect(machine.git(machine.root, 'show', `${again.saved}:draft.txt`)).toBe('half an idea');
});

test('given work that is not merged, when the seat is removed, then only force removes it and keeps the work', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.worker();
  await prepared(machine, seat);
  const head = machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');

  const refused = await expectKind(coordinator.carriedOut(seat, { kind: 'remove', force: false }), 'not-removed');
  const removed = await expectKind(coordinator.carriedOut(seat, { kind: 'remove', force: true }), 'removed');

  expect(refused.why).toContain('1 commit');
  expect(machine.git(machine.root, 'rev-parse', `${removed.kept}^`)).toBe(head);
});

test('given a source that is no repository, when a worktree is prepared, then the failure says what to do', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const seat = machine.worker();
  const lost = { ...seat, project: { ...seat.project, source: join(machine.dir, 'nowhere') } };

  const op = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const failed = await expectKind(machine.coordinator.carriedOut(lost, op), 'failed');

  expect(failed).toMatchObject({ code: 'source-missing', retry: false });
  expect(failed.message).toContain('give the directory of a git repository');
});

test('given work ahead, when a person asks for the diff and for the pane, then both are answered past the orders', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.worker();
  const base = await prepared(machine, seat);
  const head = machine.commit(machine.worktree(), { 'b.txt': 'token ghp_0123456789abcdefghij0123\n' }, 'one');

  const diff = await expectKind(coordinator.ask(seat, { kind: 'read-diff', base, stat: false }), 'diff');
  const stat = await expectKind(coordinator.ask(seat, { kind: 'read-diff', base, stat: true }), 'diff');
  const pane = await expectKind(coordinator.ask(seat, { kind: 'read-pane', lines: 20 }), 'failed');

  expect(diff).toMatchObject(machine.pin());
  expect(diff.head).toBe(head);
  expect(diff.text).toContain('+token [redacted]');
  expect(diff.commits).toMatchObject([{ subject: 'one', author: 'Ada' }]);
  expect(stat.text).toBe('b.txt | +1 -0, new');
  expect(pane.code).toBe('pane-gone');
});
