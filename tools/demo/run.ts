// Runs the demo of a run: a goal is split into four parts, in which an account runs dry, an agent crashes and a review is stale.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunView } from '@drover/api';
import { messageOf } from '@drover/base';
import { until } from '../fleet/wait.ts';
import { checkMain, log } from './git.ts';
import type { Happenings } from './happenings.ts';
import { follow, laptop, type Fleet, type Played, type Stage } from './stage.ts';
import { prepare } from './tasks.ts';

const WORKERS = ['adam', 'bea', 'cal', 'dan', 'eve'] as const;
const GOAL = 'Say hello in four languages';
/** Milliseconds for anything that the demo waits for. */
const PATIENCE_MS = 120_000;

/** Parts of the plan as the person edits it; the lines in capitals are the script of the simulated agents. */
const PARTS = [
  { file: 'en.txt', word: 'Hello', trouble: [] },
  { file: 'fr.txt', word: 'Bonjour', trouble: ['ONCE: CRASH 3'] },
  { file: 'de.txt', word: 'Hallo', trouble: ['STEADY', 'ONCE: RATE later'] },
  { file: 'it.txt', word: 'Ciao', trouble: [] },
] as const;

/** Result of a reviewer that names another attempt: it must count for nothing. */
const STALE = { attempt: 9, verdict: 'approve', summary: 'I approve of what I saw before.' };

export async function playRun(stage: Stage): Promise<Played> {
  const { page, place } = stage;
  page.chapter('A repository, and Drover beside it');
  await prepare(stage);
  await configureRun(stage);
  const fleet = await laptop(stage);
  const happenings = follow(stage, fleet);
  page.chapter('A goal, a plan, four parts');
  const kept = await splitAndMerge(stage, fleet, happenings);
  page.chapter('What is in main now');
  page.text(await log(place));
  return { fleet, kept };
}

/** Adds what the demo needs to drover.toml: short waits for the account, and a file in which the person scripts the reviewer. */
async function configureRun({ place }: Stage): Promise<void> {
  const toml = join(place.root, 'drover.toml');
  const control = join(place.base, 'control');
  await writeFile(control, '');
  const before = await readFile(toml, 'utf8');
  const log = `SIM_AGENT_LOG = ${JSON.stringify(place.witness)}`;
  await writeFile(toml, before.replace(log, `${log}, SIM_AGENT_CONTROL = ${JSON.stringify(control)}`));
  const more = [
    `\n[policy.account]`,
    'unknownReset = { firstDelayMs = 3000, capMs = 3000, factor = 1, jitter = 0 }',
    'staggerMs = 200',
    'probeTimeoutMs = 2000',
    '\n[policy.run]\nrampMs = 500',
    '',
  ];
  await appendFile(toml, more.join('\n'));
}

async function splitAndMerge(stage: Stage, fleet: Fleet, happenings: Happenings): Promise<readonly string[]> {
  const { page, place } = stage;
  for (const name of WORKERS) {
    page.command(`drover add ${name}`);
    await fleet.drover('add', name);
  }
  for (const name of WORKERS) await happenings.state(name, 'idle');
  page.command(`drover run split "${GOAL}" --workers 4`);
  const { id, shortId } = runOf(await fleet.drover('run', 'split', GOAL, '--workers', '4', '--json'));
  await untilRun(fleet, { id, what: 'the plan waits for a yes', is: ({ questions }) => questions.length > 0 });
  page.happened('run', 'has a plan, and asks before it begins', { tone: 'good' });
  const plan = join(place.base, 'plan.json');
  await writeFile(plan, JSON.stringify(PARTS.map(partOf), null, 2));
  page.command(`drover answer ${shortId} edit`);
  await fleet.drover('answer', shortId, 'edit', '--file', plan);
  page.command(`drover answer ${shortId} start`);
  await fleet.drover('answer', shortId, 'start');
  const built = await untilRun(fleet, {
    id,
    what: 'the four parts are built',
    is: ({ stages }) => stages.some(({ name, status }) => name === 'build' && status === 'passed'),
  });
  await writeFile(join(place.base, 'control'), `RESULT ${JSON.stringify(STALE)}\n`);
  for (const { name, worker, commit } of itemsOf(built, 'build'))
    page.happened('run', `${name}: ${worker ?? 'a worker'} made ${commit?.slice(0, 12) ?? 'nothing'}`, {
      tone: 'good',
    });
  const asked = await untilRun(fleet, {
    id,
    what: 'the candidate waits for a yes',
    is: ({ questions }) => questions.some(({ about }) => about === 'accept'),
  });
  page.happened('run', 'the parts are one candidate, checked and reviewed', { tone: 'good' });
  page.command(`drover answer ${shortId} accept`);
  await fleet.drover('answer', shortId, 'accept');
  const ended = await untilRun(fleet, { id, what: 'the run has ended', is: ({ endedAt }) => endedAt !== null });
  page.quote(await fleet.drover('run', 'show', shortId));
  return check(stage, { asked, ended });
}

function partOf({ file, word, trouble }: (typeof PARTS)[number]): object {
  const prompt = [...trouble, `WRITE ${file} ${word}`, `COMMIT Say ${word}`].join('\n');
  return { title: `Say ${word}`, prompt, paths: [file] };
}

async function check(
  { place }: Stage,
  { asked, ended }: { readonly asked: RunView; readonly ended: RunView },
): Promise<readonly string[]> {
  if (ended.status !== 'finished') throw new Error(`The run is ${ended.status}: ${ended.why}`);
  const control = await readFile(join(place.base, 'control'), 'utf8');
  if (control.trim() !== '') throw new Error('The reviewer never gave its stale review');
  const [review] = itemsOf(ended, 'review');
  if (review === undefined || review.summary === STALE.summary)
    throw new Error(`The stale review counted: ${review?.summary ?? 'there is none'}`);
  const files = Object.fromEntries(PARTS.map(({ file, word }) => [file, word]));
  await checkMain(place, { at: place.source, subjects: [`Say ${PARTS[0].word}`], files });
  const repeated = itemsOf(asked, 'build').filter(({ attempt }) => attempt > 1);
  if (repeated.length > 0)
    throw new Error(`A limit and a crash must cost no attempt: ${repeated.map(({ name }) => name).join(', ')}`);
  return [
    'four parts were built side by side, joined, checked and reviewed, and are one commit in main',
    'an account that ran dry and an agent that crashed cost no attempt: each part was done once',
    'a review that names another attempt counted for nothing',
  ];
}

type Item = RunView['stages'][number]['items'][number];

function itemsOf({ stages }: RunView, stage: string): readonly Item[] {
  return stages.find(({ name }) => name === stage)?.items ?? [];
}

interface Wanted {
  readonly id: string;
  readonly what: string;
  readonly is: (run: RunView) => boolean;
}

async function untilRun(fleet: Fleet, { id, what, is }: Wanted): Promise<RunView> {
  let last = '';
  const ask = async (): Promise<RunView | undefined> => {
    const run = runOf(await fleet.drover('run', 'show', id, '--json'));
    last = `${run.status}: ${run.why}`;
    if (is(run)) return run;
    if (run.endedAt !== null) throw new Error(`The run ended too early: ${last}`);
    return undefined;
  };
  return until(what, ask, PATIENCE_MS).catch(async (error: unknown) => {
    throw new Error(`${messageOf(error)} (${last})\n${await fleet.drover('run', 'why', id)}`, { cause: error });
  });
}

function runOf(json: string): RunView {
  return JSON.parse(json) as RunView;
}
