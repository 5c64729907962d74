/** `difft` shows the work: git calls it for each file, on the objects of the clone alone. */
import type { ReviewView } from '@drover/api';
import { adoptColours } from '../../../terminal/style.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { openObjects } from './objects.ts';

/** How long git and difft may take to compare, in milliseconds. */
const COMPARE_MS = 120_000;
/** Width where there is no terminal. */
const COLUMNS = 160;

/** What difft prints of the change. @throws {CommandError} */
export async function difftastic(surroundings: Surroundings, review: ReviewView): Promise<string> {
  await using objects = await openObjects(surroundings, review);
  const { colours, columns } = surroundings.terminal;
  const args = ['diff', '--ext-diff', '--find-renames', '--ignore-submodules=none', ...objects.range, '--'];
  const { stdout } = await objects.git(args, {
    timeoutMs: COMPARE_MS,
    env: {
      GIT_EXTERNAL_DIFF: 'difft',
      DFT_COLOR: colours ? 'always' : 'never',
      DFT_WIDTH: String(Number.isFinite(columns) ? columns : COLUMNS),
    },
  });
  return adoptColours(stdout, colours);
}
