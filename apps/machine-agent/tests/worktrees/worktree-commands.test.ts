/** Checks that the commands around a worktree answer as the policy expects, and are safe to repeat. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { prepared } from '../support/prepared.ts';

test('given a project that is new here, when three workers are prepared at once, then each has a clone of its own that borrows from one depot', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const workers = ['alba', 'bruno', 'carla'].map((name) => machine.worker(name));

  const bases = await Promise.all(workers.map((worker) => prepared(machine, worker)));

  expect(new Set(bases).size).toBe(1);
  const clones = workers.map(({ name }) => join(machine.worktree(name), '.git'));
  const lists = clones.map((clone) => readFileSync(join(clone, 'objects/info/alternates'), 'utf8'));
  expect(lists).toEqual(workers.map(() => `${join(machine.depot, 'objects')}\n`));
  // The clones hold no second copy of the history.
  for (const clone of clones) expect(machine.git(clone, 'count-objects', '-v')).toMatch(/^count: 0$[^]*^in-pack: 0$/mu);
  expect(readdirSync(machine.root)).toEqual(['.worktrees']);
  expect(readdirSync(join(machine.dir, 'data', 'depots'))).toEqual([machine.project]);
});

test('given committed work, when it is accepted step by step and twice each, then it is merged and its place is fresh', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker('alba', {});
  const checked = { ...settings, project: { ...settings.project, validate: [['test', '-f', 'b.txt']] } };
  await prepared(machine, checked);
  machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  machine.commit(machine.worktree(), { 'b.txt': 'bees\n' }, 'two');
  const other = machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');

  const at = machine.pin();
  const make = { kind: 'candidate', at, began: null } as const;
  const made = await expectKind(coordinator.carriedOut(checked, make), 'candidate');
  const again = await expectKind(coordinator.carriedOut(checked, make), 'candidate');
  const { base, commit, tree } = made;
  const validate = { kind: 'validate', at: { head: commit, tree } } as const;
  const valid = await expectKind(coordinator.carriedOut(checked, validate), 'valid');
  for (const command of [{ kind: 'publish', base, commit } as const, { kind: 'publish', base, commit } as const])
    await expectKind(coordinator.carriedOut(checked, command), 'published');
  await expectKind(coordinator.carriedOut(checked, { kind: 'prove', commit }), 'proven');
  const recycle = { kind: 'recycle', commit, head: at.head } as const;
  const recycled = await expectKind(coordinator.carriedOut(checked, recycle), 'recycled');
  await expectKind(coordinator.carriedOut(checked, recycle), 'recycled');

  expect(made).toMatchObject({ ...at, headTree: at.tree, tree, base: other, notes: [] });
  expect(again).toEqual(made);
  expect(valid).toEqual({ kind: 'valid', head: commit, tree, checks: made.checks });
  expect(made.checks).toMatch(/^[0-9a-f]{64}$/u);
  expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(commit);
  expect(readFileSync(join(machine.source, 'b.txt'), 'utf8')).toBe('bees\n');
  expect(recycled.base).toBe(commit);
});

test('given a default branch that was rewritten, when its work is shown and rebased, then what was dropped is named, not shown, and left behind', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  machine.commit(machine.source, { 'secret.txt': 'of another\n' }, 'of another');
  const began = await prepared(machine, settings);
  machine.commit(machine.worktree(), { 'b.txt': 'own\n' }, 'own');
  machine.git(machine.source, 'reset', '-q', '--hard', 'HEAD^');
  const base = machine.commit(machine.source, { 'c.txt': 'instead\n' }, 'instead');

  const diff = await expectKind(coordinator.ask(settings, { kind: 'read-diff', began, stat: true }), 'diff');
  const at = { ...machine.pin(), against: diff.base };
  const made = await coordinator.carriedOut(settings, { kind: 'candidate', at, began });
  const rebased = await expectKind(coordinator.carriedOut(settings, { kind: 'rebase', at, began }), 'rebased');
  const after = await expectKind(
    coordinator.ask(settings, { kind: 'read-diff', began: rebased.base, stat: true }),
    'diff',
  );

  expect(diff).toMatchObject({ text: 'b.txt | +1 -0, new', dropped: began, base: began });
  expect(made).toEqual({ kind: 'rewritten', head: at.head, base, dropped: began });
  expect(after).toMatchObject({ text: 'b.txt | +1 -0, new', base, commits: [{ subject: 'own' }] });
  expect(after.dropped).toBeUndefined();
});

test('given a source that names another person since its clone was made, when a new task is prepared, then its commits are that person’s', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  machine.git(machine.source, 'config', 'user.email', 'grace@example.org');

  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  await expectKind(machine.coordinator.carriedOut(settings, command), 'prepared');

  expect(machine.git(machine.worktree(), 'config', '--local', 'user.email').trim()).toBe('grace@example.org');
});

test('given work ahead, when a person asks for the diff and for the pane, then both are answered past the commands', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  const began = await prepared(machine, settings);
  const head = machine.commit(machine.worktree(), { 'b.txt': 'token ghp_0123456789abcdefghij0123\n' }, 'one');

  const diff = await expectKind(coordinator.ask(settings, { kind: 'read-diff', began, stat: false }), 'diff');
  const stat = await expectKind(coordinator.ask(settings, { kind: 'read-diff', began, stat: true }), 'diff');
  const pane = await expectKind(coordinator.ask(settings, { kind: 'read-pane', lines: 20 }), 'failed');

  const entire = { kind: 'read-diff', began, stat: false, sides: true } as const;
  const whole = await expectKind(coordinator.ask(settings, entire), 'diff');

  expect(diff).toMatchObject(machine.pin());
  expect(diff.sides).toBeUndefined();
  expect(whole.sides).toEqual([{ path: 'b.txt', from: 'b.txt', content: ['', 'token [redacted]\n'] }]);
  expect(diff.head).toBe(head);
  expect(diff.text).toContain('+token [redacted]');
  expect(diff.commits).toMatchObject([{ subject: 'one', author: 'Ada' }]);
  expect(stat.text).toBe('b.txt | +1 -0, new');
  expect(pane.code).toBe('pane-gone');
});
