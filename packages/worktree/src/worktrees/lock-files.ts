/** Lock files: by them package managers know what to install. */
import { DEADLINES_MS, type Git, gitText } from '../git/git.ts';

/** Names of lock files, in any directory of the repository. */
const NAMES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile.lock',
  'Gemfile.lock',
  'go.sum',
  'composer.lock',
  'mix.lock',
  'Package.resolved',
  'gradle.lockfile',
  'packages.lock.json',
  'flake.lock',
];

/** People write these by hand as often as tools do. */
const BY_HAND = ['requirements*.txt'];

/** Tells whether a package manager writes the file: it is rebuilt, not merged. */
export function isLockFile(path: string): boolean {
  return NAMES.includes(path.slice(path.lastIndexOf('/') + 1));
}

/** The lock files that git keeps in the worktree, each with the digest of its content: a text that differs when one of them does. */
export function describeLockFiles(context: Git, worktree: string): Promise<string> {
  const paths = [...NAMES, ...BY_HAND].map((name) => `:(glob)**/${name}`);
  const call = { at: worktree, action: 'read the lock files', timeoutMs: DEADLINES_MS.read, reads: true };
  return gitText(context, ['ls-files', '--stage', '-z', '--', ...paths], call);
}
