/** Runs work under a lease of one replica: renews the lease during the work, and begins nothing that might outlive it. */
import type { Clock } from '@drover/base';

/** A lease that this replica has just taken. */
export interface Leased {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Time until which the lease was taken. */
  readonly until: number;
  /** Milliseconds that a lease lasts. Renewed when a third of them is over. */
  readonly leaseMs: number;
  /** Milliseconds that one piece of the work takes at most: shorter than two thirds of the lease. */
  readonly pieceMs: number;
  /** @returns false when another replica has it. */
  readonly renew: (until: number) => Promise<boolean>;
}

/**
 * Runs the work under the lease. `mayBegin` tells whether a further piece ends within the lease: a replica that could not renew, because
 * its database is away or another has taken over, begins nothing.
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
