/**
 * Recognizes a dialog that asks for trust. Its words come from the program and from the repository: the beginning of the words and the whole
 * label of each option must be those of the profile, which no repository writes.
 */
import type { Dialog, TrustAsked } from '@drover/core';
import type { Profile } from '../profile/schema.ts';

/** Returns the trust that a dialog asks for; null: none that the profile knows. */
export function trustOf({ trust }: Profile, { title, body, options }: Dialog): TrustAsked | null {
  const words = `${title} ${body}`.replace(/\s+/gu, ' ').trim();
  for (const { kind, begins, accept, refuse, others } of trust) {
    if (words.search(begins) !== 0) continue;
    const accepted = only(options, accept);
    const refused = refuse === null ? null : only(options, refuse);
    const rest = options.filter(({ label }) => label !== accepted && label !== refused);
    if (others !== undefined && !rest.every(({ label }) => others.exec(label)?.[0] === label)) continue;
    if (accepted !== null && (refuse === null || refused !== null)) return { kind, accept: accepted, refuse: refused };
  }
  return null;
}

/** Returns the label that fits whole; null: none does, or several. */
function only(options: Dialog['options'], pattern: RegExp): string | null {
  const fitting = options.filter(({ label }) => pattern.exec(label)?.[0] === label);
  return fitting.length === 1 ? (fitting[0]?.label ?? null) : null;
}
