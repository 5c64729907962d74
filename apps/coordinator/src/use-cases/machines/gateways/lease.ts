/** Which gateway serves a machine over SSH? One at a time, until its lease is over; each that takes it gets a higher epoch. */
import type { SshMachine } from '@drover/store';

/** The code of a host that is refused, because another machine of the fleet is the same one or its copy. */
export const SAME_HOST = 'same-host';

/** A gateway that asks. */
export interface Asking {
  readonly id: string;
  readonly name: string;
}

/** When it asks, and for how long it gets a machine; milliseconds. */
export interface Leasing {
  readonly now: number;
  readonly leaseMs: number;
}

/** Whether a gateway speaks for the machine under this epoch. What it says under an older one is not heard. */
export function serves({ gateway, epoch }: SshMachine, asking: Asking, under: number): boolean {
  return gateway?.id === asking.id && epoch === under;
}

/** The longest time that a gateway keeps a machine which it does not reach, in milliseconds, while another asks for it. */
const UNREACHED_MAX_MS = 3_600_000;

/** Whether a gateway may take the machine now. @param isServed It says that it serves the machine already. */
export function mayTake(
  { onlyGateway, gateway, state, away = null }: SshMachine,
  asking: Asking,
  { now, leaseMs, isServed }: Leasing & { readonly isServed: boolean },
): boolean {
  if (onlyGateway !== null && onlyGateway.id !== asking.id) return false;
  if (state?.kind === 'lost' && state.code === SAME_HOST) return false;
  if (gateway === null || gateway.until <= now) return true;
  // A gateway that was started again knows nothing of what it served before.
  if (gateway.id === asking.id) return !isServed;
  // Another may reach what this one does not. Where none does, they try in turn, ever more seldom.
  return away !== null && now - away.since >= Math.min(leaseMs * 2 ** away.tries, UNREACHED_MAX_MS);
}

/** The machine is this gateway's from now on. */
export function take(ssh: SshMachine, { id, name }: Asking, { now, leaseMs }: Leasing): SshMachine {
  const { away = null } = ssh;
  const tried = away === null ? null : { since: now, tries: away.tries + 1 };
  return { ...ssh, gateway: { id, name, until: now + leaseMs }, epoch: ssh.epoch + 1, state: null, away: tried };
}

/** Its gateway is still there. */
export function renew(ssh: SshMachine, { now, leaseMs }: Leasing): SshMachine {
  return ssh.gateway === null ? ssh : { ...ssh, gateway: { ...ssh.gateway, until: now + leaseMs } };
}

/** The lock under which a gateway takes machines, and loses them all. Taken before that of a machine. */
export function gatewayLock(id: string): string {
  return `machines of gateway ${id}`;
}
