// Checks that everything is at rest and where it belongs when the faults are over.
import { digest } from '@drover/coordinator/testing';
import { isAccepting, REPLAY_BEGIN, replayStep } from '@drover/core';
import type { Policy, ReplayState } from '@drover/core';
import type { MemoryDatabase } from '@drover/store/testing';
import type { WorkerRow } from '@drover/store';
import type { SimGit } from '@drover/testkit';
import { unendedMoves } from './moves.ts';
import { runUnrest } from './runs/rest.ts';
import { brief } from './row.ts';
import type { Checker } from './checker.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import type { Person } from '../people/person.ts';

/** Parts that the checks look at in the end. */
export interface Ended {
  readonly database: MemoryDatabase;
  readonly origins: readonly SimGit[];
  readonly machines: readonly SimMachine[];
  readonly checker: Checker;
  readonly person: Pick<Person, 'texts' | 'tasks' | 'dropped'>;
  /** Tells whether to decide the history again. */
  readonly isReplayed: boolean;
}

/** Returns why a worker is not at rest yet; null when all are. `away`: machines that are down or cut off. */
export function unrest({
  database,
  away,
  now,
}: {
  database: MemoryDatabase;
  away: readonly SimMachine[];
  now: number;
}): string | null {
  // A missing machine is reported when its lease is over: until then no worker on it is at rest.
  const [absent] = away;
  if (absent !== undefined) return `${absent.parts.name} is away`;
  // Commands that hang are ended by their machine when their time is over, also where nobody waits for them any more.
  for (const { id, state, timeoutMs } of database.outbox.values())
    if (state === 'received' && now < madeAt(id) + timeoutMs + ENDED_WITHIN_MS) return `${id} is carried out`;
  for (const row of database.workers.values()) {
    const why = unrestOf(row);
    if (why !== null) return `${row.name} ${why}: ${brief(row)}`;
  }
  const waiting = [...database.escalations.values()].find(
    ({ status, oncall }) => (status === 'open' || status === 'acked') && oncall?.timeoutAt != null,
  );
  if (waiting !== undefined) return `a default answer to ${waiting.id} is to come`;
  const holder = [...database.projects.values()].find(({ mergeWorkerId }) => mergeWorkerId !== null);
  if (holder !== undefined) return `the merge lease is held by ${holder.mergeWorkerId}`;
  return runUnrest(database);
}

/** Epoch milliseconds of the coordinator, by an id of version 7. An id that is made of words tells no time: its command counts as made long ago. */
function madeAt(id: string): number {
  if (id.charAt(14) !== '7') return 0;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Milliseconds by which a command may end after its time: it is taken later than it was made, and clocks differ. */
const ENDED_WITHIN_MS = 60_000;

function unrestOf({ state }: WorkerRow): string | null {
  const { lifecycle, session, command, merge, move, mailbox, incident, deadlines } = state;
  const { status, wanted, takenOver } = lifecycle;
  const { pane } = session;
  if (wanted === 'gone' || wanted === 'gone-by-force') return 'is not removed';
  if (wanted === 'down' && pane.kind !== 'absent') return 'is not down';
  if (wanted === 'down') return command.inFlight === null ? null : 'waits for a command';
  // People were told of a default branch that fails its checks, if only by chance: the accept waits until it moves.
  const waitsForMain = merge.step.kind === 'waiting' && merge.step.accept.red !== null;
  if (!['idle', 'needs_review', 'needs_input', 'error'].includes(status)) return 'is not at rest';
  if (isAccepting(merge.step) && !waitsForMain) return 'is still being merged';
  if (move.kind !== 'none') return 'still moves';
  // The worker's question is asked again when its agent is up again.
  const isStarting = pane.kind === 'starting' || (pane.kind === 'dead' && pane.restartAt !== null);
  if (status === 'needs_input' && isStarting) return 'is not up yet';
  // The next check of its agent asks again, or finds that it goes on; a worker that a person took over asks nothing.
  if (status === 'needs_input' && incident.open === null && !takenOver) return 'has its question to ask again';
  // A text may wait behind a dialog that only a person can answer.
  const isTyped = deadlines.delivery !== undefined || command.inFlight?.command.kind === 'deliver';
  const isTried = isTyped || mailbox.current?.verify !== null;
  const waits = status === 'needs_input' && !isTried;
  if (mailbox.current !== null && status !== 'error' && !waits) return 'has a text to deliver';
  return command.inFlight === null ? null : 'waits for a command';
}

/** Texts of a person that reached no agent, and of which no person was told. */
function* lostTexts({ database, checker, person: { texts, dropped } }: Ended): Generator<string> {
  for (const { workerId, mark, at, after } of texts) {
    const worker = database.workers.get(workerId);
    if (worker === undefined || checker.timesTaken(workerId, mark) > 0) continue;
    // A request that ends a task, or restores an earlier state of it, also ends the messages about it.
    if (at <= (dropped.get(workerId) ?? -Infinity)) continue;
    const { mailbox, incident } = worker.state;
    const { current, waiting, queued } = mailbox;
    const waits = [current, ...waiting, ...queued, ...(incident.open?.held ?? [])].some(
      (text) => text?.text.includes(mark) === true,
    );
    if (!waits && !checker.wasTold(workerId, { mark, after }))
      yield `${worker.name}: ${mark} was accepted, and reached no agent`;
  }
}

/** Decisions that come out otherwise when the history of a worker is decided again. */
function* notReproduced({ database }: Ended): Generator<string> {
  const policies = new Map(
    [...database.policies.values()].map(({ version, document }) => [version, document as Policy]),
  );
  const rules = { policyOf: (version: string) => policies.get(version) ?? null, other: null, digest };
  const states = new Map<string, ReplayState>();
  for (const { id, workerId, workerName, event, decided } of database.events.values()) {
    if (decided === null) continue;
    const before = states.get(workerId) ?? REPLAY_BEGIN;
    const { state, step } = replayStep(before, { id, event, ...decided }, rules);
    states.set(workerId, state);
    if (step.kind !== 'skipped') continue;
    yield `${workerName}: the decision ${id} on ${event.kind} is not reproduced (${step.why})`;
    return;
  }
}

/** Commands and questions that stand in the journal of a machine, and that it never said the end of. */
function* unanswered({ database, checker }: Ended): Generator<string> {
  for (const { id, machineId, workerId, state, body } of database.outbox.values()) {
    // A gateway that was replaced took it, and the coordinator that was to conclude it died: it was given up as overdue (docs/adr/0012).
    const isHost = database.machines.get(machineId)?.ssh != null;
    const awaited = database.workers.get(workerId)?.state.command.inFlight?.seq;
    if (isHost && body.kind === 'command' && body.seq !== awaited) continue;
    const what = body.kind === 'command' ? body.command.kind : body.query.kind;
    if (state === 'received' && checker.takenAtRest.has(id))
      yield `${what} (${id.slice(-4)}) was taken by its machine, and never answered`;
  }
}

/** Work that is in the branches and worktrees of a clone, or was set aside. */
function* worksIn(git: SimGit): Generator<string> {
  yield* git.kept;
  for (const commits of git.pins.values()) for (const commit of commits) yield* git.worksOf(git.ahead(commit, git.tip));
  for (const head of git.branches.values()) yield* git.worksOf(git.ahead(head, git.tip));
  for (const tree of git.worktrees.values()) {
    yield* git.worksOf(git.ahead(tree.head, git.tip));
    yield* [...tree.dirty, ...tree.stash, ...(tree.rebase?.works ?? [])];
  }
}

/** Broken promises that only the end shows. */
export function* finalProblems(ended: Ended): Generator<string> {
  const { database, origins, machines, checker, isReplayed } = ended;
  const { tasks } = ended.person;
  yield* lostTexts(ended);
  yield* unanswered(ended);
  yield* unendedMoves(database, machines);
  if (isReplayed) yield* notReproduced(ended);
  const known = new Set<string>();
  for (const origin of origins) {
    const merged = origin.merged();
    if (new Set(merged).size !== merged.length) yield 'some work is in the default branch twice';
    for (const work of [...merged, ...origin.dropped]) known.add(work);
  }
  for (const { parts } of machines)
    for (const clone of parts.clones.all()) for (const work of worksIn(clone)) known.add(work);
  for (const machine of machines) for (const work of machine.worksMade) if (!known.has(work)) yield `${work} is lost`;
  for (const { state, name, id } of database.workers.values()) {
    const task = state.task.kind === 'none' ? undefined : tasks.get(state.task.id);
    if (task === undefined || task.workerId !== id) continue;
    const wasJudged = state.lifecycle.status === 'needs_review' || state.lifecycle.status === 'needs_input';
    // The worker was brought back to a checkpoint, perhaps one of another task, whose words it then had.
    if (state.lifecycle.takenOver || task.at <= (ended.person.dropped.get(id) ?? -Infinity)) continue;
    if (
      wasJudged &&
      state.lifecycle.wanted === 'up' &&
      state.mailbox.current === null &&
      checker.timesTaken(id, task.mark) === 0
    )
      yield `${name} is in ${state.lifecycle.status}, and its task ${task.mark} was never taken`;
  }
}
