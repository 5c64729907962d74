/** Says why the person cannot give an order now. */
import { lackOf } from '../fleet/roles.ts';
import { isStale } from '../fleet/rows.ts';
import { now } from './browser-adapter.ts';
import { useFleet, useSession, useTimed } from './hooks.ts';
import type { SessionView } from '@drover/api';

/** @returns null if the person can. */
export function useLack(role: SessionView['role']): string | null {
  const { role: own } = useSession();
  const fleet = useFleet();
  const stale = useTimed(() => isStale(fleet, now()));
  return lackOf(own, role) ?? (stale ? 'The coordinator is not heard: wait until the line is back' : null);
}
