import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ReviewView } from '@drover/api';
import { expect, onTestFinished, test } from 'vitest';
import { difftastic } from './difftastic.ts';
import { renderText } from '../../../terminal/style.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Fake difft: prints the name of a file in red, and its content. */
const FAKE_DIFFT = `#!/bin/sh\nprintf '\\033[1;91m%s\\033[0m %s\\n' "$1" "$DFT_COLOR"\ncat "$5"\n`;

test('given a repository that names programs and hides files, when difft shows the work, then only difft runs, and its text is text', async () => {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-difft-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...names: string[]): string => path.join(directory, ...names);
  for (const name of ['bin', 'tmp', 'home']) await mkdir(at(name));
  await writeFile(at('bin', 'difft'), FAKE_DIFFT);
  await chmod(at('bin', 'difft'), 0o755);
  const evil = `touch '${at('ran')}' #`;
  const variables = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`, HOME: at('home'), GIT_EXTERNAL_DIFF: evil };
  const git = async (...args: string[]): Promise<string> => {
    const named = ['-C', at('clone'), '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args];
    return (await promisify(execFile)('git', named, { env: { ...variables, GIT_CONFIG_NOSYSTEM: '1' } })).stdout.trim();
  };
  await mkdir(at('clone'));
  await git('init', '--quiet');
  await writeFile(at('clone', '.gitattributes'), '* diff=evil\n*.ts -diff\n');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'first');
  const base = await git('rev-parse', 'HEAD');
  await writeFile(at('clone', 'a.ts'), 'text\u001b]52;c;eA==\u0007\u202e\u001b[8mgone\u001b[30;40m\n');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'second');
  for (const name of ['command', 'textconv']) await git('config', `diff.evil.${name}`, evil);
  await git('config', 'diff.external', evil);
  const worker = { worktree: at('clone') } as ReviewView['worker'];
  const review = { worker, base, head: await git('rev-parse', 'HEAD'), standing: { base } } as ReviewView;
  const terminal = { colours: true, columns: 80 };

  const text = await difftastic(
    { terminal, environment: { variables, temporary: at('tmp') } } as unknown as Surroundings,
    review,
  );

  expect(renderText(text)).toBe(
    '\u001b[1m\u001b[91ma.ts\u001b[0m always\ntext⟨U+001B⟩]52;c;eA==⟨U+0007⟩⟨U+202E⟩⟨U+001B⟩[8mgone⟨U+001B⟩[30;40m\n',
  );
  await expect(access(at('ran'))).rejects.toThrow('ENOENT');
  expect(await readdir(at('tmp'))).toEqual([]);
});

test('given work of another machine, when difft shows it, then it gets what that machine told, and no name is an option of it', async () => {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-difft-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...names: string[]): string => path.join(directory, ...names);
  for (const name of ['bin', 'tmp']) await mkdir(at(name));
  await writeFile(at('bin', 'difft'), FAKE_DIFFT);
  await chmod(at('bin', 'difft'), 0o755);
  const variables = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` };
  const sides: ReviewView['sides'] = [
    { path: '--exit', from: '--exit', content: ['', 'dashes\n'] },
    { path: 'image.png', from: 'image.png', content: null },
  ];
  const review = {
    worker: { worktree: at('not-here') },
    base: 'b',
    head: 'h',
    standing: { workedAt: 1, base: 'of the merge', basedAt: 1, behind: 0, upstream: null },
    sides,
  } as ReviewView;
  const terminal = { colours: false, columns: 80 };

  const text = await difftastic(
    { terminal, environment: { variables, temporary: at('tmp') } } as unknown as Surroundings,
    review,
  );

  expect(renderText(text)).toContain('./--exit never');
  expect(text).toContain('dashes\n');
  expect(text).toContain('Not shown: image.png.');
  expect(await readdir(at('tmp'))).toEqual([]);
});
