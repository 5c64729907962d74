// What dies next? Drawn by chance, one thing at a time, and written down.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** What can be done to a Drover. */
export const MISHAPS = ['agent', 'coordinator', 'database', 'tmux', 'program', 'network'] as const;
/** One of them. */
export type Mishap = (typeof MISHAPS)[number];

/** In the calm half of each hour these live, so that their memory can be judged. */
const SPARED: ReadonlySet<Mishap> = new Set<Mishap>(['agent', 'coordinator', 'database']);

/** Between two mishaps, in milliseconds. */
const PAUSE_MIN_MS = 10_000;
const PAUSE_MAX_MS = 30_000;

/** @param isCalm Whether the long-lived processes are spared now. */
export async function unleash(
  strike: Readonly<Record<Mishap, () => Promise<void> | void>>,
  { ending, isCalm, tell }: { ending: AbortSignal; isCalm: () => boolean; tell: (mishap: Mishap) => void },
): Promise<void> {
  while (!ending.aborted) {
    await delay(randomInt(PAUSE_MIN_MS, PAUSE_MAX_MS), undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) return;
    const possible = isCalm() ? MISHAPS.filter((mishap) => !SPARED.has(mishap)) : MISHAPS;
    const mishap = possible[randomInt(possible.length)];
    if (mishap === undefined) continue;
    tell(mishap);
    await strike[mishap]();
  }
}
