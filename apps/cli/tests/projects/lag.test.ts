/** Tests that `drover project show` reports the lag of the default branch behind the branch that it follows, if its root is here. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProjectPageView } from '@drover/api';
import { paths, readEnvironment } from '@drover/config/surroundings';
import { expect, test } from 'vitest';
import { lagHere } from '../../src/compose/lag.ts';

test('given a default branch that lags, when its project is shown, then the lag is said, with the option unless it is set, and nothing of a root elsewhere', async () => {
  const source = await mkdtemp(path.join(os.tmpdir(), 'drover-lag-'));
  await using _ = { [Symbol.asyncDispose]: () => rm(source, { recursive: true }) };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: source, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('checkout', '-q', '-b', 'theirs');
  git('commit', '-q', '--allow-empty', '-m', 'second');
  git('checkout', '-q', 'main');
  git('branch', '-q', '--set-upstream-to', 'theirs');
  const environment = readEnvironment(process.env);
  const here = { environment, paths: paths({ env: environment, platform: process.platform, root: '/r' }) };
  const project: Partial<ProjectPageView> = { root: '/r', source, defaultBranch: 'main', follow: 'nothing' };
  const lag = (change: Partial<ProjectPageView>) => lagHere(here, { ...project, ...change } as ProjectPageView);

  expect(await lag({})).toMatch(/^"main" is 1 commit behind "theirs": .*follow = "upstream"/u);
  expect(await lag({ follow: 'upstream' })).not.toContain('follow = "upstream"');
  expect(await lag({ root: '/elsewhere' })).toBeNull();
});
