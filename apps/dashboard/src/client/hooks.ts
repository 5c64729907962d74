/** Gives pages the fleet, the person, and the time. */
import { createContext, use, useSyncExternalStore } from 'react';
import type { SessionView } from '@drover/api';
import type { Fleet } from '../fleet/rows.ts';
import { spanText } from '../fleet/text.ts';
import { every, now } from './browser-adapter.ts';
import { LiveStore } from './live-store.ts';

const store = new LiveStore();

/** Follows the fleet. */
export function useFleet(): Fleet {
  return useSyncExternalStore(store.subscribe, store.read);
}

/** Changes whenever the page has a new line to the coordinator, such as after a sleep: lines of its own need to be made anew then. */
export function useOpened(): number {
  return useSyncExternalStore(store.subscribe, () => store.read().opened);
}

/** The coordinator's time now, epoch milliseconds. */
export const timeNow = store.time;

const ticking = new Set<() => void>();
let stop: (() => void) | null = null;

/** Calls back each second. One timer serves all. */
function eachSecond(changed: () => void): () => void {
  ticking.add(changed);
  stop ??= every(1_000, () => {
    for (const one of ticking) one();
  });
  return () => {
    ticking.delete(changed);
    if (ticking.size > 0) return;
    stop?.();
    stop = null;
  };
}

/** Follows a value of time; the caller is drawn again when the value changes. */
export function useTimed<T extends string | number | boolean>(read: () => T): T {
  return useSyncExternalStore(eachSecond, read);
}

/** Follows how long something lasts, in words. */
export function useAge(since: number): string {
  return useTimed(() => spanText(store.time() - since));
}

/** This computer's time, to the second. */
export function useSeconds(): number {
  return useTimed(() => Math.floor(now() / 1_000) * 1_000);
}

/** The person who is signed in. Every page below the shell has one. */
export const SessionContext = createContext<SessionView | null>(null);

export function useSession(): SessionView {
  const session = use(SessionContext);
  if (session === null) throw new Error('A page is drawn outside of the shell, where nobody is signed in');
  return session;
}
