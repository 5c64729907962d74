/** Shows the work by `difft`, file by file: on the objects of the clone, or on copies if the work is elsewhere. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import type { Host } from '@drover/host';
import { CommandError } from '../../../exit-codes.ts';
import { adoptColours } from '../../../terminal/style.ts';
import type { Surroundings } from '../../../surroundings.ts';
import type { ShownFile } from './changes.ts';
import { hostFor, openObjects } from './objects.ts';
import { writtenPath } from './paths.ts';
import { shownFiles, writeSides } from './sides.ts';

/** Milliseconds that git and difft may take to compare. */
const COMPARE_MS = 120_000;
/** Width without a terminal. */
const COLUMNS = 160;

/** Returns the output of difft for the change. @throws {CommandError} */
export async function difftastic(surroundings: Surroundings, review: ReviewView): Promise<string> {
  const { colours, columns } = surroundings.terminal;
  const env = {
    DFT_COLOR: colours ? 'always' : 'never',
    DFT_WIDTH: String(Number.isFinite(columns) ? columns : COLUMNS),
  };
  await using objects = await openObjects(surroundings, review);
  if (objects === null) return adoptColours(await compareCopies(surroundings, review, env), colours);
  const args = ['diff', '--ext-diff', '--find-renames', '--ignore-submodules=none', ...objects.range, '--'];
  const { stdout } = await objects.git(args, {
    timeoutMs: COMPARE_MS,
    env: { ...env, GIT_EXTERNAL_DIFF: 'difft' },
  });
  return adoptColours(stdout, colours);
}

/** Calls difft as git would, for temporary copies of both sides. */
async function compareCopies(
  surroundings: Surroundings,
  review: ReviewView,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const host = hostFor(surroundings);
  const directory = await mkdtemp(path.join(surroundings.environment.temporary, 'drover-difft-'));
  try {
    const shown: string[] = [];
    const left: string[] = [];
    for (const file of await shownFiles(null, review)) {
      const sides = await writeSides(directory, file);
      if (sides === null) left.push(writtenPath(file.path));
      else shown.push(await compare(host, { file, sides, env }));
    }
    const rest = left.length === 0 ? [] : [`Not shown: ${left.join(', ')}. See them with --interface diff.\n`];
    return [...shown, ...rest].join('');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Compared {
  readonly file: ShownFile;
  readonly sides: readonly [before: string, after: string];
  readonly env: Readonly<Record<string, string>>;
}

async function compare(host: Host, { file, sides: [before, after], env }: Compared): Promise<string> {
  // Git's arguments for such a program: the name, then each side with an object and a mode. No name is an option.
  const name = file.path.startsWith('-') ? `./${file.path}` : file.path;
  const outcome = await host.run('difft', [name, before, '.', '100644', after, '.', '100644'], {
    timeoutMs: COMPARE_MS,
    env,
  });
  if (outcome.status === 0) return outcome.stdout;
  const why = outcome.timedOut
    ? `took longer than ${COMPARE_MS / 1000} s`
    : `ended with status ${outcome.status ?? 'unknown'}`;
  throw new CommandError('environment', `difft ${why} at ${writtenPath(file.path)}: use --interface diff`);
}
