// What becomes of workers, checkpoints and histories that a build before the slices wrote, when 0016 comes.
import { readFile } from 'node:fs/promises';
import { withNewFields } from '@drover/core';
import type { Worker } from '@drover/core';
import { Story } from '@drover/core/testing';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { before0016 } from './former-rows.ts';
import type { Former } from './former-rows.ts';

const MIGRATIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };

/** Rows that the former build wrote in the simulation, chosen so that each state and command occurs, and what they are now. */
const ROWS: readonly { readonly former: Former; readonly sliced: Worker }[] = JSON.parse(
  await readFile(new URL('fixtures/former-workers.json', import.meta.url), 'utf8'),
);

test('given rows that the former build wrote, when 0016 comes, then each worker, checkpoint and history has the same in slices', async () => {
  await using old = await before0016();
  for (const { former } of ROWS) await old.write(former);

  await migrate(old.database, { ...MIGRATIONS, through: 16 });

  for (const [index, { sliced }] of ROWS.entries())
    expect(await old.now(index)).toEqual({ worker: withNewFields(sliced), checkpoint: sliced, history: sliced });
});

test('given rows that the former build wrote, when each is decided on after 0016, then nothing fails and its machine is heard', async () => {
  await using old = await before0016();
  for (const { former } of ROWS) await old.write(former);

  await migrate(old.database, { ...MIGRATIONS, through: 16 });

  for (const [index] of ROWS.entries()) {
    const { worker } = await old.now(index);
    const story = new Story();
    story.worker = worker;
    story.now = 2_000_000_000_000;
    story.hear({ kind: 'panes-listed', pane: null });
    expect(story.reply).toEqual({ kind: 'accepted' });
    expect(story.worker.session.pane.kind).toBe('absent');
  }
});

test('given a row that lacks fields which came later, when 0016 comes, then they are as for a new worker', async () => {
  await using old = await before0016();
  const [{ former, sliced }] = ROWS as [(typeof ROWS)[number]];
  const { queued: _queued, turnUnseen: _unseen, taskAttempts: _attempts, conflicts: _conflicts, ...older } = former;
  await old.write(older as Former);

  await migrate(old.database, { ...MIGRATIONS, through: 16 });

  const { checkpoint } = await old.now(0);
  expect(checkpoint).toEqual({
    ...sliced,
    mailbox: { ...sliced.mailbox, queued: [] },
    merge: { ...sliced.merge, conflicts: null },
    task: sliced.task.kind === 'none' ? sliced.task : { ...sliced.task, attempts: 0 },
  });
});
