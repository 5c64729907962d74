// Kills the gateway that serves four workers over SSH at random moments of their tasks, or of runs, and another takes over. The content of
// main at the end tells whether a text came twice, or work was lost.
import { SeededRandom } from '@drover/testkit';
import { Page } from '../../demo/page.ts';
import { checkNothingRuns, directoriesOf, makePlace, removePlace } from '../../demo/place.ts';
import { follow, type Stage } from '../../demo/stage.ts';
import { Team } from '../../demo/team/team.ts';
import type { Findings } from '../findings.ts';
import { TaskRounds } from './rounds.ts';
import { RunRounds } from './run-rounds.ts';
import { explain, serve } from './served.ts';

/** Workers, and so moments of tasks, of each kill. */
const AT_ONCE = 4;

export async function killGateways(
  { kills, seed, isRuns }: { readonly kills: number; readonly seed: number; readonly isRuns: boolean },
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
    const random = new SeededRandom(seed);
    const served = await serve({ stage, team, happenings: follow(stage, team), random }, AT_ONCE);
    directories = [...directories, ...team.directories];
    const rounds = isRuns ? new RunRounds(served) : new TaskRounds(served);
    const play = async (): Promise<string> => {
      let done = 0;
      for (let round = 1; done < kills && !stop.aborted; round += 1) {
        const { kills: more, said } = await rounds.play(round);
        done += more;
        page.text(`${done}: ${said}`);
      }
      return rounds.judge();
    };
    try {
      lines.push(await Promise.race([play(), trouble.promise]));
    } catch (error) {
      problems.push(String(error), await explain(served));
    }
  } finally {
    await checkNothingRuns(directories).catch((error: unknown) => void problems.push(String(error)));
    await removePlace(place);
  }
  return { lines, problems };
}
