/** Checks that a commit after the review is not merged, at whatever moment of the merge it comes. On real git. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { describe, expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';

const CAME_AFTER = /^1 commit came after what was reviewed: [0-9a-f]{7} Sneak: run "drover review alba" again$/u;

/** Steps after the one that names the reviewed commit. */
const LATER = ['validate', 'publish', 'prove', 'recycle'] as const;

describe('a commit that comes after the review', () => {
  test('given reviewed work, when its agent commits before the candidate is made, then that is told and the default branch stays', async () => {
    await using machine = await TestMachine.start();
    const { settings, main } = await reviewed(machine);

    const last = await merged(machine, settings, { before: 'candidate', act: () => sneak(machine) });

    expect(last.command.kind).toBe('candidate');
    expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(CAME_AFTER) as string });
    expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
  });

  test.each(LATER)(
    'given reviewed work, when its agent commits before the command "%s", then what was reviewed is merged alone and the commit is kept',
    async (moment) => {
      await using machine = await TestMachine.start();
      const { settings } = await reviewed(machine);

      const last = await merged(machine, settings, { before: moment, act: () => sneak(machine) });

      expect(last.command.kind).toBe('recycle');
      expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(CAME_AFTER) as string });
      expect(machine.git(machine.source, 'log', '--format=%s', 'main')).toBe('one\nmeanwhile\nfirst');
      expect(machine.git(machine.source, 'ls-tree', '--name-only', 'main')).toBe('a.txt\nb.txt\nc.txt');
      expect(machine.git(machine.worktree(), 'log', '-1', '--format=%s')).toBe('Sneak');
    },
  );

  test('given reviewed work, when its agent amends it before the candidate is made, then that is told and the default branch stays', async () => {
    await using machine = await TestMachine.start();
    const { settings, main } = await reviewed(machine);

    const last = await merged(machine, settings, { before: 'candidate', act: () => amend(machine) });

    expect(last.result).toMatchObject({
      kind: 'changed',
      why: expect.stringMatching(/branch was rewritten/u) as string,
    });
    expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
  });

  test('given work that was reset to the default branch, when the reviewed commit is asked for, then it does not count as merged', async () => {
    await using machine = await TestMachine.start();
    const { settings } = await reviewed(machine);

    const last = await merged(machine, settings, {
      before: 'candidate',
      act: () => machine.git(machine.worktree(), 'reset', '-q', '--hard', 'origin/main'),
    });

    expect(last).toMatchObject({ command: { kind: 'candidate' }, result: { kind: 'changed' } });
  });
});

describe('checks', () => {
  const change = 'echo changed >> b.txt';
  const commit = 'git -c user.name=x -c user.email=x@x commit -q --allow-empty -m Sneak';
  test.each([
    ['change a file', 'its own worktree', change, /files changed \(b\.txt\)/u],
    ['commit', 'its own worktree', commit, /while its checks ran, 1 commit came after/u],
    ['change a file', 'the landing worktree', change, /files changed \(b\.txt\)/u],
    ['commit', 'the landing worktree', commit, /files changed \(HEAD\)/u],
  ] as const)(
    'given checks that %s in %s, when they pass, then the work does not count as valid',
    async (_what, where, script, words) => {
      await using machine = await TestMachine.start();
      const { settings, main } = await reviewed(machine, { moves: where === 'the landing worktree' });
      const checked = { ...settings, project: { ...settings.project, validate: [['sh', '-c', script]] } };

      const last = await merged(machine, checked);

      expect(last.command.kind).toBe('validate');
      expect(last.result).toMatchObject({ kind: 'changed', why: expect.stringMatching(words) as string });
      expect(machine.git(machine.source, 'rev-parse', 'main')).toBe(main);
    },
  );

  test('given a file that is not committed, when the checks are asked for, then they do not see it', async () => {
    await using machine = await TestMachine.start();
    const { settings } = await reviewed(machine, { moves: false });
    const checked = { ...settings, project: { ...settings.project, validate: [['sh', '-c', 'test ! -e draft.txt']] } };

    const last = await merged(machine, checked, {
      before: 'validate',
      act: () => writeFileSync(join(machine.worktree(), 'draft.txt'), 'half\n'),
    });

    // All was merged, and the draft keeps its worktree from being made fresh.
    expect(last).toMatchObject({ command: { kind: 'recycle' }, result: { kind: 'failed', code: 'worktree-dirty' } });
    expect(existsSync(join(machine.worktree(), 'draft.txt'))).toBe(true);
  });
});

/** Makes a worker whose two commits were reviewed; the default branch may have moved since. */
async function reviewed(
  machine: TestMachine,
  { moves = true } = {},
): Promise<{ settings: WorkerSettings; main: string }> {
  await machine.agent();
  const settings = machine.worker();
  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  await expectKind(machine.coordinator.carriedOut(settings, command), 'prepared');
  machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  machine.commit(machine.worktree(), { 'b.txt': 'bees\n' }, 'two');
  if (moves) machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');
  return { settings, main: machine.git(machine.source, 'rev-parse', 'main') };
}

interface Last {
  readonly command: Command;
  readonly result: CommandResult;
}

/** Gives one step after another, as the policy does, until one does not end as it should. */
async function merged(
  machine: TestMachine,
  worker: WorkerSettings,
  { before, act }: { before?: 'candidate' | (typeof LATER)[number]; act?: () => unknown } = {},
): Promise<Last> {
  const pin = machine.pin();
  const made: { base: string; commit: string } = { base: '', commit: '' };
  let next: Command | null = { kind: 'candidate', at: pin, began: null };
  let last: Last | null = null;
  while (next !== null) {
    if (next.kind === before) act?.();
    last = { command: next, result: await machine.coordinator.carriedOut(worker, next) };
    if (last.result.kind === 'candidate') Object.assign(made, last.result);
    next = following(last.result, { ...made, head: pin.head });
  }
  if (last === null) throw new Error('nothing was asked for');
  return last;
}

function following(
  result: CommandResult,
  { base, commit, head }: { readonly base: string; readonly commit: string; readonly head: string },
): Command | null {
  switch (result.kind) {
    case 'candidate':
      return { kind: 'validate', at: { head: result.commit, tree: result.tree } };
    case 'valid':
      return { kind: 'publish', base, commit };
    case 'published':
      return { kind: 'prove', commit };
    case 'proven':
      return { kind: 'recycle', commit, head };
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
