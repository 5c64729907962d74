// The demo on a laptop: two tasks, a crash in the middle of one, and a rejection of the other.
import type { EventView } from '@drover/api';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DROVER } from '../fleet/program.ts';
import { until } from '../fleet/wait.ts';
import { readWitness } from '../fleet/witness.ts';
import { checkMain, git, log, makeRepository } from './git.ts';
import type { Happenings } from './happenings.ts';
import type { Place } from './place.ts';
import { done, follow, laptop, type Fleet, type Played, type Stage } from './stage.ts';

/** A task; the lines in capitals are the script of the simulated agent. */
interface Task {
  readonly worker: string;
  readonly prompt: string;
  /** The file that it makes, and its lines once the work is accepted. */
  readonly file: string;
  readonly lines: readonly string[];
  /** The subject of its one commit in `main`. */
  readonly subject: string;
}

/** The one whose program is killed in the middle: half of its work is in the worktree then, not committed. */
const KILLED: Task = {
  worker: 'adam',
  prompt: [
    'Write a file with greetings, one a line.',
    '',
    'ONCE: EDIT greetings.txt Good morning',
    'ONCE: SLOW 120000',
    'EDIT greetings.txt Good evening',
    'COMMIT Add greetings',
  ].join('\n'),
  file: 'greetings.txt',
  lines: ['Good morning', 'Good evening'],
  subject: 'Add greetings',
};

/** The one whose work is sent back once. */
const REJECTED: Task = {
  worker: 'bea',
  prompt: [
    'Write a file with farewells, one a line.',
    '',
    'EDIT farewells.txt Goodbye',
    'SLOW 3000',
    'COMMIT Add farewells',
  ].join('\n'),
  file: 'farewells.txt',
  lines: ['Goodbye', 'See you soon'],
  subject: 'Add farewells',
};

/** Feedback of a person on the second one's work. */
const FEEDBACK = [
  'Please add a friendlier one.',
  'EDIT farewells.txt See you soon',
  'COMMIT Add a friendlier farewell',
].join('\n');

const TASKS: readonly Task[] = [KILLED, REJECTED];

/** Beginnings of the prompts that must have been taken, each once; the prompt that was cut off once more, with its note. */
const TAKEN: readonly (readonly [worker: string, begins: string])[] = [
  [KILLED.worker, 'You are working in: '],
  [KILLED.worker, 'Note: the session was cut off'],
  [REJECTED.worker, 'You are working in: '],
  [REJECTED.worker, 'Your work '],
];

/** Makes a repository and its Drover root, in which every worker has the simulated agent with a log of what it does. */
export async function prepare({ place, page }: Stage): Promise<void> {
  await makeRepository(place, place.source, '# Greeter\n\nKnows what to say when people come and go.\n');
  page.happened('git', `a repository "greeter" with one commit in ${place.source}`);
  page.command('drover init');
  // No root is there yet.
  const { DROVER_ROOT: _root, ...env } = place.env;
  await done([DROVER, 'init'], { env, cwd: place.source });
  const file = join(place.root, 'drover.toml');
  const text = await readFile(file, 'utf8');
  const changed = text.replace('# profile = "claude"', 'profile = "sim"');
  if (changed === text) throw new Error(`${file} has no line with the default profile`);
  await writeFile(file, changed);
  await appendFile(file, `\n[profiles.sim]\nenv = { SIM_AGENT_LOG = ${JSON.stringify(place.witness)} }\n`);
  page.happened('drover', `has its root beside it, where each worker gets a clone; drover.toml says: profile = "sim"`);
}

export async function playTasks(stage: Stage): Promise<Played> {
  const { page, place } = stage;
  page.chapter('A repository, and Drover beside it');
  await prepare(stage);
  const fleet = await laptop(stage);
  const happenings = follow(stage, fleet);
  page.chapter('Two workers, two tasks');
  await setToWork(stage, fleet, happenings);
  page.chapter('A crash in the middle of it');
  const killedAt = await killAgent(stage, happenings);
  page.chapter('Review: one is sent back, then both are accepted');
  await judge(stage, fleet, happenings);
  page.chapter('What is in main now');
  page.text(await log(place));
  const files = Object.fromEntries(TASKS.map(({ file, lines }) => [file, lines.join('\n')]));
  await checkMain(place, { at: place.source, subjects: TASKS.map(({ subject }) => subject), files });
  const changed = await git(place, place.source, 'status', '--porcelain');
  if (changed !== '') throw new Error(`The repository was left with changes: ${changed}`);
  checkTaken(place);
  page.chapter('How long it took');
  page.text(durations(happenings.all, killedAt));
  page.text('(A crashed agent rests for 2 s before it is started again: the policy says so.)');
  return {
    fleet,
    kept: [
      'main has one commit for each task, with every line that the agents wrote, also the half-finished work',
      `every prompt was taken exactly once, the interrupted one once more with a note (${TAKEN.length} in all)`,
    ],
  };
}

async function setToWork({ place, page }: Stage, fleet: Fleet, happenings: Happenings): Promise<void> {
  for (const { worker } of TASKS) {
    page.command(`drover add ${worker}`);
    await fleet.drover('add', worker);
  }
  for (const { worker } of TASKS) await happenings.state(worker, 'idle');
  for (const { worker, prompt } of TASKS) {
    const file = join(place.base, `${worker}.txt`);
    await writeFile(file, prompt);
    page.command(`drover start --worker ${worker} --prompt "${prompt.split('\n')[0] ?? ''} …"`);
    await fleet.drover('start', '--worker', worker, '--prompt-file', file);
  }
  for (const { worker } of TASKS) await happenings.rule(worker, 'taken:task');
}

/** Kills an agent's program when the first half of its work lies in the worktree. @returns the time, epoch milliseconds. */
async function killAgent({ place, page }: Stage, happenings: Happenings): Promise<number> {
  const { worker, file, lines } = KILLED;
  const half = join(place.root, '.worktrees', worker, file);
  const isHalfDone = async (): Promise<boolean> =>
    (await readFile(half, 'utf8').catch(() => '')).includes(lines[0] ?? '');
  await until(`the first half of the work of ${worker}`, isHalfDone, 30_000);
  const [pid] = [...agentsIn(place)].findLast(([, name]) => name === worker) ?? [];
  if (pid === undefined) throw new Error(`The agent of ${worker} has not said that it was started`);
  const at = Date.now();
  process.kill(pid, 'SIGKILL');
  page.command(`kill -9 ${pid}`, at);
  page.happened(worker, 'its program is gone, with half of its work done and nothing committed', { tone: 'bad', at });
  await happenings.rule(worker, 'taken:restored', at);
  await happenings.state(worker, 'needs_review', at);
  return at;
}

/** Sends one worker's work back once; then accepts both. */
async function judge({ page }: Stage, fleet: Fleet, happenings: Happenings): Promise<void> {
  const { worker } = REJECTED;
  await happenings.state(worker, 'needs_review');
  page.command(`drover review ${worker}`);
  page.quote(await fleet.drover('review', worker));
  page.command(`drover reject ${worker} "${FEEDBACK.split('\n')[0] ?? ''}"`);
  const rejectedAt = Date.now();
  await fleet.drover('reject', worker, FEEDBACK);
  await happenings.state(worker, 'needs_review', rejectedAt);
  for (const task of TASKS) {
    page.command(`drover review ${task.worker} && drover accept ${task.worker}`);
    await fleet.drover('review', task.worker);
    await fleet.drover('accept', task.worker);
    await happenings.rule(task.worker, 'accept:merged');
  }
}

/** Checks that each prompt was taken exactly once. @throws with what was taken. */
export function checkTaken(place: Place): void {
  const agents = agentsIn(place);
  const taken = readWitness(place.witness).flatMap(({ event, pid, prompt = '' }) =>
    event === 'taken' ? [{ worker: agents.get(pid) ?? '?', prompt }] : [],
  );
  for (const [worker, begins] of TAKEN) {
    const times = taken.filter((each) => each.worker === worker && each.prompt.startsWith(begins)).length;
    if (times !== 1) throw new Error(`${worker} took ${times} prompts like "${begins}", expected one`);
  }
  if (taken.length !== TAKEN.length)
    throw new Error(`The agents took ${taken.length} prompts, expected ${TAKEN.length}`);
}

/** The worker of each agent's process: each works in a worktree that is named as its worker. */
function agentsIn({ witness }: Place): ReadonlyMap<number, string> {
  const starts = readWitness(witness).filter(({ event }) => event === 'started');
  return new Map(starts.map(({ pid, cwd = '' }) => [pid, basename(cwd)]));
}

/** Tells how long things took, from the kill and from the workers' histories; what did not happen is left out. */
function durations(events: readonly EventView[], killedAt: number): string {
  const at = (worker: string, rule: string): number | undefined =>
    events.find((event) => event.worker === worker && event.rules.includes(rule))?.at;
  const [killed, rejected] = [KILLED.worker, REJECTED.worker];
  const rows: readonly (readonly [what: string, from: number | undefined, to: number | undefined])[] = [
    ['deliver   drover start → the agent took the prompt', at(killed, 'start'), at(killed, 'taken:task')],
    ['deliver   drover reject → the agent took the feedback', at(rejected, 'reject'), at(rejected, 'taken:rejection')],
    ['detect    kill -9 → Drover knows', killedAt, at(killed, 'exit:crash')],
    ['recover   kill -9 → the agent is ready again', killedAt, at(killed, 'restore')],
    ['resume    kill -9 → the agent works on its task again', killedAt, at(killed, 'taken:restored')],
  ];
  return rows
    .flatMap(([what, from, to]) =>
      from === undefined || to === undefined ? [] : [`${what.padEnd(56)}${((to - from) / 1_000).toFixed(2)} s`],
    )
    .join('\n');
}
