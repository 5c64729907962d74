/** How does the simulated machine carry out each order? With the outcomes of apps/machine-agent/src/execute. */
import type { Hands, Order, Stores } from '@drover/machine-agent/testing';
import type { Launch, Op, OpResult } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import { carryOutGit, GIT_OPS } from '@drover/testkit';
import type { GitOp, SimProgram } from '@drover/testkit';
import type { AgentLife } from './agent-life.ts';
import { deliver } from './delivery.ts';
import { look } from './look.ts';
import type { SimMachine } from './sim-machine.ts';

/** What every order is carried out with. */
export interface Acting extends Order {
  readonly machine: SimMachine;
  readonly life: AgentLife;
  readonly stores: Stores;
  readonly workerId: string;
}

/** The hands that the real core uses on a simulated machine. */
export function handsOf(machine: SimMachine, life: AgentLife, stores: Stores): Hands {
  const { watch, name, random } = machine.parts;
  const told = <T>(what: string, { commandId, seat }: Order, outcome: T): T => {
    watch.log(`${name}: ${seat.name} ${what} (${commandId.slice(-4)}) → ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return {
    async carryOut(order, op) {
      watch.acted(order.commandId);
      const acting: Acting = { ...order, machine, life, stores, workerId: order.seat.workerId };
      return told(`${order.seq} ${op.kind}`, order, await carryOut(acting, op));
    },
    async answer(order, query) {
      watch.acted(order.commandId);
      await life.sleep(random.int(5, 100));
      return told(query.kind, order, ask(machine, query));
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
function ask({ parts }: SimMachine, query: Query): QueryResult {
  if (query.kind !== 'read-checkpoint') return { kind: 'diff', text: 'a diff', commits: [] };
  const { git, random, luck } = parts;
  const save = git.saves.get(query.commit);
  const isDamaged = save === undefined || random.chance(luck.git.failing);
  const damage = isDamaged ? 'an object of it is missing' : null;
  const none = { files: [], fileCount: 0, skipped: [], during: null };
  return { kind: 'checkpoint', damage, head: save?.head ?? git.tip, ...none };
}

function isGit(op: Op): op is GitOp {
  return GIT_OPS.has(op.kind);
}

async function onGit({ machine, life, stores, workerId, signal }: Acting, op: GitOp): Promise<OpResult> {
  const { random, git, luck, watch } = machine.parts;
  // Rebases and checks take long, now and then: much can happen meanwhile.
  const isSlow = (op.kind === 'rebase' || op.kind === 'validate') && random.chance(0.15);
  const ms = isSlow ? random.int(1_000, 15_000) : random.int(10, 600);
  if (random.chance(luck.hangs)) await ended(signal);
  await life.sleep(ms);
  await machine.mayDie();
  const result = carryOutGit({ git, workerId, luck: luck.git, onMerged: (who, works) => watch.merged(who, works) }, op);
  await machine.mayDie();
  await life.sleep(random.int(0, 50));
  if (result.kind === 'removed') stores.book.forgetSeat(workerId);
  return result;
}

/** What hangs is killed when the order's time is over. @throws then. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was killed')));
  });
}

async function close({ machine, life, workerId }: Acting): Promise<OpResult> {
  await life.sleep(machine.parts.random.int(10, 800));
  machine.closePane(workerId);
  return { kind: 'closed' };
}

async function open(hands: Acting, launch: Launch): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  const { random, git } = machine.parts;
  await life.sleep(random.int(10, 200));
  if (!git.worktrees.has(workerId))
    return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing', retry: true };
  const pane = machine.panes.get(workerId);
  if (pane !== undefined && pane.end === null) return kept(hands, launch);
  return anew(hands, launch);
}

async function respawn(hands: Acting, op: Extract<Op, { kind: 'respawn' }>): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  await life.sleep(machine.parts.random.int(10, 200));
  const present = machine.panes.get(workerId);
  if (present === undefined) return { kind: 'pane-gone' };
  const isOrdered = present.incarnation === op.incarnation;
  if (present.end === null && !(isOrdered && op.force)) return kept(hands, op.launch);
  return anew(hands, op.launch);
}

function kept({ machine, workerId, stores }: Acting, launch: Launch): OpResult {
  const program = machine.panes.get(workerId);
  if (program === undefined) return { kind: 'pane-gone' };
  const { incarnation, conversation } = program;
  if (stores.book.lifeOf(incarnation) === undefined) remember({ machine, workerId, stores }, program);
  stores.book.nameConversation(launch.conversation, conversation);
  return { kind: 'opened', incarnation };
}

async function anew(hands: Acting, launch: Launch): Promise<OpResult> {
  const { machine, life, workerId, stores } = hands;
  const program = machine.launch(workerId, stores.book.conversationNamed(launch.conversation));
  await machine.mayDie();
  await life.sleep(machine.parts.random.int(5, 100));
  remember(hands, program);
  return { kind: 'opened', incarnation: program.incarnation };
}

function remember(
  { machine, workerId, stores }: Pick<Acting, 'machine' | 'workerId' | 'stores'>,
  { incarnation, conversation }: SimProgram,
): void {
  stores.book.rememberLife(incarnation, { workerId, conversation, openedAt: machine.now() });
}

async function answer({ machine, life, workerId }: Acting, op: Extract<Op, { kind: 'answer' }>): Promise<OpResult> {
  await life.sleep(machine.parts.random.int(10, 300));
  const program = machine.panes.get(workerId);
  if (program === undefined || program.end !== null || program.incarnation !== op.incarnation)
    return { kind: 'pane-gone' };
  const { screen } = program;
  if (!('dialog' in screen) || program.fingerprint !== op.fingerprint)
    return { kind: 'stale', why: `the screen shows "${screen.kind}" by now` };
  const label = op.choice.kind === 'label' ? op.choice.label : (screen.dialog.options[0]?.label ?? '');
  if (
    !screen.dialog.options.some((option) => option.label === label) ||
    machine.parts.random.chance(machine.parts.luck.unanswered)
  )
    return { kind: 'failed', code: 'no-such-option', message: `it has no option "${label}"`, retry: false };
  program.answer(label);
  await machine.mayDie();
  await life.sleep(100);
  return { kind: 'answered', label };
}
