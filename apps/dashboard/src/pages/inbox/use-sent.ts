/** Keeps answered questions until their agents went on: the coordinator does not list them any more. */
import { useState } from 'react';
import type { EscalationView, WorkerView } from '@drover/api';

/** Answer that the coordinator has accepted. */
export interface Sent {
  readonly question: EscalationView;
  /** The worker as it was. */
  readonly before: WorkerView | undefined;
  readonly label: string;
  readonly at: number;
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
