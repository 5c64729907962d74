/** What does the simulated agent see when it is asked to look, and what became of a delivery? */
import type { DeliveryEvidence, Look, Op, OpResult } from '@drover/core';
import type { SimProgram } from '@drover/testkit';
import { wasTaken } from './delivery.ts';
import type { Notes } from './delivery.ts';
import type { Acting } from './hands.ts';

/** Milliseconds that an empty box must stay without a trace before a text counts as absent. */
const SETTLE_MS = 2_000;
const LOOK_MS = 250;
/** Milliseconds for which screens cannot be read once they could not. */
const BLIND_MS = 8_000;

/** Looks at screen, git and the fate of a delivery. */
export async function look(hands: Acting, op: Extract<Op, { kind: 'look' }>): Promise<OpResult> {
  const { machine, life, workerId } = hands;
  const { random, git } = machine.parts;
  const delivery = op.delivery === null ? null : await evidenceOf(hands, op.delivery);
  await life.sleep(random.int(5, 200));
  const tree = git.worktrees.get(workerId);
  const program = machine.panes.get(workerId);
  if (random.chance(machine.parts.luck.blind)) machine.blindUntil = machine.parts.time.now() + BLIND_MS;
  const isBlind = machine.parts.time.now() < machine.blindUntil;
  return {
    kind: 'looked',
    incarnation: program?.incarnation ?? null,
    screen: program === undefined || isBlind ? null : lookNow(program, machine.now()),
    git: tree === undefined ? null : git.facts(tree, op.base),
    delivery,
  };
}

/** A screen as it is told. */
export function lookAt(program: SimProgram, at: number): Look {
  const { screen: state, fingerprint } = program;
  return { at, state, fingerprint, progress: String(program.progress), rule: 'simulated' };
}

function lookNow(program: SimProgram, at: number): Look {
  const seen = lookAt(program, at);
  if (program.end === null) return seen;
  const { status, signal } = program.end;
  return { ...seen, state: { kind: 'exited', cause: 'unknown', status, signal } };
}

async function evidenceOf(hands: Acting, seq: number): Promise<DeliveryEvidence> {
  const { machine, life, stores, workerId } = hands;
  const entry = stores.journal.bySeq(workerId, seq);
  if (entry === undefined) return neverCame(hands, seq);
  const notes = entry.notes === null ? null : (JSON.parse(entry.notes) as Notes);
  if (machine.parts.random.chance(machine.parts.luck.blind))
    return { kind: 'unclear', why: 'the screen cannot be read' };
  if (notes === null) return { kind: 'absent' };
  const until = machine.parts.time.now() + SETTLE_MS;
  for (;;) {
    const verdict = judge(hands, notes);
    const isFinal = verdict.kind !== 'absent' && verdict.kind !== 'unclear';
    if (isFinal || machine.parts.time.now() >= until) return verdict;
    await life.sleep(LOOK_MS);
  }
}

function neverCame({ stores, workerId }: Acting, seq: number): DeliveryEvidence {
  const oldest = stores.journal.oldestSeq(workerId);
  if (oldest !== null && oldest < seq) return { kind: 'absent' };
  return { kind: 'unclear', why: `this machine has no record of order ${seq}` };
}

function judge(hands: Acting, notes: Notes): DeliveryEvidence {
  if (wasTaken(hands, notes)) return { kind: 'taken', by: 'transcript' };
  const program = hands.machine.panes.get(hands.workerId);
  if (program === undefined || program.end !== null || program.incarnation !== notes.incarnation)
    return { kind: 'absent' };
  const { screen, box } = program;
  if (box === notes.text) return { kind: 'in-box-whole' };
  if (box !== '' && notes.text.startsWith(box)) return { kind: 'in-box-part' };
  if (box !== '') return { kind: 'unclear', why: 'another text stands in the box' };
  if (notes.wasBusy && notes.step === 'entering') {
    const isQueued = screen.kind === 'processing' && screen.queued;
    return isQueued ? { kind: 'taken', by: 'screen' } : { kind: 'unclear', why: 'it was sent to a busy agent' };
  }
  if (screen.kind === 'ready') return { kind: 'absent' };
  return notes.wasBusy ? { kind: 'absent' } : { kind: 'unclear', why: `the screen shows "${screen.kind}"` };
}
