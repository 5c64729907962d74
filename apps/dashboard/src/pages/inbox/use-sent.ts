/** Keeps answers on their way: the coordinator does not list an answered question any more, and what it says to the answer must be read. */
import { useState } from 'react';
import type { EscalationView, WorkerView } from '@drover/api';

/** Answer that was given. */
export interface Sent {
  readonly question: EscalationView;
  /** The worker as it was. */
  readonly before: WorkerView | undefined;
  readonly label: string;
  readonly at: number;
  readonly fate:
    | { readonly kind: 'sending' }
    | { readonly kind: 'accepted' }
    /** Refused, or not heard. */
    | { readonly kind: 'refused'; readonly message: string };
}

/** Keeps answers by the id of their question; null forgets one. */
export function useSent(): [sent: ReadonlyMap<string, Sent>, put: (id: string, one: Sent | null) => void] {
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map());
  const put = (id: string, one: Sent | null): void =>
    setSent((before) => {
      const now = new Map(before);
      if (one === null) now.delete(id);
      else now.set(id, one);
      return now;
    });
  return [sent, put];
}
