/**
 * Waits for, saves and clears a text that a person left in the box, and types it back behind Drover's own. Only a text that could be saved
 * whole is cleared.
 */
import { composerOfState } from '@drover/core';
import { boxHolds } from '@drover/screen';
import type { PaneReading } from '../panes/pane.ts';
import type { Attempt, Stage } from './attempt.ts';
import { emptyBox } from './clearing.ts';
import { put } from './entering.ts';
import type { Drafts } from './records.ts';
import { pasting } from './typing.ts';

/** Milliseconds for the box to be free for the draft, and for the draft to show in it. */
const BACK_MS = 3_000;
const CHECK_EVERY_MS = 50;
/** Columns of a row that the box itself takes: its prompt, its frame. */
const FRAME_COLUMNS = 6;

/** Draft as it can be typed back. @returns null when the screen does not show all of it, or not as it was typed. */
export function wholeDraft({ reading, facts }: PaneReading): string | null {
  const composer = composerOfState(reading.state);
  if (composer.kind !== 'text' || !composer.whole) return null;
  const rows = composer.text.split('\n');
  // A row that has no room for the next one's first word may have been wrapped: the screen does not tell whether a line ended there.
  const isWrapped = rows.some((row, at) => {
    const next = rows[at + 1];
    return next !== undefined && row.length + 1 + firstWord(next).length > facts.width - FRAME_COLUMNS;
  });
  return isWrapped ? null : composer.text;
}

/** Saves the draft, then empties the box. */
export async function setAside(attempt: Attempt, text: string): Promise<Stage> {
  const { context, command } = attempt.parts;
  const { incarnation } = command;
  const path = await storeOf(attempt).save(context.commandId, { incarnation, text });
  const outcome = await emptyBox(attempt);
  switch (outcome) {
    case 'empty':
      attempt.evidence.push(`a person's draft of ${text.length} characters was set aside`);
      return { kind: 'type' };
    case 'gone':
      return attempt.refused('pane-gone', `it ended while the box was cleared; the draft in it is in ${path}`);
    case 'hidden':
      return attempt.refused(
        'dialog',
        `another screen opened while the box was cleared; the draft in it is in ${path}`,
      );
    case 'stays':
      return attempt.refused('draft', `a text that is not ours cannot be cleared; it is also in ${path}`);
    default:
      return outcome satisfies never;
  }
}

/** Types back the drafts of this life, set aside now or by an earlier attempt, without submitting them. */
export async function bringBack(attempt: Attempt): Promise<void> {
  const { command, hands, profile } = attempt.parts;
  const store = storeOf(attempt);
  const { texts, paths } = await store.waiting(command.incarnation);
  if (paths.length === 0) return;
  const text = texts.join('\n');
  if (!(await shows(attempt, (held) => held === 'empty', text))) {
    attempt.evidence.push(`the input box was not free for the draft: it is in ${paths.join(', ')}`);
    return;
  }
  await put(hands, { text, how: pasting(profile, text) });
  const isBack = await shows(attempt, (held) => held === 'whole' || held === 'placeholder', text);
  if (isBack) await store.forget(paths);
  const kept = isBack ? [] : await store.keep(paths);
  attempt.evidence.push(
    isBack ? 'Drover restored the draft' : `Drover restored only a part of the draft: it is in ${kept.join(', ')}`,
  );
}

function storeOf({ parts: { context } }: Attempt): Drafts {
  return context.files.drafts(context.settings.workerId);
}

/** Waits until the box holds the wanted text. */
async function shows(
  attempt: Attempt,
  isWanted: (holds: ReturnType<typeof boxHolds>) => boolean,
  text: string,
): Promise<boolean> {
  for (const until = attempt.elapsed + BACK_MS; ; await attempt.pause(CHECK_EVERY_MS)) {
    const seen = await attempt.see();
    if (seen === null) return false;
    const composer = composerOfState(seen.reading.state);
    if (composer.kind !== 'none' && isWanted(boxHolds(composer, text))) return true;
    if (attempt.elapsed >= until || attempt.isOver) return false;
  }
}

function firstWord(row: string): string {
  return row.trimStart().split(' ')[0] ?? '';
}
