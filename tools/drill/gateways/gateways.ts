// Kills the gateway that serves four workers over SSH at random moments of delivery, crash recovery and accept, and another takes over. The
// content of main at the end tells whether a text came twice, or work was lost.
import { SeededRandom } from '@drover/testkit';
import { checkNothingRuns, directoriesOf } from '../../demo/checks.ts';
import type { Stage } from '../../demo/fleet.ts';
import { Page } from '../../demo/page.ts';
import { makePlace, removePlace } from '../../demo/place.ts';
import { follow } from '../../demo/story.ts';
import { Team } from '../../demo/team/team.ts';
import type { Findings } from '../findings.ts';
import { Rounds } from './rounds.ts';

/** Workers, and so moments, of each kill. */
const AT_ONCE = 4;

export async function killGateways(
  { kills, seed }: { readonly kills: number; readonly seed: number },
  stop: AbortSignal,
): Promise<Findings> {
  const page = new Page({ colours: false, write: (text) => void process.stdout.write(text) });
  const trouble = new AbortController();
  const place = await makePlace(process.env);
  const signal = AbortSignal.any([stop, trouble.signal]);
  const stage: Stage = { place, page, signal, fail: (failure) => trouble.abort(failure) };
  const lines: string[] = [];
  const problems: string[] = [];
  let directories = await directoriesOf(place);
  try {
    await using stack = new AsyncDisposableStack();
    const team = await Team.start(stage, stack);
    const happenings = stack.use(follow(stage, team));
    const rounds = new Rounds({ stage, team, happenings, random: new SeededRandom(seed) });
    await rounds.prepare(AT_ONCE);
    directories = [...directories, ...team.directories];
    try {
      for (let kill = 1; kill <= kills; kill += 1) page.text(`${kill}: ${await rounds.play(kill)}`);
      lines.push(await rounds.judge());
    } catch (error) {
      problems.push(String(error), await rounds.explain());
    }
  } finally {
    await checkNothingRuns(directories).catch((error: unknown) => void problems.push(String(error)));
    await removePlace(place);
  }
  return { lines, problems };
}
