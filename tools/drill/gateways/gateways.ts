// Kills the gateway that serves four workers over SSH at random moments of delivery, crash recovery and accept, and another takes over. The
// content of main at the end tells whether a text came twice, or work was lost.
import { SeededRandom } from '@drover/testkit';
import { Page } from '../../demo/page.ts';
import { checkNothingRuns, directoriesOf, makePlace, removePlace } from '../../demo/place.ts';
import { follow, type Stage } from '../../demo/stage.ts';
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
  const trouble = Promise.withResolvers<never>();
  trouble.promise.catch(() => {}); // nobody waits for it after the end
  stop.addEventListener('abort', () => trouble.reject(stop.reason), { once: true });
  const place = await makePlace();
  const lines: string[] = [];
  const problems: string[] = [];
  let directories = await directoriesOf(place);
  try {
    await using stack = new AsyncDisposableStack();
    const stage: Stage = { place, page, stack, fail: trouble.reject };
    const team = await Team.start(stage);
    const rounds = new Rounds({ stage, team, happenings: follow(stage, team), random: new SeededRandom(seed) });
    await rounds.prepare(AT_ONCE);
    directories = [...directories, ...team.directories];
    const play = async (): Promise<string> => {
      for (let kill = 1; kill <= kills && !stop.aborted; kill += 1) page.text(`${kill}: ${await rounds.play(kill)}`);
      return rounds.judge();
    };
    try {
      lines.push(await Promise.race([play(), trouble.promise]));
    } catch (error) {
      problems.push(String(error), await rounds.explain());
    }
  } finally {
    await checkNothingRuns(directories).catch((error: unknown) => void problems.push(String(error)));
    await removePlace(place);
  }
  return { lines, problems };
}
