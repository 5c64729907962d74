// Runs `node tools/gateway-kills/main.ts [--kills N] [--seed S]`: kills the gateway that serves four workers over SSH at random moments of
// delivery, crash recovery and accept, and another takes over. The content of main at the end tells whether a text came twice, or work was
// lost.
import { parseArgs } from 'node:util';
import { SeededRandom } from '@drover/testkit';
import { checkNothingRuns, directoriesOf } from '../demo/checks.ts';
import { openDatabase } from '../demo/database.ts';
import { DemoFailure } from '../demo/failure.ts';
import type { Stage } from '../demo/fleet.ts';
import { Page } from '../demo/page.ts';
import { makePlace, removePlace } from '../demo/place.ts';
import { follow } from '../demo/story.ts';
import { Team } from '../demo/team/team.ts';
import { Rounds } from './rounds.ts';

/** Workers, and so moments, of each kill. */
const AT_ONCE = 4;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '25' }, seed: { type: 'string', default: '1' } },
  });
  const kills = Number(values.kills);
  if (!Number.isSafeInteger(kills) || kills < 1)
    throw new DemoFailure(`--kills "${values.kills}" is not a number of kills`);
  const page = new Page({ colours: false, write: (text) => void process.stdout.write(text) });
  const trouble = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => trouble.abort(new Error(name)));
  const place = await makePlace(process.env);
  const stage: Stage = { place, page, signal: trouble.signal, fail: (failure) => trouble.abort(failure) };
  let directories = await directoriesOf(place);
  try {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await openDatabase(undefined, place));
    const team = stack.use(await Team.start(stage, database.url));
    const happenings = stack.use(follow(stage, team));
    const rounds = new Rounds({ stage, team, happenings, random: new SeededRandom(Number(values.seed)) });
    await rounds.prepare(AT_ONCE);
    directories = [...directories, ...team.directories];
    try {
      for (let kill = 1; kill <= kills; kill += 1) page.text(`${kill}: ${await rounds.play(kill)}`);
      page.text(await rounds.judge());
    } catch (error) {
      page.text(await rounds.explain());
      throw error;
    }
  } finally {
    await checkNothingRuns(directories).catch((error: unknown) => page.text(String(error)));
    await removePlace(place);
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Prints the error with what an error at the end has hidden: the failure itself may lie below it.
  console.error(error);
  process.exitCode = 1;
}
