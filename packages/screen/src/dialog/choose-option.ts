/** Finds the keys that move a dialog's highlight to an option. */
import type { Dialog } from '@drover/core';
import type { Profile } from '../profile/schema.ts';

/** A way to an option. Send `keys` one by one, look that the highlight stands on `stands` (null: there is none), then send `confirm`. */
type OptionPlan =
  | {
      readonly kind: 'keys';
      readonly keys: readonly string[];
      readonly confirm: string;
      readonly label: string;
      readonly stands: string | null;
    }
  /** The dialog has no such option, or several begin so. */
  | { readonly kind: 'no-such-option'; readonly labels: readonly string[] }
  /** The highlight is not to be seen, so that no distance is known. */
  | { readonly kind: 'no-highlight' };

/**
 * Plans the way to an option. The caller checks whether the highlight arrived.
 *
 * @param label The whole label, or the beginning of exactly one; case does not matter.
 */
export function chooseOption(profile: Profile, dialog: Dialog, label: string): OptionPlan {
  const labels = dialog.options.map((option) => option.label);
  const target = indexOfLabel(labels, label);
  if (target === null) return { kind: 'no-such-option', labels };
  const from = dialog.options.findIndex((option) => option.highlighted);
  const { keys: usual, keysFor } = profile.screen.dialog;
  const { next, previous, confirm, dismiss } = keysFor[dialog.kind] ?? usual;
  const chosen = labels[target] ?? label;
  if (dialog.options[target]?.dismisses === true) {
    return { kind: 'keys', keys: [], confirm: dismiss, label: chosen, stands: labels[from] ?? null };
  }
  if (from < 0) return { kind: 'no-highlight' };
  const keys = Array.from({ length: Math.abs(target - from) }, () => (target > from ? next : previous));
  return { kind: 'keys', keys, confirm, label: chosen, stands: chosen };
}

function indexOfLabel(labels: readonly string[], wanted: string): number | null {
  const word = wanted.toLowerCase();
  const same = labels.findIndex((label) => label.toLowerCase() === word);
  if (same >= 0) return same;
  const starting = labels.flatMap((label, index) => (label.toLowerCase().startsWith(word) ? [index] : []));
  return word !== '' && starting.length === 1 ? (starting[0] ?? null) : null;
}
