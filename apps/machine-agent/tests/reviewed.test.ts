/** Is a commit that comes after the review merged, at whatever moment of the merge it comes? On real git. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { describe, expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';

const CAME_AFTER = /^1 commit came after what was reviewed: [0-9a-f]{7} Sneak: run "drover review alba" again$/u;

type Moment = 'rebase' | 'validate' | 'squash' | 'fast-forward' | 'recycle';

describe('a commit that comes after the review', () => {
  test.each(['rebase', 'validate', 'squash', 'fast-forward'] as const)(
    'given reviewed work, when its agent commits before the order "%s", then that is told and the default branch stays',
    async (moment) => {
      await using machine = await TestMachine.start();
      const { seat, main } = await reviewed(machine);

      const last = await merged(machine, seat, { before: moment, act: () => sneak(machine) });

      expect(last.op.kind).toBe(moment);
      expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(CAME_AFTER) as string });
      expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
    },
  );

  test('given reviewed work, when its agent amends it before the checks, then that is told and the default branch stays', async () => {
    await using machine = await TestMachine.start();
    const { seat, main } = await reviewed(machine);

    const last = await merged(machine, seat, { before: 'validate', act: () => amend(machine) });

    expect(last.op.kind).toBe('validate');
    expect(last.result).toMatchObject({
      kind: 'changed',
      why: expect.stringMatching(/branch was rewritten/u) as string,
    });
    expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
  });

  test('given merged work, when its agent has committed before the seat is made fresh, then the seat is kept and that is told', async () => {
    await using machine = await TestMachine.start();
    const { seat } = await reviewed(machine);

    const last = await merged(machine, seat, { before: 'recycle', act: () => sneak(machine) });

    expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(CAME_AFTER) as string });
    expect(machine.git(machine.source, 'log', '-1', '--format=%s', 'main')).toBe('one');
    expect(machine.git(machine.worktree(), 'log', '-1', '--format=%s')).toBe('Sneak');
  });

  test('given work that was reset to the default branch, when the reviewed commit is rebased, then it does not count as merged', async () => {
    await using machine = await TestMachine.start();
    const { seat } = await reviewed(machine);

    const last = await merged(machine, seat, {
      before: 'rebase',
      act: () => machine.git(machine.worktree(), 'reset', '-q', '--hard', 'origin/main'),
    });

    expect(last).toMatchObject({ op: { kind: 'rebase' }, result: { kind: 'changed' } });
  });
});

describe('checks', () => {
  test.each([
    ['change a file', 'echo changed >> b.txt', /files changed \(b\.txt\)/u],
    [
      'commit',
      'git -c user.name=x -c user.email=x@x commit -q --allow-empty -m Sneak',
      /while its checks ran, 1 commit came after/u,
    ],
  ] as const)(
    'given checks that %s, when they pass, then the work does not count as valid',
    async (_what, script, words) => {
      await using machine = await TestMachine.start();
      const { seat, main } = await reviewed(machine);
      const checked = { ...seat, project: { ...seat.project, validate: [['sh', '-c', script]] } };

      const last = await merged(machine, checked);

      expect(last.op.kind).toBe('validate');
      expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(words) as string });
      expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
    },
  );

  test('given a file that is not committed, when the checks are ordered, then they do not run', async () => {
    await using machine = await TestMachine.start();
    const { seat } = await reviewed(machine);

    const last = await merged(machine, seat, {
      before: 'validate',
      act: () => writeFileSync(join(machine.worktree(), 'draft.txt'), 'half\n'),
    });

    expect(last.result).toMatchObject({ kind: 'failed', code: 'worktree-dirty' });
  });
});

/** A worker whose two commits were reviewed, and a default branch that has moved since. */
async function reviewed(machine: TestMachine): Promise<{ seat: WorkerSettings; main: string }> {
  await machine.agent();
  const seat = machine.worker();
  const op = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  await expectKind(machine.coordinator.carriedOut(seat, op), 'prepared');
  machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  machine.commit(machine.worktree(), { 'b.txt': 'bees\n' }, 'two');
  return { seat, main: machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile') };
}

interface Last {
  readonly op: Command;
  readonly result: CommandResult;
}

/** Gives one step after the other, as the policy does, until one does not end as it should. */
async function merged(
  machine: TestMachine,
  worker: WorkerSettings,
  { before, act }: { before?: Moment; act?: () => unknown } = {},
): Promise<Last> {
  let next: Command | null = { kind: 'rebase', at: machine.pin() };
  let last: Last | null = null;
  let base = '';
  while (next !== null) {
    if (next.kind === before) act?.();
    last = { op: next, result: await machine.coordinator.carriedOut(worker, next) };
    if (last.result.kind === 'rebased') base = last.result.base;
    next = following(last, base);
  }
  if (last === null) throw new Error('nothing was ordered');
  return last;
}

function following({ op, result }: Last, base: string): Command | null {
  switch (result.kind) {
    case 'rebased':
      return result.unseen === null ? { kind: 'validate', at: { head: result.head, tree: result.tree } } : null;
    case 'valid':
      return { kind: 'squash', base, at: { head: result.head, tree: result.tree } };
    case 'squashed':
      return { kind: 'fast-forward', expected: result.expected, commit: result.commit };
    case 'merged':
      return op.kind === 'fast-forward' ? { kind: 'recycle', commit: result.commit } : null;
    default:
      return null;
  }
}

function sneak(machine: TestMachine): void {
  machine.commit(machine.worktree(), { 'evil.txt': 'evil\n' }, 'Sneak');
}

function amend(machine: TestMachine): void {
  writeFileSync(join(machine.worktree(), 'evil.txt'), 'evil\n');
  machine.git(machine.worktree(), 'add', '-A');
  machine.git(machine.worktree(), 'commit', '-q', '--amend', '--no-edit');
}
