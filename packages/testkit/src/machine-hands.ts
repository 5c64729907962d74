/** How does the simulated agent carry out each order? With the outcomes of apps/machine-agent/src/execute. */
import type { Launch, Op, OpResult } from '@drover/core';
import type { Query, QueryResult, WireCommand } from '@drover/protocol';
import { carryOutGit, GIT_OPS } from './git-ops.ts';
import type { GitOp } from './git-ops.ts';
import { deliver } from './machine-delivery.ts';
import { look } from './machine-look.ts';
import type { MachineLife } from './machine-life.ts';
import type { SimMachine } from './sim-machine.ts';

/** What every order is carried out with. */
export interface Hands {
  readonly machine: SimMachine;
  readonly life: MachineLife;
  readonly order: WireCommand;
  readonly workerId: string;
  readonly seq: number;
}

/** Carries out one order; the process may die at any moment of it. */
export async function carryOut(
  machine: SimMachine,
  life: MachineLife,
  order: WireCommand,
): Promise<OpResult | QueryResult> {
  const { random } = machine.parts;
  if (order.order.kind === 'query') {
    await life.sleep(random.int(5, 100));
    return ask(machine, order.order.query);
  }
  const { op, seq } = order.order;
  const hands: Hands = { machine, life, order, workerId: order.seat.workerId, seq };
  if (isGit(op)) return onGit(hands, op);
  switch (op.kind) {
    case 'open':
      return open(hands, op.launch);
    case 'respawn':
      return respawn(hands, op);
    case 'close':
      await life.sleep(random.int(10, 800));
      machine.closePane(hands.workerId);
      return { kind: 'closed' };
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

async function onGit({ machine, life, workerId }: Hands, op: GitOp): Promise<OpResult> {
  const { random, git, luck, watch } = machine.parts;
  // Rebases and checks take long, now and then: much can happen meanwhile.
  const isSlow = (op.kind === 'rebase' || op.kind === 'validate') && random.chance(0.15);
  await life.sleep(isSlow ? random.int(1_000, 15_000) : random.int(10, 600));
  await machine.crashPoint();
  const result = carryOutGit({ git, workerId, luck: luck.git, onMerged: (who, works) => watch.merged(who, works) }, op);
  await machine.crashPoint();
  await life.sleep(random.int(0, 50));
  return result;
}

async function open(hands: Hands, launch: Launch): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  const { random, git } = machine.parts;
  await life.sleep(random.int(10, 200));
  if (!git.worktrees.has(workerId))
    return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing', retry: true };
  const pane = machine.panes.get(workerId);
  if (pane !== undefined && pane.program.end === null) return kept(hands, launch);
  return anew(hands, launch);
}

async function respawn(hands: Hands, op: Extract<Op, { kind: 'respawn' }>): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  await life.sleep(machine.parts.random.int(10, 200));
  const present = machine.panes.get(workerId)?.program;
  if (present === undefined) return { kind: 'pane-gone' };
  const isOrdered = present.incarnation === op.incarnation;
  if (present.end === null && !(isOrdered && op.force)) return kept(hands, op.launch);
  return anew(hands, op.launch);
}

function kept({ machine, workerId }: Hands, launch: Launch): OpResult {
  const program = machine.panes.get(workerId)?.program;
  if (program === undefined) return { kind: 'pane-gone' };
  if (launch.conversation !== program.conversation) machine.disk.names.set(launch.conversation, program.conversation);
  return { kind: 'opened', incarnation: program.incarnation };
}

async function anew({ machine, life, workerId }: Hands, launch: Launch): Promise<OpResult> {
  const conversation = machine.disk.names.get(launch.conversation) ?? launch.conversation;
  const program = machine.launch(workerId, conversation);
  await machine.crashPoint();
  await life.sleep(machine.parts.random.int(5, 100));
  return { kind: 'opened', incarnation: program.incarnation };
}

async function answer({ machine, life, workerId }: Hands, op: Extract<Op, { kind: 'answer' }>): Promise<OpResult> {
  await life.sleep(machine.parts.random.int(10, 300));
  const program = machine.panes.get(workerId)?.program;
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
  await machine.crashPoint();
  await life.sleep(100);
  return { kind: 'answered', label };
}
