// Runs one trial of one program. Runs inside the isolation; the result is one JSON document on stdout.
import { type AgentName, PROGRAMS, type Program } from '@drover/real-agents';
import { SAMPLES } from './samples.ts';
import { Site, type Agent } from './site.ts';
import { IN_BACKGROUND, leavesWorkRunning, OVER_TIME } from './steps/background.ts';
import { takesMany } from './steps/many.ts';
import { reviewed } from './steps/reviews.ts';
import { givesResult } from './steps/runs.ts';
import { triesDoors } from './steps/doors.ts';
import { commits, crashes, exits } from './steps/ends.ts';
import {
  comesUp,
  queues,
  renew,
  takesTask,
  takesText,
  tellsCleared,
  tellsConversation,
  tellsLeft,
} from './steps/talk.ts';
import {
  askedInWords,
  errorPasses,
  errorRetried,
  errorStays,
  interrupted,
  permissionFromPhone,
  permissionGiven,
  permissionRefused,
  question,
} from './steps/turns.ts';
import { Trial, type StepResult } from './trial.ts';

/** A program to try: its name, and the words that start it. */
interface Named {
  readonly agent: AgentName;
  readonly argv: readonly string[];
}

/** Document that a trial is given as its one argument, in JSON. */
export interface TrialPlan {
  readonly author: Named;
  /** Program that reviews what the other builds; null: one is tried alone. */
  readonly reviewer: Named | null;
  readonly isOverSsh: boolean;
  /** Texts to send instead of the steps, and the file that keeps what was sent; null: the steps. */
  readonly texts: { readonly count: number; readonly file: string } | null;
  /** Steps to play, by the first words of their names; null: all. */
  readonly only: readonly string[] | null;
  /** Directory for the screens of steps that went wrong; null: none are kept. */
  readonly debug: string | null;
}

/** Steps after which the policy is at work, the prompt is back in the box, or the worker is idle. */
const LEAVES_TROUBLE: ReadonlySet<string> = new Set([
  'retrying',
  'denied',
  'credit',
  'hang',
  'exit',
  'background',
  'overtime',
]);

/** Every step, by the name that `--only` takes. */
function stepsOf(program: Program): Readonly<Record<string, (trial: Trial) => Promise<unknown>>> {
  return {
    task: (trial) => trial.step('task', () => takesTask(trial, program)),
    conversation: (trial) => trial.step('conversation', () => tellsConversation(trial)),
    clear: (trial) => trial.step('conversation after /clear', () => tellsCleared(trial)),
    ...Object.fromEntries(
      SAMPLES.map((sample) => [
        `text ${sample.name}`,
        (trial: Trial) => trial.step(`text: ${sample.name}`, () => takesText(trial, sample, program)),
      ]),
    ),
    left: (trial) => trial.step('what is left of the account', () => tellsLeft(trial)),
    queue: (trial) => trial.step('text while it works', () => queues(trial)),
    permission: (trial) => trial.step('permission given', () => permissionGiven(trial, program)),
    phone: (trial) => trial.step('permission given from a phone', () => permissionFromPhone(trial)),
    refusal: (trial) => trial.step('permission refused', () => permissionRefused(trial, program)),
    question: (trial) => trial.step('question with options', () => question(trial)),
    words: (trial) => trial.step('question in words', () => askedInWords(trial)),
    passing: (trial) => trial.step('error that passes', () => errorPasses(trial, 'OVERLOAD 2')),
    retrying: (trial) => trial.step('error that is retried', () => errorRetried(trial, program)),
    denied: (trial) => trial.step('error that stays: 403', () => errorStays(trial, 'DENIED')),
    credit: (trial) => trial.step('error that stays: no credit', () => errorStays(trial, 'CREDIT')),
    interrupt: (trial) => trial.step('interrupt', () => interrupted(trial, program, 'SLOW 60')),
    hang: (trial) => trial.step('interrupt before an answer', () => interrupted(trial, program, 'HANG')),
    crash: (trial) => trial.step('crash and resume', () => crashes(trial, program)),
    exit: (trial) => trial.step('exit', () => exits(trial, program)),
    background: (trial) => trial.step('background work', () => leavesWorkRunning(trial, program, IN_BACKGROUND)),
    overtime: (trial) =>
      trial.step('background work of a command that took too long', () => leavesWorkRunning(trial, program, OVER_TIME)),
    commit: (trial) => trial.step('commit, review, accept', () => commits(trial, program, true)),
    // Comes last: a worker whose run has ended takes no more words.
    result: (trial) => trial.step('result of a run', () => givesResult(trial, program)),
  };
}

async function main({ author: named, reviewer: other, isOverSsh, texts, only, debug }: TrialPlan): Promise<void> {
  const author = agentOf(named);
  const { program } = author;
  const reviewer = other === null ? null : agentOf(other);
  await using site = await Site.open({ ...author, reviewer, isOverSsh }, () => Date.now());
  if (reviewer !== null) return printResults(site, await reviewedRun(site, debug));
  const alba = new Trial(site, 'alba', { report, debug });
  const isUp = await alba.step('start', () => comesUp(alba));
  if (isUp && texts !== null) {
    await alba.step(`${texts.count} texts by the channel`, () => takesMany(alba, program, texts));
    return printResults(site, alba.results);
  }
  const wants = (name: string): boolean => only === null || only.includes(name.split(' ')[0] ?? '');
  // The other steps talk to a worker that has had its task.
  if (isUp && only !== null && !only.includes('task')) await renew(alba);
  for (const [name, step] of Object.entries(stepsOf(program))) {
    if (!isUp || !wants(name)) continue;
    const why = program.without[name];
    const wrong = alba.results.filter(({ ok }) => !ok).length;
    if (why === undefined) await step(alba);
    else alba.skip(name, why);
    // A step that went wrong, or ended in trouble on purpose, must not make the next step wrong too.
    const isWrong = alba.results.filter(({ ok }) => !ok).length > wrong;
    if ((isWrong || LEAVES_TROUBLE.has(name)) && !(await isRenewed(alba))) break;
  }
  if (wants('bypass') || wants('doors')) {
    const bruno = new Trial(site, 'bruno', { report, debug });
    const why = program.without['bypass'];
    if (why === undefined) {
      await bruno.step('start without permissions', () => comesUp(bruno));
      if (wants('bypass')) await bruno.step('commit without being asked', () => commits(bruno, program, false));
      if (wants('doors')) await triesDoors(bruno, alba, author);
    } else bruno.skip('start without permissions', why);
    alba.results.push(...bruno.results);
  }
  printResults(site, alba.results);
}

/** Plays the run of two programs, which work without permissions, as in a fleet. */
async function reviewedRun(site: Site, debug: string | null): Promise<readonly StepResult[]> {
  const [author, reviewer] = [new Trial(site, 'bruno', { report, debug }), new Trial(site, 'carla', { report, debug })];
  const isUp = await author.step('start of the author', () => comesUp(author));
  if (isUp && (await reviewer.step('start of the reviewer', () => comesUp(reviewer))))
    await author.step('run: built, reviewed, mended, approved, merged', () => reviewed(author, reviewer.worker));
  return [...author.results.slice(0, 1), ...reviewer.results, ...author.results.slice(1)];
}

function printResults({ model: { strangers } }: Site, results: readonly StepResult[]): void {
  process.stdout.write(`${JSON.stringify({ results, strangers })}\n`);
}

function agentOf({ agent, argv }: Named): Agent {
  return { agent, argv, program: PROGRAMS[agent] };
}

/** A worker that cannot be replaced is a result of its own, and the last. */
async function isRenewed(trial: Trial): Promise<boolean> {
  try {
    await renew(trial);
    return true;
  } catch (error) {
    return trial.step('a fresh worker', () => Promise.reject(error));
  }
}

function report(result: StepResult): void {
  process.stderr.write(`${lineOf(result)}\n`);
}

function lineOf({ step, believed, truth, ok }: StepResult): string {
  return `${ok ? 'ok   ' : 'WRONG'} ${step}\n        believed: ${believed}\n        truth:    ${truth}`;
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as TrialPlan);
