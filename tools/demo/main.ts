// `npm run demo`: Drover does its job before your eyes, in about 20 seconds, on simulated agents.
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { link, startTelegram, workByChat } from './chat.ts';
import { checkMerged, checkNothingRuns, checkTaken, directoriesOf } from './checks.ts';
import { DemoFailure, Interrupted } from './failure.ts';
import { laptop, type Fleet, type Stage } from './fleet.ts';
import { endTmux } from '../fleet/place.ts';
import { log } from './git.ts';
import { processesIn } from '../fleet/left-overs.ts';
import { measure, tableOf } from './measures.ts';
import { Page } from './page.ts';
import { makePlace, removePlace, type Place } from './place.ts';
import { configureRun, splitAndMerge } from './run/run.ts';
import { follow, judge, killThings, prepare, setToWork } from './story.ts';
import { checkTeamMerged, logOf } from './team/repositories.ts';
import { acceptAll, breakThings, gather, setTeamToWork } from './team/story.ts';
import { AT_HOME, BY_ADDRESS } from './team/tasks.ts';
import { Team } from './team/team.ts';
import {
  conclude,
  epilogue,
  farewellKept,
  HELP,
  prologue,
  prologueInChat,
  prologueOfRun,
  prologueOfTeam,
} from './texts.ts';

interface Options {
  readonly keep: boolean;
  readonly help: boolean;
  /** A person in a scripted chat gives the work, is asked, and accepts. */
  readonly chat: boolean;
  /** Tells whether to run a team: replicas, gateways, and hosts that ssh reaches. */
  readonly fleet: boolean;
  /** Tells whether to split a goal into parts, by a run. */
  readonly run: boolean;
}

async function main(options: Options): Promise<number> {
  const page = new Page({ colours: coloured(), write: (text) => void process.stdout.write(text) });
  if (options.help) {
    page.text(HELP);
    return 0;
  }
  const trouble = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => trouble.abort(new Interrupted(name)));
  const place = await makePlace(process.env);
  const stage: Stage = { place, page, signal: trouble.signal, fail: (failure) => trouble.abort(failure) };
  try {
    await perform(stage, options);
    return 0;
  } catch (error) {
    const reason: unknown = trouble.signal.aborted ? trouble.signal.reason : error;
    const interrupted = reason instanceof Interrupted;
    page.text(`\n${wordsOf(reason)}`, 'bad');
    if (!options.keep && !interrupted) page.text('To look around afterwards, repeat it with: npm run demo -- --keep');
    if (options.keep) farewellKept(page, await directoriesOf(place));
    return interrupted ? 130 : 1;
  } finally {
    if (!options.keep) await sweep(place);
  }
}

async function perform(stage: Stage, options: Options): Promise<void> {
  const { page, place } = stage;
  if (options.chat) return performInChat(stage, options);
  if (options.fleet) return performWithTeam(stage);
  if (options.run) return performRun(stage);
  prologue(page, place, options);
  page.chapter('A repository, and Drover beside it');
  await prepare(stage);
  await using stack = new AsyncDisposableStack();
  const fleet = await laptop(stage);
  const happenings = stack.use(follow(stage, fleet));
  page.chapter('Two workers, two tasks');
  await setToWork(stage, fleet, happenings);
  page.chapter('A crash in the middle of it');
  const moments = await killThings(stage, happenings);
  page.chapter('Review: one is sent back, then both are accepted');
  await judge(stage, fleet, happenings);
  page.chapter('What is in main now');
  page.text(await log(place));
  const kept = [await checkMerged(place), await checkTaken(place)];
  page.chapter('How long it took');
  page.text(tableOf(measure(happenings.all, moments)));
  page.text('(A crashed agent rests for 2 s before it is started again: the policy says so.)');
  if (options.keep) {
    epilogue(page, kept);
    farewellKept(page, await directoriesOf(place));
    return;
  }
  await end(stage, fleet, { happenings, stack });
  epilogue(page, [...kept, NOTHING_LEFT]);
}

async function performInChat(stage: Stage, options: Options): Promise<void> {
  const { page, place } = stage;
  prologueInChat(page, place, options);
  page.chapter('A repository, Drover beside it, and a bot');
  await prepare(stage);
  await using stack = new AsyncDisposableStack();
  const telegram = stack.use(await startTelegram(stage));
  const fleet = await laptop(stage);
  const happenings = stack.use(follow(stage, fleet));
  page.chapter('Who are you? A code says it, never a name that somebody chose');
  await link(stage, fleet, telegram);
  page.chapter('A task, a question and a review, all in the chat');
  const kept = await workByChat(stage, fleet, { telegram, happenings });
  if (options.keep) {
    conclude(page, kept, IN_CHAT);
    farewellKept(page, await directoriesOf(place));
    return;
  }
  await end(stage, fleet, { happenings, stack });
  conclude(page, [...kept, NOTHING_LEFT], IN_CHAT);
}

async function performWithTeam(stage: Stage): Promise<void> {
  const { page, place } = stage;
  prologueOfTeam(page, place);
  page.chapter('Two coordinators, a computer with an agent, two that only ssh reaches');
  await using stack = new AsyncDisposableStack();
  const team = await Team.start(stage, stack);
  const happenings = stack.use(follow(stage, team));
  await gather(stage, team);
  page.chapter('Four tasks, in two repositories, on three computers');
  await setTeamToWork(stage, team, happenings);
  page.chapter('A link, a gateway and a coordinator, in the middle of it');
  const mended = await breakThings(stage, team);
  page.chapter('Review, and accept');
  const taken = await acceptAll(stage, team, happenings);
  page.chapter('What is in the two repositories now');
  for (const project of [BY_ADDRESS, AT_HOME]) page.text(`${project}\n${await logOf(place, project)}`);
  const kept = [...mended, taken, await checkTeamMerged(place)];
  await end(stage, team, { happenings, stack, elsewhere: team.directories });
  conclude(page, [...kept, NOTHING_LEFT], OF_TEAM);
}

async function performRun(stage: Stage): Promise<void> {
  const { page, place } = stage;
  prologueOfRun(page, place);
  page.chapter('A repository, and Drover beside it');
  await prepare(stage);
  await configureRun(stage);
  await using stack = new AsyncDisposableStack();
  const fleet = await laptop(stage);
  const happenings = stack.use(follow(stage, fleet));
  page.chapter('A goal, a plan, four parts');
  const kept = await splitAndMerge(stage, fleet, happenings);
  page.chapter('What is in main now');
  page.text(await log(place));
  await end(stage, fleet, { happenings, stack });
  conclude(page, [...kept, NOTHING_LEFT], OF_RUN);
}

/** Drover goes down, and leaves nothing behind. `elsewhere`: directories outside of the demo's in which something of it ran. */
async function end(
  { page, place }: Stage,
  fleet: Fleet,
  {
    happenings,
    stack,
    elsewhere = [],
  }: { happenings: AsyncDisposable; stack: AsyncDisposableStack; elsewhere?: readonly string[] },
): Promise<void> {
  page.chapter('The end');
  await happenings[Symbol.asyncDispose]();
  await fleet.down();
  await stack.disposeAsync();
  await checkNothingRuns([...(await directoriesOf(place)), ...elsewhere]);
  const left = await removePlace(place);
  if (left.length > 0) throw new DemoFailure(`Not removed: ${left.join(', ')}`);
}

const IN_CHAT = { was: 'a question on its way', next: 'With your own phone: docs/chat.md.' };
const OF_TEAM = {
  was: 'a fleet',
  next: 'With your own: "More than one machine" and "Machines over SSH" in README.md.',
};
const OF_RUN = { was: 'a run', next: 'When one is worth it: docs/guides/runs.md.' };
const NOTHING_LEFT = 'nothing is left behind: no session, no process, no directory';

/** Ends and removes whatever is still there: after a failure, and when a person ended the demo. */
async function sweep(place: Place): Promise<void> {
  const directories = await directoriesOf(place);
  await endTmux(place.base).catch(() => {});
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const { pid } of await processesIn(directories)) {
      try {
        process.kill(pid, signal);
      } catch {
        // the process has ended
      }
    }
    await checkNothingRuns(directories).catch(() => {});
  }
  await removePlace(place);
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      keep: { type: 'boolean' },
      chat: { type: 'boolean' },
      fleet: { type: 'boolean' },
      run: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { keep = false, help = false, chat = false, fleet = false, run = false } = values;
  if ([chat, fleet, run].filter(Boolean).length > 1)
    throw new DemoFailure('--chat, --fleet and --run are demos of their own: name one of them');
  if (keep && (fleet || run)) throw new DemoFailure('--keep is for a demo on one laptop: leave it out');
  return { keep, help, chat, fleet, run };
}

function coloured(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

function wordsOf(error: unknown): string {
  if (error instanceof Interrupted) return 'Ended by you; everything is removed again.';
  if (error instanceof DemoFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  process.exitCode = await main(readOptions());
} catch (error) {
  console.error(`demo: ${messageOf(error)}`);
  process.exitCode = 2;
}
