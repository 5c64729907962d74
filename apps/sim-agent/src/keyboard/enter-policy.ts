// Decides whether an Enter counts. The real program swallows some: soon after start, and in a burst of unbracketed text. Pure.

import type { Key } from './keys.ts';

/** Text of at least this many characters in one read is a burst, not a key stroke. */
export const BURST_CHARS_MIN = 2;

/** Verdict on an Enter key. `newline`: it is taken for a line break of a pasted text. */
type EnterVerdict = 'submit' | 'newline' | 'swallow-start' | 'swallow-burst';

/** Memory between reads; times are milliseconds since the epoch. */
export interface EnterMemory {
  readonly readySince: number;
  readonly lastBurstAt: number;
}

/** Milliseconds for which Enter is swallowed after the start, and after a burst. */
interface EnterLimits {
  readonly startSwallowMs: number;
  readonly burstMs: number;
}

/** Judges an Enter that came after `before`, the keys of the same read. */
export function judgeEnter(
  before: readonly Key[],
  at: { readonly memory: EnterMemory; readonly limits: EnterLimits; readonly now: number },
): EnterVerdict {
  const { memory, limits, now } = at;
  if (now - memory.readySince < limits.startSwallowMs) return 'swallow-start';
  if (isBurst(sinceLastPaste(before))) return 'newline';
  if (before.length === 0 && now - memory.lastBurstAt < limits.burstMs) return 'swallow-burst';
  return 'submit';
}

/** Updates the memory after a whole read: a bracketed paste ends a burst, because the program knows where it ended. */
export function afterRead(memory: EnterMemory, keys: readonly Key[], now: number): EnterMemory {
  const last = keys.at(-1);
  if (isBurst(sinceLastPaste(keys)) && last?.kind === 'text') return { ...memory, lastBurstAt: now };
  return last?.kind === 'paste' ? { ...memory, lastBurstAt: Number.NEGATIVE_INFINITY } : memory;
}

function sinceLastPaste(keys: readonly Key[]): readonly Key[] {
  return keys.slice(keys.findLastIndex((key) => key.kind === 'paste') + 1);
}

function isBurst(keys: readonly Key[]): boolean {
  return keys.reduce((sum, key) => sum + (key.kind === 'text' ? key.text.length : 0), 0) >= BURST_CHARS_MIN;
}
