/** Reports what a worktree lacks beside its commits, and keeps that report for later questions. */
import { expect, test } from 'vitest';
import { explainWorker } from '../../../explain/worker.ts';
import type { Supplies } from '../../../machine/supplies.ts';
import { idle, READY, Story } from '../../../testing/story.ts';

const START = { kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' } as const;
const PREPARED = { kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null } as const;
const LACKING: Supplies = {
  copied: { count: 1, bytes: 5 },
  unmatched: ['.env'],
  forbidden: [],
  untrusted: [],
  filters: [],
  refused: { count: 0, files: [] },
  pointers: { count: 1, files: ['a.psd'], why: 'not-installed', message: '' },
  submodules: { count: 0, lacking: [] },
};

test('given a task, when its worktree holds LFS pointers and lacks a file, then each is told in a notice and in "drover why"', () => {
  const story = idle().hear(START);

  story.answer({ ...PREPARED, supplies: LACKING });

  const pointers = expect.stringContaining('1 file kept by Git LFS is a pointer without content ("a.psd")');
  const unmatched = expect.stringContaining('no ignored file of the source matches (".env")');
  const copied = '1 file of repo.copy_files (5 bytes) was copied into its worktree.';
  for (const text of [pointers, unmatched, copied]) expect(story.records).toContainEqual({ kind: 'notice', text });
  const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null });
  expect(said).toEqual(expect.arrayContaining([pointers, unmatched, copied]));
});

test('given a worktree that lacked a file, when it is prepared and nothing is brought, then nothing new is told and what is known stays', () => {
  const story = new Story().hear({ kind: 'up-requested' }).answer({ ...PREPARED, supplies: LACKING });
  story.opened().see(READY).hear(START);
  const before = story.records.length;

  story.answer(PREPARED);

  expect(story.records.slice(before)).not.toContainEqual(expect.objectContaining({ kind: 'notice' }));
  expect(story.worker.worktree.supplies).toEqual(LACKING);
});
