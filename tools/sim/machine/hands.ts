/** How does the simulated machine carry out each order? With the outcomes of apps/machine-agent/src/execute. */
import { answer, deliver, checkWorkerWith } from '@drover/machine-agent/testing';
import type { DeliveryContext, Hands, Observer, RunningCommand } from '@drover/machine-agent/testing';
import type { GitFacts, Launch, Op, OpResult } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import { carryOutGit, GIT_COMMANDS } from '@drover/testkit';
import type { GitCommand, SimProgram } from '@drover/testkit';
import type { AgentLife } from './agent-life.ts';
import { inventoryOf } from './inventory.ts';
import type { MachineBody } from './parts.ts';

/** What every order is carried out with. */
export interface Acting extends Tools, RunningCommand {
  readonly workerId: string;
}

/** What a life of the agent has at hand. */
export interface Tools extends Omit<DeliveryContext, keyof RunningCommand> {
  readonly machine: MachineBody;
  readonly life: AgentLife;
  readonly observer: Observer;
}

/** The hands that the real core uses on a simulated machine. */
export function handsOf(tools: Tools): Hands {
  const { machine, life } = tools;
  const { watch, name, random } = machine.parts;
  const told = <T>(what: string, { commandId, seat }: RunningCommand, outcome: T): T => {
    watch.log(`${name}: ${seat.name} ${what} (${commandId.slice(-4)}) → ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return {
    async carryOut(order, op) {
      watch.acted(order);
      const acting: Acting = { ...tools, ...order, workerId: order.seat.workerId };
      return told(`${order.seq} ${op.kind}`, order, await carryOut(acting, op));
    },
    async answer(order, query) {
      watch.acted(order);
      await life.sleep(random.int(5, 100));
      return told(query.kind, order, ask(tools, order, query));
    },
  };
}

/** Carries out one order; the process may die at any moment of it. */
function carryOut(hands: Acting, op: Op): Promise<OpResult> {
  if (isGit(op)) return onGit(hands, op);
  switch (op.kind) {
    case 'open':
      return open(hands, op.launch);
    case 'respawn':
      return respawn(hands, op);
    case 'close':
      return close(hands);
    case 'deliver':
      return deliver(hands, op);
    case 'look':
      return look(hands, op);
    case 'answer':
      return answer(hands, op);
    default:
      return op satisfies never;
  }
}

/** The answer to a question that changes nothing. */
function ask({ machine, knownWorkers }: Tools, { seat }: RunningCommand, query: Query): QueryResult {
  const { parts } = machine;
  if (query.kind === 'inventory') return inventoryOf(machine, knownWorkers.all());
  const { git, random, luck } = parts;
  if (query.kind !== 'read-checkpoint') {
    const head = git.worktrees.get(seat.workerId)?.head;
    if (head === undefined) return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing' };
    return { kind: 'diff', text: 'a diff', head, tree: git.treeOf(head), commits: [] };
  }
  const save = git.saves.get(query.commit);
  const isDamaged = save === undefined || random.chance(luck.git.failing);
  const damage = isDamaged ? 'an object of it is missing' : null;
  const none = { files: [], fileCount: 0, skipped: [], during: null };
  return { kind: 'checkpoint', damage, head: save?.head ?? git.tip, ...none };
}

function isGit(op: Op): op is GitCommand {
  return GIT_COMMANDS.has(op.kind);
}

async function onGit({ machine, life, knownWorkers, workerId, signal }: Acting, op: GitCommand): Promise<OpResult> {
  const { random, git, luck, watch } = machine.parts;
  // Much can happen meanwhile, such as the same order coming again because nobody heard that it came.
  const isSlow = random.chance(luck.slow);
  const ms = isSlow ? random.int(1_000, SLOW_MAX_MS) : random.int(10, luck.takesMs[op.kind] ?? USUAL_MS);
  if (random.chance(luck.hangs)) await ended(signal);
  await life.sleep(ms);
  await machine.mayDie();
  const result = carryOutGit({ git, workerId, luck: luck.git, onMerged: (who, works) => watch.merged(who, works) }, op);
  await machine.mayDie();
  await life.sleep(random.int(0, 50));
  if (result.kind === 'removed') knownWorkers.forgetWorker(workerId);
  return result;
}

/** Milliseconds that an order about the worktree takes at most when nothing is slow. */
const USUAL_MS = 600;

/** Milliseconds that a slow disk takes at most for what git does: less than any order's time. */
const SLOW_MAX_MS = 12_000;

/** What hangs is killed when the order's time is over. @throws then. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was killed')));
  });
}

async function close({ machine, life, observer, workerId }: Acting): Promise<OpResult> {
  await life.sleep(machine.parts.random.int(10, 800));
  const pane = machine.panes.get(workerId);
  if (pane !== undefined) observer.expectGone(pane.program.incarnation);
  machine.closePane(workerId);
  return { kind: 'closed' };
}

/** What a look sees, but for a screen that cannot be read. */
async function look(hands: Acting, op: Extract<Op, { kind: 'look' }>): Promise<OpResult> {
  const { random, luck } = hands.machine.parts;
  const seen = await checkWorkerWith(hands, op, () => gitFacts(hands, op.base));
  return seen.kind === 'looked' && random.chance(luck.unreadable) ? { ...seen, screen: null } : seen;
}

/** Why no program can be started in a pane now; null when one can. */
function unopened({ machine }: Acting): OpResult | null {
  const { random, luck } = machine.parts;
  if (machine.isUninstalled)
    return { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };
  if (!random.chance(luck.unopened)) return null;
  return { kind: 'failed', code: 'server-failed', message: 'the server exited unexpectedly', retry: true };
}

async function open(hands: Acting, launch: Launch): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  const { random, git } = machine.parts;
  await life.sleep(random.int(10, 200));
  if (!git.worktrees.has(workerId))
    return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing', retry: true };
  const pane = machine.panes.get(workerId);
  if (pane !== undefined && pane.program.end === null) return kept(hands, launch);
  return unopened(hands) ?? anew(hands, launch);
}

async function respawn(hands: Acting, op: Extract<Op, { kind: 'respawn' }>): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  await life.sleep(machine.parts.random.int(10, 200));
  const present = machine.panes.get(workerId)?.program;
  if (present === undefined) return { kind: 'pane-gone' };
  const isOrdered = present.incarnation === op.incarnation;
  if (present.end === null && !(isOrdered && op.force)) return kept(hands, op.launch);
  const failed = unopened(hands);
  if (failed !== null) return failed;
  if (isOrdered && op.force) hands.observer.expectGone(present.incarnation);
  return anew(hands, op.launch);
}

function kept({ machine, workerId, knownWorkers }: Acting, launch: Launch): OpResult {
  const program = machine.panes.get(workerId)?.program;
  if (program === undefined) return { kind: 'pane-gone' };
  const { incarnation, conversation } = program;
  if (knownWorkers.incarnationOf(incarnation) === undefined) remember({ machine, workerId, knownWorkers }, program);
  knownWorkers.nameConversation(launch.conversation, conversation);
  return { kind: 'opened', incarnation };
}

async function anew(hands: Acting, launch: Launch): Promise<OpResult> {
  const { machine, life, seat, knownWorkers } = hands;
  const program = machine.launch(seat, knownWorkers.conversationNamed(launch.conversation));
  await machine.mayDie();
  await life.sleep(machine.parts.random.int(5, 100));
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
async function gitFacts({ machine, life, workerId }: Acting, base: string | null): Promise<GitFacts | null> {
  const { git, random } = machine.parts;
  await life.sleep(random.int(5, 200));
  const tree = git.worktrees.get(workerId);
  return tree === undefined ? null : git.facts(tree, base);
}
