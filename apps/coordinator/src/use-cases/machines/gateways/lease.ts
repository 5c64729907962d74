/** Leases a machine over SSH to one gateway at a time; each gateway that takes the machine gets a higher epoch. */
import type { SshMachine } from '@drover/store';

/** Code of a refused host: another machine of the fleet is the same host or its copy. */
export const SAME_HOST = 'same-host';

export interface Asking {
  readonly id: string;
  readonly name: string;
}

/** Time of the request, and the length of a lease; milliseconds. */
export interface Leasing {
  readonly now: number;
  readonly leaseMs: number;
}

/** Tells whether a gateway speaks for the machine under this epoch. Reports under an older epoch are ignored. */
export function serves({ gateway, epoch }: SshMachine, asking: Asking, under: number): boolean {
  return gateway?.id === asking.id && epoch === under;
}

/** Milliseconds that a gateway keeps an unreachable machine at most, while another gateway asks for it. */
const UNREACHED_MAX_MS = 3_600_000;

/** Tells whether a gateway may take the machine now. @param isServed True if the gateway says that it serves the machine already. */
export function mayTake(
  { onlyGateway, gateway, state, away = null }: SshMachine,
  asking: Asking,
  { now, leaseMs, isServed }: Leasing & { readonly isServed: boolean },
): boolean {
  if (onlyGateway !== null && onlyGateway.id !== asking.id) return false;
  if (state?.kind === 'lost' && state.code === SAME_HOST) return false;
  if (gateway === null || gateway.until <= now) return true;
  // A gateway that restarted has forgotten the machines that it served.
  if (gateway.id === asking.id) return !isServed;
  // Another gateway may reach a machine that this one does not. If none does, they try in turn, ever more seldom.
  return away !== null && now - away.since >= Math.min(leaseMs * 2 ** away.tries, UNREACHED_MAX_MS);
}

/** Gives the machine to this gateway. */
export function take(ssh: SshMachine, { id, name }: Asking, { now, leaseMs }: Leasing): SshMachine {
  const { away = null } = ssh;
  const tried = away === null ? null : { since: now, tries: away.tries + 1 };
  return { ...ssh, gateway: { id, name, until: now + leaseMs }, epoch: ssh.epoch + 1, state: null, away: tried };
}

/** Renews the lease of the machine's gateway. */
export function renew(ssh: SshMachine, { now, leaseMs }: Leasing): SshMachine {
  return ssh.gateway === null ? ssh : { ...ssh, gateway: { ...ssh.gateway, until: now + leaseMs } };
}

/** Names the lock under which a gateway takes machines, and loses them all. Taken before the lock of a machine. */
export function gatewayLock(id: string): string {
  return `machines of gateway ${id}`;
}
