// Draws mishaps by chance, one at a time, though the previous one may not be over; writes all of it down.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { MISHAPS, type IsWell, type Mishap } from './mishaps.ts';

/** Mishaps of processes that live in the calm hour of each two, so that their growth can be judged. */
const SPARED: ReadonlySet<Mishap> = new Set<Mishap>(['agent', 'coordinator', 'database', 'database-disk']);
/** Milliseconds between two mishaps. */
const PAUSE_MS = [8_000, 30_000] as const;
/** Milliseconds after which a mishap that is not over counts as never over. */
const WELL_MAX_MS = 180_000;
const POLL_EVERY_MS = 100;

/** A mishap, and the milliseconds from its end (a disk with room, a mended network) until all was well; null: it never was. */
export const mishapLine = z.object({ mishap: z.enum(MISHAPS), at: z.number(), wellMs: z.number().nullable() });
/** A mishap, and how it went on. */
export type MishapLine = z.infer<typeof mishapLine>;

export interface Chaos {
  readonly strike: (mishap: Mishap, ending: AbortSignal) => Promise<IsWell | null>;
  readonly possible: readonly Mishap[];
  /** Fires when no more shall happen. */
  readonly ending: AbortSignal;
  /** Tells whether the long-lived processes are spared now. */
  readonly isCalm: () => boolean;
  readonly tell: (line: MishapLine) => void;
}

/** @returns when nothing happens any more and everything that happened is over. */
export async function unleash({ strike, possible, ending, isCalm, tell }: Chaos): Promise<void> {
  const healing: Promise<void>[] = [];
  while (!ending.aborted) {
    await delay(randomInt(...PAUSE_MS), undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) break;
    const now = isCalm() ? possible.filter((mishap) => !SPARED.has(mishap)) : possible;
    const mishap = now[randomInt(now.length)];
    if (mishap === undefined) continue;
    const at = Date.now();
    const isWell = await strike(mishap, ending);
    if (isWell === null) continue;
    healing.push(timeTo(isWell).then((wellMs) => tell({ mishap, at, wellMs })));
  }
  await Promise.all(healing);
}

async function timeTo(isWell: IsWell): Promise<number | null> {
  const from = performance.now();
  for (;;) {
    const ms = performance.now() - from;
    if (await isWell().catch(() => false)) return Math.round(performance.now() - from);
    if (ms > WELL_MAX_MS) return null;
    await delay(POLL_EVERY_MS);
  }
}
