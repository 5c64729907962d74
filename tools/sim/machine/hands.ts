/** How does the simulated machine carry out each command? With the outcomes of apps/machine-agent/src/execute. */
import { answer, deliver, checkWorkerWith, refuseWhileFrozen } from '@drover/machine-agent/testing';
import type { DeliveryContext, Hands, Observer, Parcels, RunningCommand } from '@drover/machine-agent/testing';
import type { GitFacts, Launch, Command, CommandResult } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import { carryOutGit, GIT_COMMANDS } from '@drover/testkit';
import type { GitCommand, GuestWork, SimProgram } from '@drover/testkit';
import type { AgentProcess } from './agent-process.ts';
import { bringGuests, onMain } from './elsewhere.ts';
import { inventoryOf, SHOWN_PANE } from './inventory.ts';
import { answerForMove, isOfMove } from './moves.ts';
import type { MachineBody } from './parts.ts';

/** What every command is carried out with. */
export interface Acting extends Tools, RunningCommand {
  readonly workerId: string;
}

/** What a process of the agent has at hand. */
export interface Tools extends Omit<DeliveryContext, keyof RunningCommand> {
  readonly machine: MachineBody;
  readonly agentProcess: AgentProcess;
  readonly observer: Observer;
  readonly asksElsewhere: Pick<Parcels, 'askHome'>;
}

/** The hands that the real core uses on a simulated machine. */
export function handsOf(tools: Tools): Hands {
  const { machine, agentProcess } = tools;
  const { watch, name, random } = machine.parts;
  const told = <T>(what: string, { commandId, seat: worker }: RunningCommand, outcome: T): T => {
    watch.log(`${name}: ${worker.name} ${what} (${commandId.slice(-4)}) → ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return {
    async carryOut(running, command) {
      watch.acted(running, name);
      const acting: Acting = { ...tools, ...running, workerId: running.seat.workerId };
      return told(`${running.seq} ${command.kind}`, running, await carryOut(acting, command));
    },
    async answer(running, query) {
      watch.acted(running, name);
      await agentProcess.sleep(random.int(5, 100));
      return told(query.kind, running, await ask(tools, running, query));
    },
  };
}

/** Carries out one command; the process may die at any moment of it. */
async function carryOut(hands: Acting, command: Command): Promise<CommandResult> {
  refuseWhileFrozen(hands, command);
  if (isGit(command)) return onGit(hands, command);
  switch (command.kind) {
    case 'open':
      return open(hands, command.launch);
    case 'respawn':
      return respawn(hands, command);
    case 'close':
      return close(hands);
    case 'freeze':
      return freeze(hands, command);
    case 'let-in':
      hands.knownWorkers.letIn(hands.workerId);
      return { kind: 'let-in' };
    case 'deliver':
      return deliver(hands, command);
    case 'look':
      return checkWorker(hands, command);
    case 'answer':
      return answer(hands, command);
    default:
      return command satisfies never;
  }
}

/** No simulated file is kept by Git LFS, no publication stops between main and the files, and no person is at a simulated pane. */
const NOT_SIMULATED: ReadonlySet<Query['kind']> = new Set<Query['kind']>([
  'keep-content',
  'settle-main',
  'open-terminal',
  'locate-pane',
]);

/** The answer to a question that changes nothing. */
async function ask(
  { machine, knownWorkers }: Tools,
  { seat: worker }: RunningCommand,
  query: Query,
): Promise<QueryResult> {
  const { parts } = machine;
  if (query.kind === 'read-main') return { kind: 'main', commit: parts.git.tip, format: 'sha1' };
  if (query.kind === 'publish-for') return publishFor(machine, query);
  if (isOfMove(query)) return answerForMove({ machine, knownWorkers, workerId: worker.workerId }, query);
  if (query.kind === 'read-pane') return { kind: 'pane', text: SHOWN_PANE, git: ['## its-branch'] };
  if (query.kind === 'inventory') return inventoryOf(machine, knownWorkers.all());
  const { git, random, luck } = parts;
  if (NOT_SIMULATED.has(query.kind))
    return { kind: 'failed', code: 'no-parcels', message: 'a simulated machine has no parcels and no people' };
  if (query.kind !== 'read-checkpoint') {
    const head = git.worktrees.get(worker.workerId)?.head;
    if (head === undefined) return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing' };
    return { kind: 'diff', text: 'a diff', head, tree: git.treeOf(head), commits: [], notes: [], standing: null };
  }
  const save = git.saves.get(query.commit);
  const isDamaged = save === undefined || random.chance(luck.git.failing);
  const damage = isDamaged ? 'an object of it is missing' : null;
  const none = { files: [], fileCount: 0, skipped: [], during: null };
  return { kind: 'checkpoint', damage, head: save?.head ?? git.tip, ...none };
}

/** On the machine that main is on. */
async function publishFor(
  machine: MachineBody,
  { sha256, base, commit }: Extract<Query, { kind: 'publish-for' }>,
): Promise<QueryResult> {
  const { git, parcels, random, luck, watch } = machine.parts;
  await machine.mayDie();
  const parcel = random.chance(luck.parcel) ? null : parcels.fetch(sha256);
  if (parcel?.kind !== 'work' || parcel.commit !== commit)
    return { kind: 'failed', code: 'parcel-gone', message: 'it was kept for too long' };
  const result = carryOutGit(
    {
      git,
      workerId: git.owners.get(commit) ?? '',
      luck: luck.git,
      workerNamed: () => undefined,
      onMerged: (who, works) => watch.merged(who, { works, tree: git.treeOf(git.tip) }),
    },
    { kind: 'publish', base, commit },
  );
  await machine.mayDie();
  switch (result.kind) {
    case 'published':
      return { kind: 'publish-ended', outcome: { kind: 'published', checkout: { kind: 'none' } } };
    case 'moved':
      return { kind: 'publish-ended', outcome: { kind: 'moved', now: result.now } };
    case 'blocked':
      return { kind: 'publish-ended', outcome: { kind: 'blocked', path: result.why, files: [] } };
    case 'failed':
      return { kind: 'failed', code: result.code, message: result.message };
    default:
      throw new Error(`A publication ended as "${result.kind}"`);
  }
}

/** The place comes to rest: its program ends, its work is saved, and nothing begins there. */
async function freeze(hands: Acting, command: Extract<Command, { kind: 'freeze' }>): Promise<CommandResult> {
  const { knownWorkers, workerId } = hands;
  await close(hands);
  const save = { kind: 'checkpoint', id: command.id, type: 'manual', why: 'before it moves' } as const;
  const saved = await onGit(hands, save);
  if (saved.kind !== 'checkpointed' && command.mustSave) {
    if (knownWorkers.frozenFor(workerId) === command.move) knownWorkers.letIn(workerId);
    return saved;
  }
  knownWorkers.freeze(workerId, command.move);
  await hands.machine.mayDie();
  return { kind: 'frozen', commit: saved.kind === 'checkpointed' ? saved.commit : null };
}

function isGit(command: Command): command is GitCommand {
  return GIT_COMMANDS.has(command.kind);
}

async function onGit(
  { machine, agentProcess, knownWorkers, asksElsewhere, ...running }: Acting,
  command: GitCommand,
): Promise<CommandResult> {
  const { workerId, signal } = running;
  const { random, git, luck, watch } = machine.parts;
  // Much can happen in that time, such as the same command again, because its receipt was lost.
  const isSlow = random.chance(luck.slow);
  const ms = isSlow ? random.int(1_000, SLOW_MAX_MS) : random.int(10, luck.takesMs[command.kind] ?? USUAL_MS);
  if (random.chance(luck.hangs)) await ended(signal);
  await agentProcess.sleep(ms);
  await machine.mayDie();
  const asking = { machine, asksElsewhere, running };
  const elsewhere = await onMain(asking, command);
  if (elsewhere !== null) return elsewhere;
  const guests = command.kind === 'extend' ? await bringGuests(asking, command) : NO_GUESTS;
  const result = carryOutGit(
    {
      git,
      workerId,
      guests,
      luck: luck.git,
      workerNamed: (name) => knownWorkers.all().find((known) => known.name === name)?.workerId,
      onMerged: (who, works) => watch.merged(who, { works, tree: git.treeOf(git.tip) }),
    },
    command,
  );
  if (command.kind === 'validate') noteRun(machine, command.at.head, result);
  await machine.mayDie();
  await agentProcess.sleep(random.int(0, 50));
  if (result.kind === 'removed') knownWorkers.forgetWorker(workerId);
  return result;
}

const NO_GUESTS: ReadonlyMap<string, GuestWork> = new Map();

function noteRun({ parts: { git, watch } }: MachineBody, head: string, { kind }: CommandResult): void {
  if (kind !== 'valid' && kind !== 'invalid') return;
  const parent = git.parentOf(head);
  const before = parent === null ? null : git.treeOf(parent);
  watch.checked({ isPassed: kind === 'valid', tree: git.treeOf(head), before, worker: git.owners.get(head) });
}

/** Milliseconds that a command about the worktree takes at most when nothing is slow. */
const USUAL_MS = 600;

/** Milliseconds that a slow disk takes at most for what git does: less than any command's time. */
const SLOW_MAX_MS = 12_000;

/** What hangs is killed when the command's time is over. @throws then. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was killed')));
  });
}

async function close({ machine, agentProcess, observer, workerId }: Acting): Promise<CommandResult> {
  await agentProcess.sleep(machine.parts.random.int(10, 800));
  const pane = machine.panes.get(workerId);
  if (pane !== undefined) observer.expectGone(pane.program.incarnation);
  machine.closePane(workerId);
  return { kind: 'closed' };
}

/** What a check sees; sometimes its screen cannot be read. */
async function checkWorker(hands: Acting, command: Extract<Command, { kind: 'look' }>): Promise<CommandResult> {
  const { random, luck } = hands.machine.parts;
  const seen = await checkWorkerWith(hands, command, () => gitFacts(hands, command.base));
  return seen.kind === 'looked' && random.chance(luck.unreadable) ? { ...seen, screen: null } : seen;
}

/** Why no program can be started in a pane now; null when one can. */
function unopened({ machine }: Acting): CommandResult | null {
  const { random, luck } = machine.parts;
  if (machine.isUninstalled)
    return { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };
  if (!random.chance(luck.unopened)) return null;
  return { kind: 'failed', code: 'server-failed', message: 'the server exited unexpectedly', retry: true };
}

async function open(hands: Acting, launch: Launch): Promise<CommandResult> {
  const { machine, agentProcess, workerId } = hands;
  const { random, git } = machine.parts;
  await agentProcess.sleep(random.int(10, 200));
  if (!git.worktrees.has(workerId))
    return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing', retry: true };
  const pane = machine.panes.get(workerId);
  if (pane !== undefined && pane.program.end === null) return kept(hands, launch);
  return unopened(hands) ?? anew(hands, launch);
}

async function respawn(hands: Acting, command: Extract<Command, { kind: 'respawn' }>): Promise<CommandResult> {
  const { machine, agentProcess, workerId } = hands;
  await agentProcess.sleep(machine.parts.random.int(10, 200));
  const present = machine.panes.get(workerId)?.program;
  if (present === undefined) return { kind: 'pane-gone' };
  const isOrdered = present.incarnation === command.incarnation;
  if (present.end === null && !(isOrdered && command.force)) return kept(hands, command.launch);
  const failed = unopened(hands);
  if (failed !== null) return failed;
  if (isOrdered && command.force) hands.observer.expectGone(present.incarnation);
  return anew(hands, command.launch);
}

function kept({ machine, workerId, knownWorkers }: Acting, launch: Launch): CommandResult {
  const program = machine.panes.get(workerId)?.program;
  if (program === undefined) return { kind: 'pane-gone' };
  const { incarnation, conversation } = program;
  if (knownWorkers.incarnationOf(incarnation) === undefined) remember({ machine, workerId, knownWorkers }, program);
  knownWorkers.nameConversation(launch.conversation, conversation);
  return { kind: 'opened', incarnation };
}

async function anew(hands: Acting, launch: Launch): Promise<CommandResult> {
  const { machine, agentProcess, seat: worker, knownWorkers } = hands;
  const program = machine.launch(worker, knownWorkers.conversationNamed(launch.conversation));
  await machine.mayDie();
  await agentProcess.sleep(machine.parts.random.int(5, 100));
  remember(hands, program);
  return { kind: 'opened', incarnation: program.incarnation };
}

function remember(
  { machine, workerId, knownWorkers }: Pick<Acting, 'machine' | 'workerId' | 'knownWorkers'>,
  { incarnation, conversation }: SimProgram,
): void {
  knownWorkers.rememberIncarnation(incarnation, { workerId, conversation, openedAt: machine.now() });
}

/** What git says of the worktree; null when there is none. */
async function gitFacts({ machine, agentProcess, workerId }: Acting, base: string | null): Promise<GitFacts | null> {
  const { git, random } = machine.parts;
  await agentProcess.sleep(random.int(5, 200));
  const tree = git.worktrees.get(workerId);
  return tree === undefined ? null : git.facts(tree, base);
}
