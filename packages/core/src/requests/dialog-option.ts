/** Finds the option of the dialog on the screen that a person's words name: by its whole label, its first whole words, or its number. */
import type { Dialog } from '../agent-state.ts';
import { grantsMore } from '../policy/dialogs.ts';
import { dialogOf, isInHand, saysOtherwise } from '../recovery/dialogs.ts';
import { seenOf } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';

/** Open question about a dialog, and the label of one of its options. */
export interface SaidOption {
  readonly incident: string;
  readonly option: string;
}

/**
 * Finds the option that a person's text names; null: no question is open about the dialog on the screen, or the text names none of its
 * options, or several.
 */
export function optionSaid(worker: Worker, text: string): SaidOption | null {
  const { open } = worker.incident;
  const seen = seenOf(worker.session);
  if (open === null || !open.escalated || seen === null) return null;
  if (!isInHand({ worker }, seen.state) || saysOtherwise({ worker }, seen.state)) return null;
  const label = labelSaid(dialogOf(seen.state)?.options ?? [], text);
  return label !== null && open.options.some(({ id }) => id === label) ? { incident: open.id, option: label } : null;
}

/** Says why a text is no answer to the dialog on the screen, and lists the numbers and labels that would be one; null: no dialog is there. */
export function tellOptions({ dialog: { inHand }, session }: Worker): string | null {
  const seen = seenOf(session);
  const dialog = seen === null ? null : dialogOf(seen.state);
  if (dialog === null) return null;
  if (inHand !== null && inHand.label !== null) return `Drover is already answering its dialog with "${inHand.label}"`;
  const options = numbered(dialog.options).map(({ number, label }) => `${number} "${shortened(label)}"`);
  const asks = `The worker shows a dialog${dialog.title === '' ? '' : `, "${shortened(dialog.title)}"`}`;
  if (options.length === 0) return `${asks}, without options that Drover can choose`;
  return `${asks}, and a message answers it only with the number or the label of an option: ${options.join(', ')}`;
}

type Options = Dialog['options'];

/** Returns the label that the text names; null if it may name several. */
function labelSaid(options: Options, text: string): string | null {
  const said = plain(text);
  const number = /^(\d{1,3})[.)]?$/u.exec(said)?.[1];
  const meant = numbered(options).filter((one) => plain(one.label) === said || one.number === Number(number));
  const begun = meant.length > 0 || said === '' ? meant : options.filter(({ label }) => begins(plain(label), said));
  const [only] = begun;
  if (only === undefined || begun.length > 1) return null;
  // The machine finds the option by its label, in any case of its letters.
  return options.filter(({ label }) => plain(label) === plain(only.label)).length === 1 ? only.label : null;
}

function numbered(options: Options): readonly { readonly number: number; readonly label: string }[] {
  return options.map(({ label, number }, index) => ({ label, number: number ?? index + 1 }));
}

/** Tells whether a label begins with these words, the last of them whole. A lone "yes" never grants more than this one time. */
function begins(label: string, said: string): boolean {
  const isWhole = /[\p{L}\p{N}]$/u.test(said) && !/^[\p{L}\p{N}]/u.test(label.slice(said.length));
  return isWhole && label.startsWith(said) && !grantsMore(label);
}

function plain(words: string): string {
  return words.trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Characters of a label or a title in a refusal. */
const SHOWN_MAX = 100;

function shortened(words: string): string {
  return words.length > SHOWN_MAX ? `${words.slice(0, SHOWN_MAX - 1)}…` : words;
}
