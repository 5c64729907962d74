/** Checks that the commands that keep and restore work answer as the policy expects, and are safe to repeat. */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckpointType } from '@drover/core';
import { expectKind } from '../support/machine.ts';
import { withPlace } from '../support/prepared.ts';

const keep = (type: CheckpointType) => ({ kind: 'checkpoint', id: randomUUID(), type, why: 'a test' }) as const;

test('given uncommitted work, when its worktree is deleted behind our back, then a restore brings both back', async () => {
  const { machine, settings } = await withPlace();
  await using _ = machine;
  const { coordinator } = machine;
  const at = machine.worktree();
  machine.commit(at, { 'b.txt': 'bee\n' }, 'one');
  writeFileSync(join(at, 'draft.txt'), 'half an idea\n');
  const command = keep('periodic');

  const saved = await expectKind(coordinator.carriedOut(settings, command), 'checkpointed');
  const unchanged = await expectKind(coordinator.carriedOut(settings, keep('periodic')), 'checkpointed');
  rmSync(at, { recursive: true });
  const back = { kind: 'restore', id: command.id, commit: saved.commit ?? '', saveAs: randomUUID() } as const;
  const restored = await expectKind(coordinator.carriedOut(settings, back), 'restored');
  const again = await expectKind(coordinator.carriedOut(settings, back), 'restored');

  expect(saved).toMatchObject({ dirty: 1 });
  expect(unchanged.commit).toBe(saved.commit);
  const { supplies, ...without } = restored;
  expect(without).toEqual({ kind: 'restored', head: saved.head, saved: null });
  // The worktree was made again, and with it the files that it needs beside its commits.
  expect(supplies).toMatchObject({ unmatched: [], pointers: null });
  expect(again).toEqual(without);
  expect(readFileSync(join(at, 'draft.txt'), 'utf8')).toBe('half an idea\n');
  expect(machine.git(at, 'status', '--porcelain', '--branch')).toBe('## drover/alba\n?? draft.txt');
});

test('given more checkpoints than are kept, when one more is made, then the oldest periodic ones go and those for people stay', async () => {
  const { machine, settings } = await withPlace();
  await using _ = machine;
  const { coordinator } = machine;
  const byHand = keep('manual');
  await expectKind(coordinator.carriedOut(settings, byHand), 'checkpointed');
  const ids: string[] = [];
  for (let count = 0; count < 11; count += 1) {
    writeFileSync(join(machine.worktree(), 'draft.txt'), `version ${count}\n`);
    const command = keep('periodic');
    ids.push(command.id);
    await expectKind(coordinator.carriedOut(settings, command), 'checkpointed');
  }

  const refs = machine.git(
    machine.archive,
    'for-each-ref',
    '--format=%(refname:lstrip=4)',
    'refs/drover/checkpoints/alba',
  );

  const fewer = { ...keep('periodic'), keptMax: 2 };
  await expectKind(coordinator.carriedOut(settings, fewer), 'checkpointed');
  const left = machine.git(machine.archive, 'for-each-ref', '--format=%(refname)', 'refs/drover/checkpoints/alba');

  expect(refs.split('\n').length).toBe(11);
  expect(refs).toContain(byHand.id);
  // The policy says how many: two of each sort.
  expect(left.split('\n').length).toBe(3);
  expect(left).toContain(byHand.id);
});
