// What becomes of merges and conflicts that a build before candidates had under way, when 0019 comes.
import { readFile } from 'node:fs/promises';
import type { Accept, Worker } from '@drover/core';
import { Story } from '@drover/core/testing';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query } from '../support/clusters.ts';
import { before0016 } from './former-rows.ts';
import type { Former } from './former-rows.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };

/** What the build before candidates kept of a merge. */
interface FormerMerge {
  readonly accept: { readonly step: string; readonly pin: Accept['pin']; readonly commit: string | null } | null;
  readonly conflicts: { readonly headBefore: string | null; readonly helped: boolean } | null;
}

/** Rows that a former build wrote in the simulation: accepts at each step, and conflicts. */
const ROWS: readonly { readonly former: Former; readonly sliced: { readonly merge: FormerMerge } }[] = JSON.parse(
  await readFile(new URL('fixtures/former-workers.json', import.meta.url), 'utf8'),
);

const STEPS = ['waiting', 'rebase', 'validate', 'squash', 'fast-forward', 'close', 'recycle'];

/** A worker whose accept stood at a step. */
function rowAt(step: string): (typeof ROWS)[number] {
  return ROWS.find(({ sliced }) => sliced.merge.accept?.step === step) ?? expect.fail(`No row is at "${step}"`);
}

async function migrated(rows: typeof ROWS): Promise<readonly Worker[]> {
  await using old = await before0016();
  for (const { former } of rows) await old.write(former);
  await migrate(old.database, MIGRATIONS);
  return await Promise.all(rows.map(async (_, index) => (await old.now(index)).worker));
}

test('given accepts that were not merged yet, when 0019 comes, then each begins again at its lease with what was reviewed', async () => {
  const rows = STEPS.slice(0, 5).map(rowAt);

  const workers = await migrated(rows);

  for (const [index, { merge, command }] of workers.entries()) {
    const pin = rows[index]?.sliced.merge.accept?.pin;
    expect(merge.accept).toMatchObject({ step: 'waiting', pin, nothing: false, commit: null, moved: 0 });
    expect(command.inFlight).toBeNull();
  }
});

test('given them, when their coordinator goes on, then the candidate of what was reviewed is made and its former answers change nothing', async () => {
  for (const worker of await migrated([rowAt('fast-forward')])) {
    const story = storyOf(worker);
    story.hear({ kind: 'command-finished', seq: worker.command.seq, result: { kind: 'closed' } });

    expect(story.rules).toContain('stale:command');
    expect(story.last).toMatchObject({ kind: 'candidate', at: worker.merge.accept?.pin });
  }
});

test.each(['close', 'recycle'])(
  'given an accept at "%s", whose work is merged, when 0019 comes, then it goes on to its end',
  async (step) => {
    for (const worker of await migrated([rowAt(step)])) {
      const story = storyOf(worker);
      if (step === 'close') story.answer({ kind: 'closed' });
      story.answer({ kind: 'recycled', base: 'main' });

      expect(story.worker).toMatchObject({ merge: { accept: null }, task: { kind: 'none' } });
      expect(story.records).toContainEqual(expect.objectContaining({ kind: 'task', status: 'accepted' }));
    }
  },
);

test('given conflicts that an agent resolves, when 0019 comes, then what it was told and where it came from is known', async () => {
  const rows = ROWS.filter(({ sliced }) => sliced.merge.conflicts !== null);
  expect(rows.length).toBeGreaterThan(0);

  const workers = await migrated(rows);

  for (const [index, { merge, lifecycle }] of workers.entries()) {
    const { headBefore, helped } = rows[index]?.sliced.merge.conflicts ?? expect.fail('no conflicts');
    expect(merge.conflicts).toMatchObject({ orig: headBefore, onto: '', told: helped ? ['in-progress'] : [] });
    expect(merge.conflicts?.open).toBe(lifecycle.status === 'rebasing' || lifecycle.before === 'rebasing');
    expect(merge).toMatchObject({ review: null, candidate: null, checks: null, gaveUp: null });
  }
});

test('given a policy that names a former command, when 0019 comes, then the rest of that policy holds', async () => {
  await using old = await before0016();
  const policy = { project: { command: { timeoutMs: { squash: 1, open: 2 } } } };
  await query(old.database, `update projects set config = '${JSON.stringify({ policy })}'`);

  await migrate(old.database, MIGRATIONS);

  const [row] = await query(old.database, 'select config from projects');
  expect(row?.['config']).toEqual({ policy: { project: { command: { timeoutMs: { open: 2 } } } } });
});

function storyOf(worker: Worker): Story {
  const story = new Story();
  story.worker = worker;
  story.lease = 'mine';
  return story;
}
