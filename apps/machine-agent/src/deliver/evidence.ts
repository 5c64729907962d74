/** Finds out the fate of a delivery without a known result, from records and screen, without a guess. */
import { messageOf, waitFor } from '@drover/base';
import { composerOfState, isAtWork, type DeliveryEvidence, type Reading } from '@drover/core';
import type { SentTo } from '../channels/channel.ts';
import type { DeliveryContext } from '../execute/tools.ts';
import type { Entry } from '../store/journal.ts';
import { standsIn } from './attempt.ts';
import { Lasting } from './lasting.ts';
import { readNotes, type DeliveryNotes } from './notes/notes.ts';
import { BEGIN_MS } from './taking.ts';
import { PromptRecords } from './prompt-records.ts';

/** Milliseconds to watch a box without a trace of the text, or a pane that is gone, before the text counts as absent. */
const SETTLE_MS = 2_000;
const CHECK_EVERY_MS = 100;

/** Looks at the worker's pane; null when there is none. */
type SeeNow = () => Promise<{ readonly incarnation: string; readonly reading: Reading } | null>;

/** Delivery to look for: the number of its command, and the id of its text. */
interface Sought {
  readonly seq: number;
  readonly textId: string | undefined;
}

/** Finds the evidence of a delivery. */
export async function evidenceOf(context: DeliveryContext, sought: Sought, see: SeeNow): Promise<DeliveryEvidence> {
  const { journal, settings } = context;
  const { seq } = sought;
  const entry = journal.bySeq(settings.workerId, seq);
  if (entry === undefined) return neverCame(context, sought, see);
  const notes = readNotes(entry.notes) ?? notesOfEarlier(context, seq);
  // A text is noted before it is typed.
  if (notes === null) return { kind: 'absent' };
  return judge(context, notes, see);
}

/** Notes of the previous attempt with the same text, if the agent died before this attempt took them over; that text may have been taken. */
function notesOfEarlier({ journal, settings }: DeliveryContext, seq: number): DeliveryNotes | null {
  const [own, before] = [
    journal.deliveryBefore(settings.workerId, seq + 1),
    journal.deliveryBefore(settings.workerId, seq),
  ];
  const wasTaken = before?.result?.kind === 'delivered' || before?.result?.kind === 'queued';
  if (own === undefined || before === undefined || wasTaken || textOf(own) !== textOf(before)) return null;
  return readNotes(before.notes);
}

function textOf({ command: { body } }: Entry): string | null {
  return body.kind === 'command' && body.command.kind === 'deliver' ? body.command.text : null;
}

/** Commands older than the newest are never carried out: a command that has not come by now has no effect any more. */
async function neverCame(context: DeliveryContext, { seq, textId }: Sought, see: SeeNow): Promise<DeliveryEvidence> {
  const { journal, settings, files } = context;
  const oldest = journal.oldestSeq(settings.workerId);
  if (oldest !== null && oldest < seq) return { kind: 'absent' };
  if (files.kept === null) return { kind: 'unclear', why: `this machine has no record of command ${seq}` };
  // Another gateway got the command. After this look at the panes that gateway types nothing any more (docs/adr/0013).
  await see();
  const kept = await files.kept.last(settings.workerId);
  if (kept === 'damaged')
    return { kind: 'unclear', why: 'the record of the previous gateway cannot be read on the host' };
  const isSought = kept !== null && (kept.seq === seq || (textId !== undefined && kept.textId === textId));
  return isSought ? judge(context, kept.notes, see) : { kind: 'absent' };
}

async function judge(context: DeliveryContext, notes: DeliveryNotes, see: SeeNow): Promise<DeliveryEvidence> {
  const { clock, signal, profiles, settings, files } = context;
  if (notes.sentTo !== undefined) return seekIn(context, notes, notes.sentTo);
  const words = new PromptRecords({
    profile: profiles.of(settings).profile,
    text: notes.text,
    marks: notes,
    records: files.records,
  });
  const lasting = new Lasting(clock);
  // The agent may have died since Enter, and its clock been set: the time in which a turn may begin counts from this look.
  const beginMs = notes.step === 'entering' ? BEGIN_MS : SETTLE_MS;
  let last: DeliveryEvidence = { kind: 'unclear', why: 'the screen could not be read' };
  const found = await waitFor(
    clock,
    async () => {
      const by = await words.takenBy();
      if (by !== null && !isInQueue(notes, by)) return { kind: 'taken', by } as const;
      const seen = await see();
      const hasTranscript = await words.hasTranscript();
      const isGone = seen === null || isOther(notes, seen);
      if (by !== null && !isGone) return { kind: 'taken', by: 'screen' } as const;
      last = isGone ? noPane(hasTranscript) : onScreen(notes, seen.reading, hasTranscript);
      if (last.kind !== 'absent' && last.kind !== 'unclear') return last;
      // An empty box and a dead pane must stay so: the records may be a moment behind, and so may the turn.
      const settleMs = isGone || last.kind === 'unclear' ? SETTLE_MS : beginMs;
      return lasting.see(`${last.kind}, ${isGone ? 'gone' : 'there'}`) >= settleMs ? last : undefined;
    },
    // A different first glance leaves time for the next state to last.
    { withinMs: beginMs + SETTLE_MS, everyMs: CHECK_EVERY_MS, signal },
  );
  return found ?? withoutProof(last);
}

/** Looks for a text that a channel sent in the conversation itself (docs/agents.md). */
async function seekIn(
  { channels, clock, signal }: DeliveryContext,
  { incarnation, text }: DeliveryNotes,
  to: SentTo,
): Promise<DeliveryEvidence> {
  const lasting = new Lasting(clock);
  let why = 'its program lets nobody in any more';
  const found = await waitFor(
    clock,
    async () => {
      const channel = await channels.of(incarnation);
      // Before the look: what ends after it may have taken the text in between.
      const isGone = (await channel?.isGone(to)) === true;
      const holds = await channel?.holds(to, text).catch((error: unknown) => {
        why = messageOf(error);
        return undefined;
      });
      if (holds === true) return { kind: 'taken', by: 'transcript' } as const;
      if (holds === false) why = 'its program lacks it, and may still take it';
      if (holds !== false || !isGone) lasting.see('silence');
      // A busy program keeps a text for later, where nobody sees it.
      if (holds === false && to.isBusy) return { kind: 'unclear', why: 'it was sent to a busy agent' } as const;
      return holds === false && isGone && lasting.see('absent') >= SETTLE_MS
        ? ({ kind: 'absent' } as const)
        : undefined;
    },
    { withinMs: BEGIN_MS, everyMs: CHECK_EVERY_MS, signal },
  );
  return found ?? { kind: 'unclear', why };
}

/** Turns an absence that did not last into `unclear`: else the text could be typed twice. */
function withoutProof(last: DeliveryEvidence): DeliveryEvidence {
  return last.kind === 'absent' ? { kind: 'unclear', why: 'its screen kept changing' } : last;
}

/**
 * Tells whether the text is still queued. The hook of a prompt that is sent into a turn fires at once (Claude Code 2.1.330): the text is in
 * the program's queue, and goes with the program if that ends first. The text's turn has come when the transcript holds it.
 */
function isInQueue({ wasBusy }: DeliveryNotes, by: 'transcript' | 'hook'): boolean {
  return wasBusy && by === 'hook';
}

type Seen = NonNullable<Awaited<ReturnType<SeeNow>>>;

/** Tells whether the pane has another program than the one that was typed to. */
function isOther({ incarnation }: DeliveryNotes, seen: Seen): boolean {
  return seen.incarnation !== incarnation || seen.reading.state.kind === 'exited';
}

function noPane(hasTranscript: boolean): DeliveryEvidence {
  if (hasTranscript) return { kind: 'absent' };
  return { kind: 'unclear', why: 'its pane is gone and its program keeps no transcript' };
}

function onScreen(notes: DeliveryNotes, reading: Reading, hasTranscript: boolean): DeliveryEvidence {
  const { state } = reading;
  const stands = standsIn(composerOfState(state), notes.text);
  if (stands === 'whole' || stands === 'placeholder') return { kind: 'in-box-whole' };
  if (stands === 'part') return { kind: 'in-box-part' };
  if (stands === 'other') return { kind: 'unclear', why: 'another text is in the box' };
  if (notes.wasBusy) return queuedOrNot(notes, reading);
  if (isAtWork(state) && notes.step === 'entering' && !hasTranscript) {
    return { kind: 'taken', by: 'screen' };
  }
  if (stands === 'empty' && (state.kind === 'ready' || (state.kind === 'error' && !isAtWork(state)))) {
    const wentOn = reading.progress !== notes.progress && !hasTranscript;
    return wentOn ? { kind: 'unclear', why: 'the box is empty and the conversation went on' } : { kind: 'absent' };
  }
  return { kind: 'unclear', why: `the screen shows "${state.kind}"` };
}

/** A busy program queues a text, and records it only when its turn comes. */
function queuedOrNot(notes: DeliveryNotes, { state }: Reading): DeliveryEvidence {
  if (notes.step === 'typing') return { kind: 'absent' };
  if (state.kind === 'processing' && state.queued) return { kind: 'taken', by: 'screen' };
  return { kind: 'unclear', why: 'it was sent to a busy agent' };
}
