/**
 * The objects of a review for programs of this machine: git reads them from an empty repository beside the clone. The
 * repository's configuration and attributes name programs and hide files, and an agent can write both; so git does not
 * see them.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { createLocalHost, HostError, type Host, type RunOutcome } from '@drover/host';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Milliseconds that git may take to find the objects. */
const FIND_MS = 15_000;

/** The work under review, as git's objects. Disposing removes the view, not the objects. */
export interface ReviewObjects extends AsyncDisposable {
  /** The two sides of the change, as git's arguments. */
  readonly range: readonly string[];
  /** Runs git on the objects alone. @throws {CommandError} if git fails. */
  git(args: readonly string[], options: GitOptions): Promise<RunOutcome>;
}

interface GitOptions {
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes the host that runs programs of this machine: with the caller's variables, except those that point git elsewhere. */
export function hostFor({ environment }: Surroundings): Host {
  const own = Object.entries(environment.variables).filter(([name]) => !name.startsWith('GIT_'));
  return createLocalHost({ env: Object.fromEntries(own) });
}

/**
 * Opens the objects. Null: the work is on another machine, or its merge has other files than its branch, which the
 * machine sends. @throws {CommandError}
 */
export async function openObjects(
  surroundings: Surroundings,
  { worker, base, head, standing }: ReviewView,
): Promise<ReviewObjects | null> {
  // On an older default branch, the worker's branch says nothing about newer commits of the default branch.
  if (standing.base !== base) return null;
  const host = hostFor(surroundings);
  const isHere = await stat(worker.worktree).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isHere) return null;
  const asked = ['-C', worker.worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const objects = (await run(host, asked, { timeoutMs: FIND_MS })).stdout.trimEnd();
  const view = await mkdtemp(path.join(surroundings.environment.temporary, 'drover-view-'));
  const dispose = (): Promise<void> => rm(view, { recursive: true, force: true });
  const git: ReviewObjects['git'] = async (args, { env = {}, timeoutMs }) => {
    const words = ['-c', 'core.attributesFile=/dev/null', ...args];
    return run(host, words, { timeoutMs, env: { ...CLEAN, GIT_DIR: view, GIT_OBJECT_DIRECTORY: objects, ...env } });
  };
  try {
    await run(host, ['init', '--quiet', '--bare', '--template=', view], { timeoutMs: FIND_MS, env: CLEAN });
    const found = await git(['rev-parse', '--verify', '--quiet', `${head}^{commit}`], { timeoutMs: FIND_MS }).catch(
      () => null,
    );
    if (found === null) {
      await dispose();
      return null;
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { range: [base, head], git, [Symbol.asyncDispose]: dispose };
}

const CLEAN = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
} as const;

async function run(host: Host, args: readonly string[], options: GitOptions): Promise<RunOutcome> {
  const outcome = await host.run('git', args, options).catch((error: unknown) => {
    if (!(error instanceof HostError)) throw error;
    throw new CommandError('environment', `${error.message}, or use --interface diff`, { cause: error });
  });
  if (outcome.status === 0) return outcome;
  const why = outcome.timedOut ? `it took longer than ${options.timeoutMs / 1000} s` : outcome.stderr.trim();
  throw new CommandError(
    'environment',
    `git cannot show the files here (${why || `status ${outcome.status ?? 'unknown'}`}): use --interface diff`,
  );
}

/** Advice for installing external programs. */
const HOW_TO_GET = {
  difft: 'install difftastic',
  code: `install VS Code, and choose "Shell Command: Install 'code' command in PATH" among its commands`,
} as const;

/** Checks that a program is here. @throws {CommandError} with advice for installing it. */
export async function needProgram(surroundings: Surroundings, program: keyof typeof HOW_TO_GET): Promise<void> {
  const host = hostFor(surroundings);
  await host.run(program, ['--version'], { timeoutMs: FIND_MS, excess: 'drop' }).catch((error: unknown) => {
    if (!(error instanceof HostError)) throw error;
    const way = `${HOW_TO_GET[program]}, or use --interface diff`;
    throw new CommandError('environment', `The program "${program}" cannot be run here: ${way}`, { cause: error });
  });
}
