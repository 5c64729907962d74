/** Checks copied files of a worktree that is gone, and what a person sees of a checkpoint. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckpointType } from '@drover/core';
import { expectKind } from '../support/machine.ts';
import { withPlace } from '../support/prepared.ts';

const keep = (type: CheckpointType) => ({ kind: 'checkpoint', id: randomUUID(), type, why: 'a test' }) as const;

test('given a worktree that is gone in the midst of a task, when it is prepared again, then copied files come back with it', async () => {
  const { machine, settings: plain } = await withPlace();
  await using _ = machine;
  const settings = { ...plain, project: { ...plain.project, copyFiles: ['.env', '.env.none'] } };
  const at = machine.worktree();
  machine.commit(machine.source, { '.gitignore': '.env*\n' }, 'ignore');
  writeFileSync(join(machine.source, '.env'), 'KEY=1\n');
  rmSync(at, { recursive: true });
  const again = { kind: 'prepare', reset: false, saveAs: randomUUID() } as const;

  const made = await expectKind(machine.coordinator.carriedOut(settings, again), 'prepared');
  writeFileSync(join(at, '.env'), 'KEY=changed\n');
  const found = await expectKind(machine.coordinator.carriedOut(settings, again), 'prepared');

  expect(made.supplies).toMatchObject({ copied: { count: 1, bytes: 6 }, unmatched: ['.env.none'] });
  // An existing file stays as its agent left it.
  expect(found.supplies).toBeUndefined();
  expect(readFileSync(join(at, '.env'), 'utf8')).toBe('KEY=changed\n');
});

test('given a checkpoint, when a person asks what it holds, then files and damage are told', async () => {
  const { machine, settings } = await withPlace();
  await using _ = machine;
  const { coordinator } = machine;
  writeFileSync(join(machine.worktree(), 'a.txt'), 'one\ntwo\n');
  const { commit, head } = await expectKind(coordinator.carriedOut(settings, keep('manual')), 'checkpointed');
  const query = { kind: 'read-checkpoint', commit: commit ?? '' } as const;

  const whole = await expectKind(coordinator.ask(settings, query), 'checkpoint');
  const blob = machine.git(machine.archive, 'rev-parse', `${commit}:a.txt`);
  const object = join(machine.archive, 'objects', blob.slice(0, 2), blob.slice(2));
  expect(existsSync(object)).toBe(true);
  rmSync(object);
  const damaged = await expectKind(coordinator.ask(settings, query), 'checkpoint');
  const back = { kind: 'restore', id: randomUUID(), commit: commit ?? '', saveAs: randomUUID() } as const;
  const refused = await expectKind(coordinator.carriedOut(settings, back), 'failed');

  expect(whole).toMatchObject({ damage: null, head, files: [{ path: 'a.txt', added: 1, deleted: 0 }], fileCount: 1 });
  expect(damaged.damage).toContain('missing');
  expect(refused).toMatchObject({ code: 'checkpoint-damaged', retry: false });
  expect(refused.message).toContain('drover worker checkpoint');
});
