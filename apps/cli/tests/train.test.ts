/** Five accepted at once, with everything real: who breaks the checks is sent back, the others are merged, and nothing is checked in vain. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from './support/sandbox.ts';
import { until } from './support/until.ts';

const WORKERS = ['ann', 'bob', 'cal', 'dan', 'eve'] as const;

interface Shown {
  readonly name: string;
  readonly status: string;
  readonly accepting: string | null;
  readonly sentBack: { readonly command: string; readonly before: readonly string[] } | null;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  // Alone each passes. With that of ann the work of cal fails; that of bob on it fails once, by chance.
  const check = [
    `ls *.txt | tr '\\n' ' ' >> ${counted()}; echo >> ${counted()}`,
    'if [ -f cal.txt ] && [ -f ann.txt ]; then echo "cal.txt and ann.txt do not go together"; exit 1; fi',
    `if [ -f bob.txt ] && [ -f ann.txt ] && [ ! -f dan.txt ] && [ ! -f ${counted()}.once ]; then touch ${counted()}.once; exit 1; fi`,
  ].join('\n');
  await writeFile(
    path.join(sandbox.root, 'drover.toml'),
    `[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[repo]\nsource = "${sandbox.source}"\nvalidate = [["sh", "-c", ${JSON.stringify(check)}]]\n`,
  );
  await sandbox.up();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

function counted(): string {
  return path.join(sandbox.directory, 'checked');
}

async function workers(): Promise<readonly Shown[]> {
  return sandbox.ask('workers.list');
}

/** The files that each run of the checks saw. */
async function runs(): Promise<readonly string[]> {
  return (await readFile(counted(), 'utf8')).split('\n').filter((line) => line !== '');
}

test('given five accepted at once of which the third breaks the checks, when the train has gone, then four are merged and one is sent back', async () => {
  for (const name of WORKERS) {
    await sandbox.drover(['add', name, '--wait']);
    await sandbox.drover([
      'start',
      '--worker',
      name,
      '--prompt',
      `STEADY\nWRITE ${name}.txt mine\nCOMMIT Work of ${name}`,
    ]);
  }
  for (const name of WORKERS) await sandbox.until(name, 'needs_review');
  const before = (await runs()).length;
  const refused = await sandbox.drover(['accept', '--all-validated']);

  const accepted = await sandbox.drover(['accept', '--all-validated', '--yes']);
  await until('the train to be over', async () =>
    (await workers()).every(({ accepting }) => accepting === null) ? true : undefined,
  );

  expect(refused.stderr).toContain('5 pieces of work will be merged');
  expect(accepted.stderr).toMatch(/cal: .*the check/u);
  const log = await sandbox.git('log', '--format=%s', 'main');
  expect(log.split('\n').toReversed()).toEqual([
    'first',
    ...['ann', 'bob', 'dan', 'eve'].map((name) => `Work of ${name}`),
  ]);
  expect(await workers()).toMatchObject(
    WORKERS.map((name) =>
      name === 'cal' ? { sentBack: { before: ['ann', 'bob'] } } : { status: 'idle', sentBack: null },
    ),
  );
  const train = await sandbox.drover(['train']);
  expect(train.stdout).toMatch(/sent back .* cal: .* passes with that of ann, bob before it/u);
  // The tip; then by halves, from the first, which passed before its review; then what was behind, on what is known to pass.
  expect((await runs()).slice(before)).toEqual([
    'a.txt ann.txt bob.txt cal.txt dan.txt eve.txt ',
    'a.txt ann.txt bob.txt cal.txt ',
    'a.txt ann.txt bob.txt ',
    'a.txt ann.txt bob.txt ',
    'a.txt ann.txt bob.txt cal.txt ',
    'a.txt ann.txt bob.txt dan.txt eve.txt ',
  ]);
  const history = await sandbox.drover(['logs', 'ann']);
  expect(history.stdout).toContain('no work is blamed for it');
});
