/** Reads from the screen (with its title) what the agent is doing. */
import type { AgentErrorKind, AgentState, Composer, Dialog } from '@drover/core';
import type { Row } from './ansi.ts';
import type { Box } from './composer/frame.ts';
import { findBox } from './composer/box.ts';
import { readBox } from './composer/composer.ts';
import { findDialog } from './dialog/dialog.ts';
import type { FoundDialog } from './dialog/dialog.ts';
import type { PaneState } from './detection.ts';
import type { Profile, Sign } from './profile/schema.ts';
import { readyAfter } from './ready-after.ts';
import { firstSeen, rowsIn, viewOf, withoutAside } from './regions.ts';
import type { Seen, View } from './regions.ts';
import { resetWords } from './reset-time.ts';
import { besideSidebar } from './sidebar.ts';

/** An error's text is cut to this many characters; no recorded one is longer than 300. */
const ERROR_CHARS = 500;

/** A state read from the screen, and what showed it. */
export interface ScreenVerdict {
  readonly state: AgentState;
  readonly rule: string;
  readonly source: 'title' | 'screen';
  readonly seen: string;
  readonly view: View;
}

/**
 * Judges one screen that is not blank. A dialog wins over a composer above it; then the composer's signs decide,
 * most telling first; without either the program is starting, or nothing is known.
 */
export function judgeScreen(
  profile: Profile,
  screen: readonly Row[],
  { title, cursorRow }: Pick<PaneState, 'title' | 'cursorRow'>,
): ScreenVerdict {
  const { rows, hint } = besideSidebar(profile, screen);
  const found = findBox(profile, rows, cursorRow);
  const open = viewOf(profile, rows, { title, box: found });
  if (hint !== '') return ofSidebar(open, hint);
  const asking = firstSeen(open, profile.screen.asking);
  const composer = found === null ? ({ kind: 'none' } as const) : readBox(profile, found);
  const dialog = completes(composer)
    ? null
    : findDialog(profile, rows, { below: asking === null ? (found?.bottom ?? null) : null, cursorRow });
  if (dialog !== null) return ofDialog(profile, dialog, viewOf(profile, rows, { title, box: null }));
  // The program says that it asks: never ready, even where the dialog is not understood.
  const panel = asking ?? firstSeen(open, profile.screen.panels);
  if (panel !== null) return ofPanel(open, panel);
  if (found !== null) return ofComposer(profile, open, { box: found, composer });
  return ofNeither(profile, open);
}

/** A menu under a command or a mention that is being typed is no dialog. */
function completes(composer: Composer): boolean {
  return composer.kind === 'text' && /^\/\S*$|@[^\s@]*$/u.test(composer.text);
}

function ofDialog(profile: Profile, { dialog, rule }: FoundDialog, view: View): ScreenVerdict {
  return { state: dialogState(profile, dialog), rule, source: 'screen', seen: dialog.title, view };
}

function dialogState(profile: Profile, dialog: Dialog): AgentState {
  if (dialog.kind === 'question') return { kind: 'question', form: formOf(dialog), dialog };
  if (dialog.kind !== 'permission') return { kind: 'dialog', dialog };
  const words = `${dialog.title}\n${dialog.body}`;
  const { tool, command, toolNames } = profile.screen.dialog;
  const called = tool?.exec(words)?.groups?.['tool']?.trim() ?? dialog.title;
  return {
    kind: 'permission',
    tool: toolNames[called] ?? called,
    command: command?.exec(words)?.groups?.['command']?.trim() ?? '',
    dialog,
  };
}

function formOf(dialog: Dialog): 'multiple-choice' | 'yes-no' | 'free-text' {
  if (dialog.options.length === 0) return 'free-text';
  const [first, second] = dialog.options;
  return dialog.options.length === 2 && /^yes/iu.test(first?.label ?? '') && /^no/iu.test(second?.label ?? '')
    ? 'yes-no'
    : 'multiple-choice';
}

function ofPanel(view: View, seen: Seen): ScreenVerdict {
  return verdict(view, seen, otherDialog(seen.text));
}

/** A letter that is meant for the composer would open, close or begin a conversation there. */
function ofSidebar(view: View, hint: string): ScreenVerdict {
  return { state: otherDialog(hint), rule: 'sidebar', source: 'screen', seen: hint, view };
}

function otherDialog(title: string): AgentState {
  return { kind: 'dialog', dialog: { kind: 'other', title, body: '', options: [] } };
}

function ofComposer(profile: Profile, view: View, { composer }: { box: Box; composer: Composer }): ScreenVerdict {
  const { screen } = profile;
  const retrying = firstSeen(view, screen.retrying);
  if (retrying !== null)
    return verdict(view, retrying, errorState(profile, view, { seen: retrying, recoverable: true, composer }));
  const busy = firstSeen(view, busySigns(profile, view.title));
  if (busy !== null) {
    return verdict(view, busy, { kind: 'processing', queued: firstSeen(view, screen.queued) !== null, composer });
  }
  const starting = firstSeen(view, screen.starting);
  if (starting !== null) return verdict(view, starting, { kind: 'starting' });
  const after = readyAfter(profile, view);
  const failed = composer.kind === 'empty' && after !== 'interrupted' ? firstSeen(view, screen.failed) : null;
  if (failed !== null)
    return verdict(view, failed, errorState(profile, view, { seen: failed, recoverable: false, composer }));
  const background = backgroundOf(firstSeen(view, screen.background));
  const state: AgentState = { kind: 'ready', after, composer, ...(background !== undefined && { background }) };
  return {
    state,
    rule: composer.kind === 'text' ? 'typed' : 'ready',
    source: 'screen',
    seen: composer.kind === 'text' ? composer.text : '',
    view,
  };
}

/** Words what a sign says runs on: `1 shell` is a `background shell`. */
function backgroundOf(seen: Seen | null): string | undefined {
  const counted = seen?.match?.groups?.['at'];
  if (counted === undefined) return undefined;
  const words = counted.replace(/^(\d+) (?:background )?/u, '$1 background ');
  return words.replace(/^1 /u, '');
}

/** A title is believed before the rows. */
function busySigns({ screen }: Profile, title: string): readonly Sign[] {
  return screen.idleTitle?.test(title) === true ? screen.busy.filter((sign) => sign.in === 'title') : screen.busy;
}

function errorState(
  profile: Profile,
  view: View,
  { seen, recoverable, composer }: { seen: Seen; recoverable: boolean; composer: Composer },
): AgentState {
  const text = seen.match?.groups?.['words'] ?? wordsOf(profile, view, seen);
  return { kind: 'error', error: errorKindOf(profile, text), recoverable, text, resets: resetWords(text), composer };
}

/** Returns the kind of error that these words speak of; `api` when the profile knows none of them. */
export function errorKindOf(profile: Profile, text: string): AgentErrorKind {
  return profile.errors.find(({ matches }) => matches.test(text))?.error ?? 'api';
}

/** The words of a sign: its row and the rows after it up to a blank one (for the footer all of it), as one line. */
function wordsOf(profile: Profile, view: View, seen: Seen): string {
  const inFooter = seen.sign.in === 'footer';
  const rows = inFooter ? rowsIn(view, 'footer').map((row) => row.text) : paragraph(profile, view, seen.text);
  const words = rows.map((text) => withoutMarker(text.trim()).replace(/\s{2,}/gu, ' '));
  return words
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, ERROR_CHARS);
}

function paragraph(profile: Profile, view: View, first: string): string[] {
  const at = view.rows.findLastIndex((row) => row.text.trim() === first);
  const after = view.rows.slice(at + 1, Math.max(view.end, at + 1));
  // A row that starts far to the right is a hint, no part of the message.
  const end = after.findIndex((row) => row.text === '' || /^\s{8,}\S/u.test(row.text));
  return [first, ...after.slice(0, end < 0 ? after.length : end).map((row) => row.text)].map((text) =>
    withoutAside(profile, text),
  );
}

/** Removes bullets, bars and spinners at the start and a frame at the end. */
function withoutMarker(text: string): string {
  return text.replace(/^[^\p{L}\p{N}"'{[(]+/u, '').replace(/(?<!\s)\s*[│┃]\s*$/u, '');
}

function verdict(view: View, seen: Seen, state: AgentState): ScreenVerdict {
  return { state, rule: seen.sign.id, source: sourceOf(seen.sign), seen: seen.text, view };
}

function sourceOf(sign: Sign): 'title' | 'screen' {
  return sign.in === 'title' ? 'title' : 'screen';
}

function ofNeither(profile: Profile, view: View): ScreenVerdict {
  const busy = firstSeen(
    view,
    profile.screen.busy.filter((sign) => sign.in === 'title'),
  );
  if (busy !== null) return verdict(view, busy, { kind: 'processing', queued: false, composer: { kind: 'none' } });
  if (profile.screen.ownTitle.test(view.title) && profile.screen.without === 'processing') {
    return {
      state: { kind: 'processing', queued: false, composer: { kind: 'none' } },
      rule: 'no-prompt',
      source: 'screen',
      seen: '',
      view,
    };
  }
  if (profile.screen.ownTitle.test(view.title)) {
    return {
      state: { kind: 'unknown', why: 'nothing-matched' },
      rule: 'nothing-matched',
      source: 'screen',
      seen: '',
      view,
    };
  }
  return { state: { kind: 'starting' }, rule: 'no-screen-yet', source: 'title', seen: view.title.trim(), view };
}
