/** How does the simulated agent get a text into a program? The stages of apps/machine-agent/src/deliver, in short. */
import type { Op, OpResult, Receipt } from '@drover/core';
import type { SimProgram } from '@drover/testkit';
import type { Acting } from './hands.ts';

type Deliver = Extract<Op, { kind: 'deliver' }>;

/** Milliseconds that a program may take to show that it is ready, and in which a turn must begin. */
const READY_MS = 3_000;
const BEGIN_MS = 3_000;
/** Milliseconds before each further Enter while the whole text stands in the box. */
const ENTER_AGAIN_MS: readonly number[] = [200, 400, 800, 1_600, 3_000];
const LOOK_MS = 100;

/** What is about to be done to the box, written down before it is done. */
export interface Notes {
  readonly incarnation: string;
  readonly text: string;
  readonly step: 'typing' | 'entering';
  /** Length of the transcript before. */
  readonly mark: number;
  readonly conversation: string;
  readonly wasBusy: boolean;
}

/** Carries out one attempt. */
export async function deliver(hands: Acting, op: Deliver): Promise<OpResult> {
  const { machine, life } = hands;
  const before = earlier(hands, op);
  if (before !== null && wasTaken(hands, before)) return taken('delivered', machine.now());
  const since = machine.parts.time.now();
  for (;;) {
    const program = present(hands, op);
    if (program === null) return { kind: 'refused', why: 'pane-gone', detail: op.incarnation };
    const verdict = judge(program, op, before !== null);
    if (verdict === 'type' || verdict === 'enter' || verdict === 'clear') return attempt(hands, op, verdict);
    if (typeof verdict === 'object') return verdict;
    if (machine.parts.time.now() - since >= READY_MS) return { kind: 'refused', why: verdict, detail: verdict };
    await life.sleep(LOOK_MS);
  }
}

type Verdict = 'type' | 'enter' | 'clear' | 'not-ready' | 'draft' | 'busy' | OpResult;

function judge(program: SimProgram, op: Deliver, hasEarlier: boolean): Verdict {
  const { screen } = program;
  if (screen.kind === 'question' || screen.kind === 'permission' || screen.kind === 'dialog')
    return { kind: 'refused', why: 'dialog', detail: 'it asks' };
  if (screen.kind === 'processing' && !op.mayQueue) return { kind: 'refused', why: 'busy', detail: 'it is at work' };
  if (screen.kind !== 'ready' && screen.kind !== 'error' && screen.kind !== 'processing') return 'not-ready';
  if (program.box === '')
    return op.enterOnly ? { kind: 'unknown', why: 'the text no longer stands in the box' } : 'type';
  if (program.box === op.text) return 'enter';
  const isOwn = op.clearFirst || op.enterOnly || hasEarlier;
  if (!op.text.startsWith(program.box) || !isOwn) return 'draft';
  return screen.kind === 'processing' ? 'busy' : 'clear';
}

async function attempt(hands: Acting, op: Deliver, how: 'type' | 'enter' | 'clear'): Promise<OpResult> {
  const { machine, life } = hands;
  const { random, luck, watch } = machine.parts;
  const program = present(hands, op);
  if (program === null) return { kind: 'refused', why: 'pane-gone', detail: op.incarnation };
  const notes: Notes = {
    incarnation: op.incarnation,
    text: op.text,
    step: 'typing',
    mark: (machine.transcripts.get(program.conversation) ?? []).length,
    conversation: program.conversation,
    wasBusy: program.screen.kind === 'processing',
  };
  note(hands, earlier(hands, op) ?? notes);
  await machine.mayDie();
  if (how === 'clear') program.clearBox();
  if (how !== 'enter' && !program.state.kind.startsWith('exited')) {
    watch.typed(hands.workerId, program, op.text);
    program.type(random.chance(luck.partial) ? op.text.slice(0, random.int(1, op.text.length - 1)) : op.text);
  }
  await life.sleep(random.int(10, 150) + op.settleMs);
  await machine.mayDie();
  if (present(hands, op) === null) return { kind: 'unknown', why: 'its program ended while it was typed' };
  if (program.box !== op.text) return program.box === '' ? lost('lost') : lost('partial');
  if ('dialog' in program.screen) return { kind: 'unknown', why: 'a dialog opened before Enter' };
  note(hands, { ...(earlier(hands, op) ?? notes), step: 'entering' });
  return submit(hands, op, notes);
}

async function submit(hands: Acting, op: Deliver, notes: Notes): Promise<OpResult> {
  const { machine, life } = hands;
  const { time } = machine.parts;
  let enters = 0;
  let enteredAt = 0;
  for (;;) {
    const program = present(hands, op);
    if (wasTaken(hands, notes)) {
      await life.sleep(machine.parts.random.int(0, 300));
      return taken('delivered', machine.now());
    }
    if (program === null) return { kind: 'unknown', why: 'its program ended just after Enter' };
    if (program.box === op.text) {
      const waitMs = enters === 0 ? 0 : ENTER_AGAIN_MS[enters - 1];
      if (waitMs === undefined) return lost('lost');
      if (time.now() - enteredAt >= waitMs && !('dialog' in program.screen)) {
        program.enter();
        enters += 1;
        enteredAt = time.now();
        await machine.mayDie();
      }
    } else if (notes.wasBusy && program.screen.kind === 'processing') {
      return taken('queued', machine.now());
    } else if (time.now() - enteredAt >= BEGIN_MS) {
      return program.screen.kind === 'ready' || program.screen.kind === 'error'
        ? lost('lost')
        : { kind: 'unknown', why: `the screen shows "${program.screen.kind}" after Enter` };
    }
    await life.sleep(LOOK_MS);
  }
}

function present({ machine, workerId }: Acting, { incarnation }: Deliver): SimProgram | null {
  const program = machine.panes.get(workerId);
  return program?.incarnation === incarnation && program.end === null ? program : null;
}

function note({ stores, commandId }: Acting, notes: Notes): void {
  stores.journal.note(commandId, notes);
}

/** An earlier attempt with this text in this life that did not end as a delivery. */
function earlier({ stores, workerId, seq }: Acting, op: Deliver): Notes | null {
  const before = stores.journal.deliveryBefore(workerId, seq);
  if (before?.notes == null || before.result?.kind === 'delivered' || before.result?.kind === 'queued') return null;
  const notes = JSON.parse(before.notes) as Notes;
  return notes.text === op.text && notes.incarnation === op.incarnation ? notes : null;
}

/** Whether the program's own record holds the text. */
export function wasTaken({ machine }: Pick<Acting, 'machine'>, { conversation, mark, text }: Notes): boolean {
  return (machine.transcripts.get(conversation) ?? []).slice(mark).includes(text);
}

const RECEIPT: Receipt = { evidence: [], steps: [], method: 'simulated', bytes: 1, enters: 1 };

function taken(kind: 'delivered' | 'queued', at: number): OpResult {
  return { kind, at, receipt: RECEIPT };
}

function lost(kind: 'lost' | 'partial'): OpResult {
  return { kind, receipt: RECEIPT };
}
