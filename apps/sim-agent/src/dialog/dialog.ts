// Holds a dialog: its question, its highlighted answer, and the effect of each key. Pure.

import type { Key } from '../keyboard/keys.ts';

/** Answer of a dialog. `hint` is said about the answer; it is not part of its label. */
export interface Option {
  readonly label: string;
  readonly hint?: string;
  /** A typed answer: while it is highlighted, keys write its text. */
  readonly writes?: boolean;
}

/** Kind of the dialog on the screen; each has a look of its own. */
export type DialogKind = 'permission' | 'question' | 'limit' | 'trust' | 'bypass' | 'api-key' | 'imports' | 'settings';

/** A dialog. `body` rows stand between the title and the question; `after` is the index of a rule between options. */
export interface Dialog {
  readonly kind: DialogKind;
  readonly title: string;
  readonly note?: string;
  readonly body: readonly string[];
  readonly question: string;
  readonly options: readonly Option[];
  readonly highlighted: number;
  readonly numbered: boolean;
  readonly typed: string;
  readonly footer: string;
}

/** Effect of a key: the dialog goes on, an option was chosen, or it was cancelled with Escape. */
export type DialogStep =
  | { readonly kind: 'open'; readonly dialog: Dialog }
  | { readonly kind: 'chosen'; readonly index: number; readonly label: string; readonly typed: string }
  | { readonly kind: 'cancelled' };

/**
 * Applies one key. Digits choose at once where the options are numbered, but only a digit that came alone:
 * text that arrives in one piece with other characters, and pastes, are not answers.
 */
export function dialogKey(dialog: Dialog, key: Key): DialogStep {
  const current = dialog.options[dialog.highlighted];
  if (key.kind === 'paste') return current?.writes === true ? write(dialog, key.text) : { kind: 'open', dialog };
  if (key.kind === 'text') {
    if (current?.writes === true) return write(dialog, key.text);
    const digit = /^[1-9]$/.test(key.text) && dialog.numbered ? Number(key.text) - 1 : -1;
    const chosen = dialog.options[digit];
    if (chosen === undefined) return { kind: 'open', dialog };
    return chosen.writes === true ? highlight(dialog, digit) : choose(dialog, digit);
  }
  switch (key.name) {
    case 'up':
      return highlight(dialog, (dialog.highlighted + dialog.options.length - 1) % dialog.options.length);
    case 'down':
      return highlight(dialog, (dialog.highlighted + 1) % dialog.options.length);
    case 'backspace':
      return { kind: 'open', dialog: { ...dialog, typed: dialog.typed.slice(0, -1) } };
    case 'enter':
      return current?.writes === true && dialog.typed === ''
        ? { kind: 'open', dialog }
        : choose(dialog, dialog.highlighted);
    case 'escape':
    case 'ctrl-c':
      return { kind: 'cancelled' };
    default:
      return { kind: 'open', dialog };
  }
}

function highlight(dialog: Dialog, index: number): DialogStep {
  return { kind: 'open', dialog: { ...dialog, highlighted: index } };
}

function write(dialog: Dialog, text: string): DialogStep {
  return { kind: 'open', dialog: { ...dialog, typed: dialog.typed + text } };
}

function choose(dialog: Dialog, index: number): DialogStep {
  const option = dialog.options[index];
  if (option === undefined) return { kind: 'open', dialog };
  return { kind: 'chosen', index, label: option.label, typed: option.writes === true ? dialog.typed : '' };
}
