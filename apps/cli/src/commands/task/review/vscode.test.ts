import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ReviewView } from '@drover/api';
import { expect, onTestFinished, test } from 'vitest';
import type { Surroundings } from '../../../surroundings.ts';
import { openInEditor } from './vscode.ts';

const DAY_MS = 24 * 3_600_000;
const BINARY = Buffer.from([0, 255, 1, 254, 10, 0]);

/** Makes a repository, a fake `code` that notes its arguments, and surroundings with both. */
async function makeYard() {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-code-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...names: string[]): string => path.join(directory, ...names);
  for (const name of ['bin', 'tmp', 'home', 'clone']) await mkdir(at(name));
  const note = `for word; do printf '%s\\0' "$word"; done >> '${at('calls')}'; printf '\\n' >> '${at('calls')}'`;
  await writeFile(at('bin', 'code'), `#!/bin/sh\n${note}\n`, { mode: 0o755 });
  const variables = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`, HOME: at('home') };
  const git = async (...args: string[]): Promise<string> => {
    const named = ['-C', at('clone'), '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args];
    return (await promisify(execFile)('git', named, { env: { ...variables, GIT_CONFIG_NOSYSTEM: '1' } })).stdout.trim();
  };
  await git('init', '--quiet');
  const commit = async (): Promise<string> => {
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'a change');
    return git('rev-parse', 'HEAD');
  };
  const surroundings = {
    environment: { variables, temporary: at('tmp') },
    now: () => Date.now(),
  } as unknown as Surroundings;
  const show = (base: string, head: string): Promise<string> => {
    const worker = { name: 'adam', machine: 'far', worktree: at('clone') };
    return openInEditor(surroundings, { worker, base, head, standing: { base } } as ReviewView);
  };
  /** Returns the arguments of each call. */
  const calls = async (): Promise<string[][]> =>
    (await readFile(at('calls'), 'utf8'))
      .split('\0\n')
      .filter(Boolean)
      .map((line) => line.split('\0'));
  return { at, commit, show, calls, surroundings };
}

test('given a rename, a new, a deleted and a binary file and odd names, when shown, then each is opened with both sides as git has them', async () => {
  const { at, commit, show, calls } = await makeYard();
  const put = (name: string, text: string | Buffer): Promise<void> => writeFile(at('clone', name), text);
  await put('old.ts', 'line\n'.repeat(20));
  await put('gone.ts', 'gone\n');
  await put('image.png', 'text\n');
  const base = await commit();
  for (const name of ['old.ts', 'gone.ts']) await rm(at('clone', name));
  await put('new.ts', 'line\n'.repeat(20));
  await put('image.png', BINARY);
  await put('--wait', 'dashes\n');
  await put('q"\u001b\n.ts', 'odd\n');
  await put('.gitattributes', '*.ts text eol=crlf diff=evil\n');

  const said = await show(base, await commit());

  const opened = await calls();
  expect(opened.map(([window, word]) => [window, word])).toEqual([
    ['--new-window', '--diff'],
    ...Array.from({ length: 5 }, () => ['--reuse-window', '--diff']),
  ]);
  const sides = new Map<string, readonly [string, string]>();
  for (const [, , before = '', after = ''] of opened)
    sides.set(after.split('/after/')[1] ?? '', [await readFile(before, 'latin1'), await readFile(after, 'latin1')]);
  expect(sides.get('new.ts')?.[0]).toBe('line\n'.repeat(20));
  expect(opened.flat().some((word) => word.endsWith('/before/old.ts'))).toBe(true);
  expect(sides.get('gone.ts')).toEqual(['gone\n', '']);
  expect(sides.get('image.png')).toEqual(['text\n', BINARY.toString('latin1')]);
  expect(sides.get('--wait')).toEqual(['', 'dashes\n']);
  expect(sides.get('q"\u001b\n.ts')).toEqual(['', 'odd\n']);
  expect(said).toBe('VS Code shows 6 files; the left side is before the work, the right side after it.');
});

test('given more files than anybody finds their way among, when shown, then 20 are opened, the others named, and old copies go', async () => {
  const { at, commit, show, calls } = await makeYard();
  await writeFile(at('clone', 'a'), '');
  const base = await commit();
  for (let index = 10; index < 32; index += 1) await writeFile(at('clone', `f${index}`), `${index}\n`);
  for (const name of ['drover-review-old', 'drover-review-fresh', 'another']) await mkdir(at('tmp', name));
  const before = (Date.now() - 2 * DAY_MS) / 1_000;
  for (const name of ['drover-review-old', 'another']) await utimes(at('tmp', name), before, before);

  const said = await show(base, await commit());

  expect(await calls()).toHaveLength(20);
  expect(said).toContain('Not opened: f30, f31. See them with --interface diff.');
  const left = await readdir(at('tmp'));
  expect(left.filter((name) => name.startsWith('drover-view-'))).toEqual([]);
  expect(left).not.toContain('drover-review-old');
  expect(left).toEqual(expect.arrayContaining(['drover-review-fresh', 'another']));
});

test('given work of another machine, when it is shown, then each side is what that machine told, no name leads out, and the rest is named', async () => {
  const { at, commit, calls, surroundings } = await makeYard();
  await writeFile(at('clone', 'a'), '');
  const base = await commit();
  const review = (worktree: string, sides?: ReviewView['sides']): ReviewView =>
    ({
      worker: { name: 'adam', machine: 'far', worktree },
      base,
      head: 'f'.repeat(40),
      standing: { workedAt: 1, base: 'of the merge', basedAt: 1, behind: 0, upstream: null },
      sides,
    }) as ReviewView;
  const sides: ReviewView['sides'] = [
    { path: 'src/b.ts', from: 'a.ts', content: ['one\n', 'two\n'] },
    { path: 'new.ts', from: 'new.ts', content: ['', 'new\n'] },
    { path: '../../out', from: '../../out', content: ['', 'out\n'] },
    { path: 'image.png', from: 'image.png', content: null },
  ];

  // The path of the worktree does not matter: the path may be missing, or exist here by chance.
  const said = await openInEditor(surroundings, review(at('not-here'), sides));
  await openInEditor(surroundings, review(at('clone'), sides));

  expect(said).toContain('Not opened: ../../out, image.png');
  const opened = await calls();
  expect(opened).toHaveLength(4);
  const [, , before = '', after = ''] = opened[0] ?? [];
  expect([await readFile(before, 'utf8'), await readFile(after, 'utf8')]).toEqual(['one\n', 'two\n']);
  expect([before, after].map((file) => file.replace(/^.*drover-review-[^/]*/u, ''))).toEqual([
    '/before/a.ts',
    '/after/src/b.ts',
  ]);
  await expect(openInEditor(surroundings, review(at('not-here')))).rejects.toThrow(
    'adam works on the machine "far", which did not send both versions',
  );
});
