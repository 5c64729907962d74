/** Work that one replica has in hand: its lease is renewed while the work is done, and nothing new begins that might outlive it. */
import type { Clock } from '../context/ports.ts';

/** A lease that this replica has just taken. */
export interface Leased {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Until when it was taken. */
  readonly until: number;
  /** Milliseconds that a lease lasts. It is renewed when a third of that is over. */
  readonly leaseMs: number;
  /** The longest that one piece of the work takes, in milliseconds: shorter than two thirds of the lease. */
  readonly pieceMs: number;
  /** @returns false when another replica has it. */
  readonly renew: (until: number) => Promise<boolean>;
}

/**
 * Does the work under the lease. `mayBegin` says whether a further piece ends within it: a replica that could not renew, because its database
 * is away or another has taken over, begins nothing.
 */
export async function underLease<T>(
  { clock, until: taken, leaseMs, pieceMs, renew }: Leased,
  work: (mayBegin: () => boolean) => Promise<T>,
): Promise<T> {
  let heldUntil = taken;
  let isOver = false;
  const timer = { cancel: (): void => {} };
  const renewLater = (): void => {
    if (isOver) return;
    timer.cancel = clock.after(leaseMs / 3, () => {
      const until = clock.now() + leaseMs;
      renew(until)
        .then((isHeld) => (heldUntil = isHeld ? until : 0))
        .catch(() => {})
        .finally(renewLater);
    });
  };
  renewLater();
  try {
    return await work(() => clock.now() + pieceMs <= heldUntil);
  } finally {
    isOver = true;
    timer.cancel();
  }
}
