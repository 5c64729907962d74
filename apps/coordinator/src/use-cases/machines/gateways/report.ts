/** Applies a gateway's report to the row of a machine. */
import type { GatewayRequest } from '@drover/protocol';
import type { SshMachine } from '@drover/store';
import { SAME_HOST } from './lease.ts';
import { isOutdated, pinAfter, type Pinning } from '../../../facts/machines/trust.ts';

type Reported = GatewayRequest['hosts'][number];

/** The row after a report. */
export interface Heard {
  readonly ssh: SshMachine;
  /** Keys that the report pinned. */
  readonly pinning: Pinning;
  /** Tells whether the machine stopped, and only a person can change that. */
  readonly hasStopped: boolean;
}

/** @param sameHost Name of another machine with the host's id; undefined: none has it. */
export function hear(
  ssh: SshMachine,
  { state, findings }: Pick<Reported, 'state' | 'findings'>,
  { now, sameHost }: { readonly now: number; readonly sameHost: string | undefined },
): Heard {
  if (isOutdated(ssh, state)) return { ssh, pinning: null, hasStopped: false };
  const hostId = 'hostId' in state ? state.hostId : ssh.hostId;
  if (sameHost !== undefined) {
    const why = `it is the same host as "${sameHost}", or a copy of it. On a copy remove ~/.local/state/drover/host-id; then remove this machine and add it again`;
    const refused = { kind: 'lost', code: SAME_HOST, why, retry: false, since: now } as const;
    return { ssh: { ...ssh, state: refused, gateway: null }, pinning: null, hasStopped: true };
  }
  const pinning = pinAfter(ssh, state);
  const since = ssh.state !== null && isSame(ssh.state, state) ? ssh.state.since : now;
  const next: SshMachine = {
    ...ssh,
    hostId,
    findings,
    away: awayAfter(ssh, state, now),
    pinned: pinning?.pinned ?? ssh.pinned,
    // A key that is now trusted is no news for people.
    state: pinning !== null && state.kind === 'key-unknown' ? { kind: 'connecting', since } : { ...state, since },
  };
  return { ssh: next, pinning, hasStopped: since === now && isStopped(next) };
}

/** Computes the time since which the machine is unreachable. An attempt in progress changes nothing. */
function awayAfter(
  { away = null }: SshMachine,
  state: Reported['state'],
  now: number,
): Exclude<SshMachine['away'], undefined> {
  if (state.kind === 'connecting') return away;
  return state.kind === 'lost' && state.retry ? (away ?? { since: now, tries: 0 }) : null;
}

/** Tells whether no gateway tries to reach the machine by itself any more, and it was reached before. */
export function isStopped({ state, hostId }: SshMachine): boolean {
  if (hostId === null) return false;
  return state?.kind === 'key-changed' || (state?.kind === 'lost' && !state.retry);
}

function isSame(before: Reported['state'], after: Reported['state']): boolean {
  const key = (state: Reported['state']): string => ('key' in state ? state.key : 'code' in state ? state.code : '');
  return before.kind === after.kind && key(before) === key(after);
}
