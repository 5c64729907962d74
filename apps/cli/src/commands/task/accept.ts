/** `drover accept`: merges work, one or several at once, and waits until it is in the default branch. */
import type { WorkerView, WorkView } from '@drover/api';
import { ask, refusalOf } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined, type Page } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { enabled, flag, rest, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { sayWhatLasts } from '../../terminal/lasting.ts';
import { openProgress } from '../../terminal/progress.ts';
import { many, plain } from '../../terminal/style.ts';
import { goingOn, listWorkers, refIn } from '../worker/by-name.ts';
import { acceptRun, orRun } from '../run/review.ts';
import { workerLine } from '../worker/text.ts';

/** Milliseconds to wait: the project's own checks run meanwhile. */
const PATIENCE_MS = 30 * 60_000;

/** Milliseconds that one poll waits for the end: people hear of a silent machine after that time. */
const WAIT_MS = 10_000;

/** Work to accept: a worker, and its commit; undefined: the commit that the caller reviewed last. */
interface Wanted {
  readonly name: string | undefined;
  readonly head: string | undefined;
}

/** Exits with `refused` if work was not merged; the work waits for another try, or for a fix of the default branch. */
export const command = defineCommand({
  about: 'merge the work that you reviewed',
  more: `The work of each worker becomes one commit on the default branch.`,
  example:
    'drover accept\ndrover accept adam\ndrover accept adam bea cal\ndrover accept --all-validated\ndrover accept adam --head 1a2b3c4\ndrover accept 1a2b3c4d',
  args: { workers: rest('the workers whose work to merge, or a run (default: the worker that you reviewed last)') },
  options: {
    head: text('commit', 'the commit that you reviewed (default: the one that you reviewed last)'),
    allValidated: flag('all work that waits for review and passed the checks, even if you have not reviewed it'),
    yes: flag('skip the confirmation of --all-validated'),
    nothing: flag('end the task even if the default branch already contains all of the work'),
    wait: enabled('do not wait until it is merged'),
  },
  async run(surroundings, { args: { workers }, options: { head, allValidated: all, yes, nothing, wait } }) {
    if (all && (workers.length > 0 || head !== undefined))
      throw new CommandError('usage', 'Name workers or give --all-validated, not both');
    if (workers.length > 1 && head !== undefined)
      throw new CommandError('usage', '--head names the commit of one worker: accept the others with another command');
    if (new Set(workers).size < workers.length) throw new CommandError('usage', 'Name each worker once');
    const wanted = all ? await allValidated(surroundings, yes) : named(workers, head);
    if (wanted.length === 0) {
      answer(surroundings, [], () => 'No work that waits for review passed the checks.');
      return;
    }
    const [one] = workers;
    const call = (): Promise<Accepted | null> => acceptAll(surroundings, wanted, { nothing, wait });
    const accepted = await orRun(workers.length === 1 ? one : undefined, call, async (id) => {
      await acceptRun(surroundings, { id, head, wait });
      return null;
    });
    if (accepted === null) return;
    const { merged, failures } = accepted;
    const views = merged.map(({ worker }) => worker);
    const [only] = views;
    const text = (_: unknown, page: Page): string =>
      merged
        .map(({ worker, why }) => (why === null ? workerLine(worker, page) : `${worker.name}: ${plain(why)}`))
        .join('\n');
    if (only !== undefined && wanted.length === 1) answer(surroundings, only, text);
    else if (views.length > 0) answer(surroundings, views, text);
    const [first] = failures;
    if (first !== undefined) throw new CommandError(first.code, failures.map(({ message }) => message).join('\n'));
  },
});

function named(workers: readonly string[], head: string | undefined): readonly Wanted[] {
  return workers.length === 0 ? [{ name: undefined, head }] : workers.map((name) => ({ name, head }));
}

interface Accepted {
  readonly merged: Merged[];
  readonly failures: CommandError[];
}

/** Accepts several workers; a refused one does not hold up the others. */
async function acceptAll(
  surroundings: Surroundings,
  wanted: readonly Wanted[],
  { nothing, wait }: { readonly nothing: boolean; readonly wait: boolean },
): Promise<Accepted> {
  const { begun, failures } = await begin(surroundings, wanted, nothing);
  if (!wait) return { merged: begun.map(({ worker }) => ({ worker, why: null })), failures };
  // A person who presses Ctrl-C may think that it ends the merge too.
  using _ = onInterrupt(() =>
    surroundings.terminal.err(
      `The merge goes on without this command: "drover queue merge" shows its progress, and "drover reject" withdraws work whose turn has not come`,
    ),
  );
  const merged: Merged[] = [];
  for (const one of begun) {
    const ended = await waitForEnd(surroundings, one).catch((error: unknown) => {
      if (!(error instanceof CommandError) || error.code === 'unreachable') throw goingOn(error, one.worker);
      return error;
    });
    if (ended instanceof CommandError) failures.push(ended);
    else merged.push(ended);
  }
  return { merged, failures };
}

/** Work whose merge has begun, by the id of the request. */
interface Begun {
  readonly requestId: string;
  readonly worker: WorkerView;
}

/** Describes the end of an accept to people; null: the accept is still in progress. The worker may have another task by now. */
interface Merged {
  readonly worker: WorkerView;
  readonly why: string | null;
}

/**
 * Polls for the end of the merge; one poll is enough unless the merge takes longer than a coordinator waits. @throws
 * {CommandError} `refused` if the work is not merged.
 */
async function waitForEnd(surroundings: Surroundings, { requestId, worker }: Begun): Promise<Merged> {
  const { terminal, now } = surroundings;
  const { name } = worker;
  const tell = sayWhatLasts(
    (why) => terminal.err(`${name} is not merged yet: ${why}. It continues when the machine reports again …`),
    now,
  );
  const end = now() + PATIENCE_MS;
  let doing = 'merging';
  using _ = openProgress(surroundings, () => `${name}: ${doing}`);
  for (let known: { after?: number; heldUp: string | null } = { heldUp: null }; ;) {
    const input = { requestId, ...known, waitMs: WAIT_MS };
    const fate = await ask(surroundings, (client) => client.workers.awaitAccept.query(input));
    if (fate.kind === 'ended') {
      if (fate.how !== 'stopped') return { worker: fate.worker, why: fate.why };
      throw new CommandError('refused', `${name}: ${plain(fate.why)}${whatNext(fate.worker, fate.why)}`);
    }
    const { heldUp, brokenBase, note } = fate.worker;
    // Work that waits for a broken default branch may wait for days.
    if ((brokenBase ?? null) !== null) throw new CommandError('refused', `${name}: ${plain(note)}`);
    if (now() > end)
      throw new CommandError('refused', `${name} is not merged yet; the merge continues: see "drover queue merge"`);
    tell(heldUp === null ? null : plain(heldUp));
    doing = note === '' ? doing : note;
    known = { after: fate.after, heldUp };
  }
}

/** Begins all accepts by one request: the work is accepted together, or the coordinator gives the reason for each refusal. */
async function begin(
  surroundings: Surroundings,
  wanted: readonly Wanted[],
  nothing: boolean,
): Promise<{ readonly begun: Begun[]; readonly failures: CommandError[] }> {
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) {
    const input = { requestId: surroundings.uuid(), ...defined(only), nothing };
    const { worker } = await ask(surroundings, (client) => client.workers.accept.mutate(input));
    return { begun: [{ requestId: input.requestId, worker }], failures: [] };
  }
  const items = wanted.map(({ name = '', head }) => ({ requestId: surroundings.uuid(), name, ...defined({ head }) }));
  const answers = await ask(surroundings, (client) => client.workers.acceptTogether.mutate({ items, nothing }));
  const begun: Begun[] = [];
  const failures: CommandError[] = [];
  for (const [index, answer] of answers.entries())
    if (answer.kind === 'accepted') begun.push({ requestId: items[index]?.requestId ?? '', worker: answer.worker });
    else failures.push(refusalOf(answer));
  return { begun, failures };
}

/** Lists work that is accepted and work that is not, and asks. Accepts the commit that is shown here. */
async function allValidated(surroundings: Surroundings, yes: boolean): Promise<readonly Wanted[]> {
  const { terminal } = surroundings;
  const workers = await listWorkers(surroundings);
  const taken: { name: string; head: string }[] = [];
  const lines: string[] = [];
  for (const worker of workers.filter(({ status }) => status === 'needs_review')) {
    const { accepting } = worker;
    const name = refIn(workers, worker);
    const { work } = await ask(surroundings, (client) => client.workers.why.query({ name, limit: 1 }));
    const judged = accepting === null ? judge(work) : ({ kind: 'left', why: 'it is already accepted' } as const);
    if (judged.kind === 'left') lines.push(`  not ${name}: ${judged.why}`);
    else {
      taken.push({ name, head: judged.head });
      lines.push(`  ${name} at ${judged.head.slice(0, 12)}`);
    }
  }
  if (taken.length === 0) {
    if (!terminal.json) for (const line of lines) terminal.out(line);
    return [];
  }
  if (!terminal.json) {
    terminal.out(`Work that waits for review:`);
    for (const line of lines) terminal.out(line);
  }
  await confirm(`${many(taken.length, 'piece')} of work will be merged.`, { yes, terminal });
  return taken;
}

type Judged = { readonly kind: 'taken'; readonly head: string } | { readonly kind: 'left'; readonly why: string };

function judge(work: WorkView | null): Judged {
  const { candidate, checks, step } = work ?? { candidate: null, checks: null, step: null };
  if (step !== null) return { kind: 'left', why: 'it is being checked' };
  if (candidate === null) return { kind: 'left', why: 'Drover has not prepared its merge yet' };
  if (candidate.kind === 'clash') return { kind: 'left', why: 'it conflicts with the default branch' };
  if (candidate.kind === 'rewritten') return { kind: 'left', why: 'the default branch was rewritten' };
  if (candidate.kind === 'contained') return { kind: 'left', why: 'the default branch already contains all of it' };
  if (checks === null || checks.tree !== candidate.tree)
    return { kind: 'left', why: 'the checks have not run on the result of its merge' };
  if (checks.result === 'failed') return { kind: 'left', why: 'the checks failed on it' };
  return { kind: 'taken', head: candidate.head };
}

/** Returns the next command for a person; empty if the reason names it, or the agent acts first. */
function whatNext({ name, status, accepting }: WorkerView, why: string): string {
  const isWaiting = status === 'needs_review' && accepting === null;
  if (!isWaiting || why.includes('"drover ') || why.includes('which its agent resolves')) return '';
  return `; correct that, then run "drover accept ${name}" again`;
}
