/** Decides whether the text may be typed now. Nothing is typed into a dialog, over a person's draft, or into another life of the pane. */
import { composerOfState, isAtWork } from '@drover/core';
import { standsIn, type Attempt, type Stage } from './attempt.ts';
import type { PaneReading } from '../panes/pane.ts';
import { wholeDraft } from './draft.ts';

/** Milliseconds that a program may take to show that it is ready, and that a person may take to finish a draft. */
const READY_MS = 3_000;
const DRAFT_MS = 10_000;
const CHECK_EVERY_MS = 50;
/** Milliseconds without a change after which no person is typing at a draft. */
const DRAFT_RESTS_MS = 2_000;

type Refusal = {
  readonly why: 'not-ready' | 'dialog' | 'draft' | 'busy';
  readonly detail: string;
  readonly waitMs: number;
};

/** Waits until the text may be typed, and picks the first stage; or refuses with the reason that stood longest. */
export async function preflight(attempt: Attempt): Promise<Stage> {
  const { words, earlier, command } = attempt.parts;
  const saidBy = earlier === null ? null : await words.takenBy();
  if (saidBy !== null) {
    const outcome = saidBy === 'hook' && earlier?.wasBusy === true ? 'queued' : 'delivered';
    return attempt.taken(outcome, `${saidBy}: an earlier attempt was taken after all`);
  }
  const startedAt = attempt.elapsed;
  let held = '';
  let changedAt = startedAt;
  for (;;) {
    const seen = await attempt.seeWhole();
    if (seen === null) return attempt.refused('pane-gone', `${command.incarnation} has ended`);
    const verdict = judge(attempt, seen);
    if ('kind' in verdict) {
      attempt.before = { wasBusy: isAtWork(seen.reading.state), progress: seen.reading.progress };
      attempt.done('preflight', `${seen.reading.rule}: ${seen.reading.state.kind}`);
      return verdict;
    }
    if (seen.reading.fingerprint !== held) changedAt = attempt.elapsed;
    held = seen.reading.fingerprint;
    if (attempt.isOver || attempt.elapsed - startedAt >= verdict.waitMs) {
      const restsMs = attempt.elapsed - changedAt;
      return verdict.why === 'draft'
        ? judgeDraft(attempt, seen, restsMs)
        : attempt.refused(verdict.why, verdict.detail);
    }
    await attempt.pause(CHECK_EVERY_MS);
  }
}

function judge(attempt: Attempt, seen: PaneReading): Stage | Refusal {
  const { state } = seen.reading;
  switch (state.kind) {
    case 'question':
    case 'permission':
    case 'dialog':
      return { why: 'dialog', detail: `it asks: ${state.dialog.title}`, waitMs: 0 };
    case 'processing':
    case 'error':
      if (!isAtWork(state)) return judgeBox(attempt, seen);
      if (!attempt.parts.command.mayQueue) return { why: 'busy', detail: 'the agent is at work', waitMs: 0 };
      return judgeBox(attempt, seen);
    case 'ready':
      return judgeBox(attempt, seen);
    case 'starting':
    case 'exited':
    case 'unknown':
      return { why: 'not-ready', detail: `the screen shows "${state.kind}"`, waitMs: READY_MS };
    default:
      return state satisfies never;
  }
}

/** Judges the content of the box: nothing, Drover's own text, or a person's. */
function judgeBox(attempt: Attempt, seen: PaneReading): Stage | Refusal {
  const { command, earlier, former } = attempt.parts;
  const isOwn = command.clearFirst || command.enterOnly || earlier !== null;
  const isBusy = isAtWork(seen.reading.state);
  const draft: Refusal = { why: 'draft', detail: 'a text that is not ours is in the box', waitMs: DRAFT_MS };
  const clear: Stage | Refusal = isBusy
    ? { why: 'busy', detail: 'a text of our own is in the box of a busy agent', waitMs: READY_MS }
    : { kind: 'clear' };
  const stands = attempt.stands(seen);
  if ((stands === 'part' || stands === 'other') && former !== null) {
    // Esc before the first word of an answer puts the prompt back into the box (Claude Code 2.1.330).
    if (standsIn(composerOfState(seen.reading.state), former) === 'whole') return clear;
  }
  switch (stands) {
    case 'empty':
      // The command only presses Enter. A person has pressed it, or has cleared the box.
      return command.enterOnly ? attempt.unknown('the text is no longer in the box') : { kind: 'type' };
    case 'whole':
      return { kind: 'enter', at: seen.facts.cursor };
    case 'placeholder':
      if (!isOwn) return draft;
      return command.clearFirst ? clear : { kind: 'enter', at: seen.facts.cursor };
    case 'part':
      return isOwn ? clear : draft;
    case 'other':
      return draft;
    case 'none':
      return { why: 'not-ready', detail: 'no input box is on the screen', waitMs: READY_MS };
    default:
      return stands satisfies never;
  }
}

/** A draft that a person has left is set aside if that loses nothing; keys that clear the box would interrupt a turn. */
function judgeDraft(attempt: Attempt, seen: PaneReading, restsMs: number): Stage {
  const what = 'a text that is not ours is in the box';
  if (attempt.isOver || restsMs < DRAFT_RESTS_MS) return attempt.refused('draft', `${what}: somebody types`);
  if (isAtWork(seen.reading.state)) return attempt.refused('draft', `${what} of a busy agent`);
  const text = wholeDraft(seen);
  if (text === null) return attempt.refused('draft', `${what}, and it cannot be saved as it is`);
  attempt.before = { wasBusy: false, progress: seen.reading.progress };
  attempt.done('preflight', `${seen.reading.rule}: ${seen.reading.state.kind}`);
  return { kind: 'set-aside', text };
}
