/** Tests that a task begins on existing work, with a review and a merge that have all of it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

test('given a branch of a person, when a task begins on it, then review and merge have both, and a wrong name says what is alike', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.git('checkout', '--quiet', '-b', 'feat/login');
  await writeFile(path.join(sandbox.source, 'login.txt'), 'by a person\n');
  await sandbox.git('add', '.');
  await sandbox.git('commit', '--quiet', '--message', 'Begin a login');
  await sandbox.git('checkout', '--quiet', 'main');
  await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);

  const wrong = await sandbox.drover(['start', '--from', 'feat/logni', '--prompt', 'WRITE b.md one']);
  const started = await sandbox.drover(['start', '--from', 'feat/login', '--prompt', 'WRITE b.md one\nCOMMIT Add b']);
  await sandbox.until('adam', 'needs_review');
  const review = await sandbox.drover(['review', 'adam']);
  const accepted = await sandbox.drover(['accept', 'adam']);

  expect(wrong.status).not.toBe(0);
  expect(wrong.stderr).toContain(`There is no branch "feat/logni" in "${sandbox.source}": did you mean "feat/login"?`);
  expect(started.status).toBe(0);
  for (const words of ['Begin a login', 'login.txt', 'Add b', 'b.md']) expect(review.stdout).toContain(words);
  expect(accepted.status).toBe(0);
  expect(await sandbox.git('ls-tree', '--name-only', 'main')).toMatch(/^b\.md$[^]*^login\.txt$/mu);
});
