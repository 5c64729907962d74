/** Decides which host keys a machine over SSH is known by. Uses the row alone, without a clock. */
import { createHash } from 'node:crypto';
import type { HostState } from '@drover/protocol';
import type { SshMachine } from '@drover/store';

/** Keys of one machine that are kept at most: each kind once, and the keys from before and after a change. */
const PINNED_MAX = 20;

/** Returns the fingerprint that people compare, as ssh prints it. */
export function fingerprintOf(key: string): string {
  const bytes = Buffer.from(key.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256')
    .update(bytes)
    .digest('base64')
    .replace(/(?<!=)=+$/u, '')}`;
}

/** Keys that are pinned now, and their authority; null: nothing changes. */
export type Pinning = { readonly pinned: readonly string[]; readonly by: 'known-hosts' | 'named' | 'proven' } | null;

/**
 * Decides the pinned keys after a gateway's report. A key is only pinned where none is yet: because a person has named its fingerprint,
 * or because the gateway's own files know the key. If a person named a fingerprint, no other key counts.
 */
export function pinAfter({ pinned, expected }: SshMachine, state: HostState): Pinning {
  if (state.kind === 'key-unknown' && pinned.length === 0) {
    if (expected !== null) return fingerprintOf(state.key) === expected ? { pinned: [state.key], by: 'named' } : null;
    return state.isKnown ? { pinned: [state.key], by: 'known-hosts' } : null;
  }
  if (state.kind !== 'connected' || pinned.length === 0) return null;
  // A host that has shown a pinned key proves its other keys by that key.
  const all = [...new Set([...pinned, ...state.keys])].slice(0, PINNED_MAX);
  return all.length === pinned.length ? null : { pinned: all, by: 'proven' };
}

/** Returns the key that a person may confirm now; null: no untrusted key was shown. */
export function shownKey({ state, pinned }: SshMachine): string | null {
  const isShown = state?.kind === 'key-unknown' || state?.kind === 'key-changed';
  return isShown && !pinned.includes(state.key) ? state.key : null;
}

/** Tells whether a report was made before its key was pinned: such a report says nothing new. */
export function isOutdated({ pinned }: SshMachine, state: HostState): boolean {
  if (state.kind === 'key-changed') return pinned.includes(state.key);
  return state.kind === 'key-unknown' && pinned.length > 0;
}

/** Describes an untrusted key to people. */
export function keyWords({ expected, pinned }: SshMachine, key: string): string {
  const shown = fingerprintOf(key);
  if (pinned.length > 0)
    return `shows a different key than before: ${shown}; confirmed are ${pinned.map(fingerprintOf).join(', ')}. Either it was reinstalled, or another machine impersonates it`;
  if (expected !== null) return `shows the key ${shown} instead of the expected ${expected}`;
  return `shows the key ${shown}, which is not known`;
}
