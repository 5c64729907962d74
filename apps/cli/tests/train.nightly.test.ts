/**
 * Accepts five at once, with everything real: the worker that breaks the checks is sent back, the others are merged,
 * and nothing is checked in vain.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

const WORKERS = ['ann', 'bob', 'cal', 'dan', 'eve'] as const;

interface Shown {
  readonly name: string;
  readonly status: string;
  readonly note: string;
  readonly accepting: string | null;
  readonly brokenBase: string | null;
  readonly sentBack: { readonly command: string; readonly before: readonly string[] } | null;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  // Each work passes alone. The work of cal fails beside that of ann; the work of bob fails beside that of ann once, by chance.
  const check = [
    `ls *.txt | tr '\\n' ' ' >> ${counted()}; echo >> ${counted()}`,
    'if [ -f cal.txt ] && [ -f ann.txt ]; then echo "cal.txt and ann.txt do not go together"; exit 1; fi',
    'if [ -f broken.txt ]; then echo "broken.txt breaks all of it"; exit 1; fi',
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

async function shownOf(name: string): Promise<Shown | undefined> {
  return (await workers()).find((worker) => worker.name === name);
}

/** Lists the files that each run of the checks saw. */
async function runs(): Promise<readonly string[]> {
  return (await readFile(counted(), 'utf8')).split('\n').filter((line) => line !== '');
}

/** Commits on the default branch, like a colleague. */
async function commit(file: string, text: string): Promise<void> {
  await writeFile(path.join(sandbox.source, file), text);
  await sandbox.git('add', file);
  await sandbox.git('commit', '--quiet', '--message', file);
}

function inPlaceOf(name: string, ...args: readonly string[]): Promise<string> {
  return sandbox.git('-C', path.join(sandbox.root, '.worktrees', name), ...args);
}

/** Tells whether the work of this worker stands right on the colleague's commit, in its worktree. */
async function isOnMain(name: string): Promise<boolean> {
  return (await inPlaceOf(name, 'log', '--format=%s', '-2', `drover/${name}`)) === `Work of ${name}\nREADME.md`;
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
  // A colleague's commit: all worktrees are put on it at once, and their content is checked again.
  await commit('README.md', 'read me\n');
  const rebased = await sandbox.drover(['rebase', '--all']);
  await until('all to be on main', async () => !(await Promise.all(WORKERS.map(isOnMain))).includes(false));
  // By their new commits: until Drover sees those, the checks of the old ones count.
  const heads = await Promise.all(WORKERS.map((name) => inPlaceOf(name, 'rev-parse', '--short=12', 'HEAD')));
  const refused = await until('all to be checked again', async () => {
    const said = await sandbox.drover(['accept', '--all-validated']);
    return WORKERS.every((name, at) => said.stdout.includes(`${name} at ${heads[at]}`)) ? said : undefined;
  });
  const before = (await runs()).length;

  const accepted = await sandbox.drover(['accept', '--all-validated', '--yes']);
  await until('the train to be over', async () =>
    (await workers()).every(({ accepting }) => accepting === null) ? true : undefined,
  );

  expect(rebased.status).toBe(0);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('5 pieces of work will be merged');
  expect(accepted.stderr).toMatch(/cal: .*the check/u);
  const log = await sandbox.git('log', '--format=%s', 'main');
  expect(log.split('\n').toReversed()).toEqual([
    'first',
    'README.md',
    ...['ann', 'bob', 'dan', 'eve'].map((name) => `Work of ${name}`),
  ]);
  expect(await workers()).toMatchObject(
    WORKERS.map((name) =>
      name === 'cal' ? { sentBack: { before: ['ann', 'bob'] } } : { status: 'idle', sentBack: null },
    ),
  );
  const train = await sandbox.drover(['queue', 'merge']);
  expect(train.stdout).toMatch(/sent back .* cal: .* passes with that of ann, bob before it/u);
  // The tip; then by halves, from the first, which passed before its review; then the rest, on work that is known to pass.
  expect((await runs()).slice(before)).toEqual([
    'a.txt ann.txt bob.txt cal.txt dan.txt eve.txt ',
    'a.txt ann.txt bob.txt cal.txt ',
    'a.txt ann.txt bob.txt ',
    'a.txt ann.txt bob.txt ',
    'a.txt ann.txt bob.txt cal.txt ',
    'a.txt ann.txt bob.txt dan.txt eve.txt ',
  ]);
  const history = await sandbox.drover(['logs', 'ann']);
  expect(history.stdout).toContain('no work is to blame');
});

test('given work that a colleague has merged meanwhile, when it is accepted, then its task ends only once a person says that nothing is merged', async () => {
  await sandbox.drover(['start', '--worker', 'dan', '--prompt', 'WRITE same.txt the same\nCOMMIT The same by dan']);
  await sandbox.until('dan', 'needs_review');
  await commit('same.txt', await inPlaceOf('dan', 'show', 'drover/dan:same.txt').then((text) => `${text}\n`));
  const main = await sandbox.git('rev-parse', 'main');
  await sandbox.drover(['review', 'dan']);

  const refused = await sandbox.drover(['accept', 'dan']);
  const still = (await shownOf('dan'))?.status;
  const ended = await sandbox.drover(['accept', 'dan', '--nothing']);

  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('--nothing');
  expect(still).toBe('needs_review');
  expect(ended.status).toBe(0);
  expect((await shownOf('dan'))?.status).toBe('idle');
  expect(await sandbox.git('rev-parse', 'main')).toBe(main);
});

test('given a default branch that fails the checks by itself, when work waits for review and is accepted, then none is sent back, people are told what to do, and all is merged once it is mended', async () => {
  const names = ['ann', 'bob', 'eve'] as const;
  const shown = async (): Promise<readonly Shown[]> =>
    (await workers()).filter(({ name }) => names.some((one) => one === name));
  for (const name of names)
    await sandbox.drover([
      'start',
      '--worker',
      name,
      '--prompt',
      `WRITE late-${name}.txt mine\nCOMMIT Late of ${name}`,
    ]);
  for (const name of names) await sandbox.until(name, 'needs_review');
  await commit('broken.txt', 'x\n');

  await sandbox.drover(['rebase', '--all']);
  await until('all to be checked on the broken branch', async () =>
    (await shown()).every(({ note }) => /fails the check .* by itself/su.test(note)) ? true : undefined,
  );
  const waiting = await shown();
  const left = await until('none to be checked any more', async () => {
    const said = await sandbox.drover(['accept', '--all-validated', '--yes']);
    return said.stdout.includes('it is being checked') ? undefined : said;
  });
  for (const name of names) await sandbox.drover(['review', name]);
  const refused = await sandbox.drover(['accept', ...names]);
  const train = await sandbox.drover(['queue', 'merge']);
  await sandbox.git('rm', '--quiet', 'broken.txt');
  await sandbox.git('commit', '--quiet', '--message', 'mended');
  const accepted = await sandbox.drover(['accept', ...names]);

  expect(waiting.map(({ status }) => status)).toEqual(['needs_review', 'needs_review', 'needs_review']);
  expect(left.stdout).toContain('not ann: the checks failed on it');
  expect(refused.status).not.toBe(0);
  expect(refused.stderr.match(/: the default branch at .*? without any of the work: repair it there/gsu)).toHaveLength(
    3,
  );
  expect(refused.stderr).toMatch(/and accept again\n$/u);
  expect(train.stdout).toContain('accepted work waits until the default branch passes the checks');
  expect(train.stdout).toMatch(/waits {2}eve: the default branch at .* repair it there, and accepted work continues/su);
  expect(train.stdout).not.toMatch(/sent back .* (?:ann|bob|eve):/u);
  expect(accepted).toMatchObject({ status: 0, stderr: '' });
  expect(await shown()).toMatchObject(names.map(() => ({ status: 'idle', accepting: null, sentBack: null })));
  expect((await sandbox.git('log', '--format=%s', '-4', 'main')).split('\n').toReversed()).toEqual([
    'mended',
    ...names.map((name) => `Late of ${name}`),
  ]);
});

test('given a colleague who breaks the default branch while an agent is at its task, when the agent commits, then its work waits without blame, and is merged once that is mended', async () => {
  const [begun, go] = ['begun', 'go'].map((file) => path.join(sandbox.directory, file));
  const task = `RUN touch ${begun}; until [ -f ${go} ]; do sleep 0.1; done\nWRITE fresh.txt mine\nCOMMIT Fresh of dan`;
  await sandbox.drover(['start', '--worker', 'dan', '--prompt', task]);
  await until('its agent to be at it', () => (existsSync(begun ?? '') ? true : undefined));
  await commit('broken.txt', 'x\n');
  const broken = await sandbox.git('rev-parse', 'main');
  const before = (await runs()).length;

  await writeFile(go ?? '', '');
  await sandbox.until('dan', 'needs_review');
  const waiting = await shownOf('dan');
  const checked = (await runs()).slice(before);
  const history = await sandbox.drover(['logs', 'dan']);
  await sandbox.git('rm', '--quiet', 'broken.txt');
  await sandbox.git('commit', '--quiet', '--message', 'mended');
  await sandbox.drover(['review', 'dan']);
  const accepted = await sandbox.drover(['accept', 'dan']);

  expect(waiting).toMatchObject({
    brokenBase: broken,
    note: expect.stringMatching(/fails the check .* by itself: repair it there/su),
  });
  // Checked with the work, then on the default branch alone.
  expect(checked.map((files) => files.includes('fresh.txt'))).toEqual([true, false]);
  expect(history.stdout).not.toContain('VALIDATION_FAILED');
  expect(accepted).toMatchObject({ status: 0, stderr: '' });
  expect((await shownOf('dan'))?.status).toBe('idle');
  expect(await sandbox.git('log', '--format=%s', '-2', 'main')).toBe('Fresh of dan\nmended');
});
