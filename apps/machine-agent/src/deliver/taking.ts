/**
 * Watches whether the text is taken. Only a turn that began with its words, or its place in the program's queue, is delivery. While the whole
 * text is still in the box, Enter was swallowed and is pressed again; nothing else is ever repeated here.
 */
import { isAtWork } from '@drover/core';
import type { PaneReading } from '../panes/pane.ts';
import type { Attempt, Stage } from './attempt.ts';
import { standsInConversation } from './conversation.ts';
import { pressEnter } from './entering.ts';

/** Milliseconds before each further Enter while the whole text is in the box. */
const ENTER_AGAIN_MS: readonly number[] = [200, 400, 800, 1_600, 3_000];
/**
 * Milliseconds after the last Enter in which the turn must begin, and any other text be gone from the screen. On a loaded machine Claude Code
 * needs more than 3 s for it (20 programs on 2 processors; bench/RESULTS.md), OpenCode to change its page, and a text typed again would be
 * there twice.
 */
export const BEGIN_MS = 10_000;
/** Milliseconds that a turn seen on the screen waits for a record of it by a program that may not write one. */
const RECORD_MS = 1_500;
/**
 * Milliseconds that the screen gets to follow a record that was written first. A taken prompt always changes the
 * screen, so that only a loaded machine ever waits this long.
 */
const FOLLOW_MS = 2_000;
/** Milliseconds that a ready screen must last to be the end of a very quick turn; programs paint every 100 ms at work. */
const QUICK_MS = 300;
/** Milliseconds that an ended program gets for its last record. */
const LAST_RECORD_MS = 400;
const CHECK_EVERY_MS = 15;

/** Watches a submitted text until the evidence decides. */
export async function take(attempt: Attempt): Promise<Stage> {
  let enteredAt = attempt.elapsed;
  let begun: Begun | undefined;
  for (;;) {
    const saidBy = await attempt.parts.words.takenBy();
    const seen = await attempt.see();
    if (saidBy !== null) return recorded(attempt, saidBy);
    if (seen === null) return ended(attempt);
    const now = attempt.elapsed;
    const stands = attempt.stands(seen);
    if (stands === 'whole' || stands === 'placeholder') {
      const at = seen.facts.cursor;
      if (attempt.enters === 0) return { kind: 'enter', at }; // the box was only hidden for a moment
      const waitMs = ENTER_AGAIN_MS[attempt.enters - 1];
      if (waitMs === undefined) return attempt.failed('lost', `it stood in the box after ${attempt.enters} Enters`);
      if (now - enteredAt >= waitMs) {
        const pressed = await pressEnter(attempt, at);
        if (pressed === 'gone') return ended(attempt);
        if (pressed === 'pressed') enteredAt = attempt.elapsed;
      }
    } else if (attempt.enters === 0 && 'dialog' in seen.reading.state) {
      return attempt.unknown(`the screen shows "${seen.reading.state.kind}" before Enter`);
    } else if (stands === 'empty' || stands === 'none') {
      const by = await begunBy(attempt, seen);
      if (by !== null) begun = { at: begun?.at ?? now, by: begun?.by === 'turn' ? 'turn' : by };
      const verdict = await judgeEmpty(attempt, { seen, now, enteredAt, begun });
      if (verdict !== undefined) return verdict;
    } else if (now - enteredAt >= BEGIN_MS) {
      return attempt.unknown('another text is in the box');
    }
    if (attempt.isOver) return attempt.unknown('its time ran out before a turn began');
    await attempt.pause(CHECK_EVERY_MS);
  }
}

interface Moment {
  readonly seen: PaneReading;
  readonly now: number;
  readonly enteredAt: number;
  readonly begun: Begun | undefined;
}

/** Time at which a turn was first seen on the screen, by work or only by more of the conversation. */
interface Begun {
  readonly at: number;
  readonly by: 'turn' | 'words';
}

/** Judges a text that has left the box. */
async function judgeEmpty(attempt: Attempt, moment: Moment): Promise<Stage | undefined> {
  const { seen, now, enteredAt, begun } = moment;
  const { state } = seen.reading;
  if (attempt.before.wasBusy) return judgeQueue(attempt, seen, now - enteredAt);
  if (begun !== undefined) return judgeTurn(attempt, begun, moment);
  const isReady = state.kind === 'ready' || (state.kind === 'error' && !isAtWork(state));
  if (now - enteredAt < BEGIN_MS) return undefined;
  if (isReady) return attempt.failed('lost', 'the box is empty and no turn began');
  return attempt.unknown(`the screen shows "${state.kind}" after Enter`);
}

/**
 * Judges a visible turn while no record holds the text. If the program keeps a transcript, this could be another turn, begun just as the text
 * vanished: then only the transcript says that this text was taken.
 */
async function judgeTurn(attempt: Attempt, begun: Begun, { seen, now, enteredAt }: Moment): Promise<Stage | undefined> {
  const { words } = attempt.parts;
  if (words.isKept && now - begun.at < RECORD_MS) return undefined;
  if (!(await words.hasTranscript()))
    return attempt.taken(
      'delivered',
      begun.by === 'turn' ? `screen: ${seen.reading.rule}` : 'conversation: it went on',
    );
  return now - enteredAt < BEGIN_MS ? undefined : attempt.unknown('a turn began, and the transcript lacks the text');
}

/** Judges a text sent to an agent at work: the program keeps the text for later, or gives it to the model at once (Codex 0.169). */
function judgeQueue(attempt: Attempt, { reading: { state }, text }: PaneReading, sinceMs: number): Stage | undefined {
  if (state.kind === 'processing' && state.queued) return attempt.taken('queued', 'screen: the program queued it');
  if (sinceMs < RECORD_MS) return undefined;
  if (isAtWork(state)) return attempt.taken('queued', 'screen: the box is empty and the agent at work');
  if (standsInConversation(text, attempt.parts.plan.text))
    return attempt.taken('delivered', 'screen: it is in the conversation, and the turn is over');
  return sinceMs < BEGIN_MS ? undefined : attempt.unknown('the turn before it ended meanwhile');
}

/** Recognizes a turn: the agent works, asks or fails; or, where no transcript can tell, its conversation has gone on. */
async function begunBy(attempt: Attempt, { reading }: PaneReading): Promise<Begun['by'] | null> {
  const { kind } = reading.state;
  if (showsTurn({ reading })) return 'turn';
  if (reading.progress === attempt.before.progress || (kind !== 'ready' && kind !== 'error')) return null;
  return (await attempt.parts.words.hasTranscript()) ? null : 'words';
}

function showsTurn({ reading: { state } }: Pick<PaneReading, 'reading'>): boolean {
  return isAtWork(state) || state.kind === 'question' || state.kind === 'permission';
}

/**
 * Waits for a screen that follows the record: the next look should show the turn. A screen that is ready with the prompt in it is either the
 * frame before the turn shows or the one after a very quick turn; only the latter lasts.
 */
async function recorded(attempt: Attempt, by: 'transcript' | 'hook'): Promise<Stage> {
  const until = attempt.elapsed + FOLLOW_MS;
  let readySince: number | undefined;
  while (attempt.elapsed < until && !attempt.isOver) {
    const seen = await attempt.see();
    if (seen !== null && showsTurn(seen)) attempt.evidence.push(`screen: ${seen.reading.rule}`);
    if (seen === null || seen.reading.state.kind !== 'ready') break;
    if (seen.reading.progress !== attempt.before.progress) readySince ??= attempt.elapsed;
    if (readySince !== undefined && attempt.elapsed - readySince >= QUICK_MS) break;
    await attempt.pause(CHECK_EVERY_MS);
  }
  // The hook of a prompt that was sent into a turn fires at once; its own turn begins after that turn (Claude Code 2.1.330).
  if (by === 'hook' && attempt.before.wasBusy) return attempt.taken('queued', 'hook: it waits for the turn before it');
  return attempt.taken('delivered', `${by}: it holds the prompt's words`);
}

/** Judges by the transcript of an ended program, which holds every text that it had taken. */
async function ended(attempt: Attempt): Promise<Stage> {
  await attempt.pause(LAST_RECORD_MS);
  const saidBy = await attempt.parts.words.takenBy();
  const wasQueued = saidBy === 'hook' && attempt.before.wasBusy;
  if (saidBy === null || wasQueued) return attempt.unknown('its program ended just after Enter');
  return attempt.taken('delivered', `${saidBy}: it was taken before its program ended`);
}
