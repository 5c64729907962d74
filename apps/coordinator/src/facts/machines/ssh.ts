/** Shows a machine over SSH to people. */
import type { SshView } from '@drover/api';
import type { SshMachine } from '@drover/store';
import { fingerprintOf, keyWords, shownKey } from './trust.ts';

/** @param now Epoch milliseconds: a lease that has expired by then no longer counts. */
export function sshView(ssh: SshMachine, now: number): SshView {
  const { connection, onlyGateway, epoch, pinned, findings } = ssh;
  const gateway = ssh.gateway !== null && ssh.gateway.until > now ? ssh.gateway : null;
  const key = shownKey(ssh);
  return {
    connection,
    gateway: gateway?.name ?? null,
    onlyGateway: onlyGateway?.name ?? null,
    epoch,
    state: gateway === null && !isFinal(ssh) ? 'waiting' : (ssh.state?.kind ?? 'connecting'),
    why: whyOf(ssh, gateway !== null),
    isFinal: isFinal(ssh),
    fingerprint: key === null ? null : fingerprintOf(key),
    pinned: pinned.map(fingerprintOf),
    findings: [...findings],
  };
}

/** Tells whether the state is known even without a gateway. */
function isFinal({ state }: SshMachine): boolean {
  return state?.kind === 'key-changed' || (state?.kind === 'lost' && !state.retry);
}

/**
 * Tells what is wrong with the machine, in words that follow its name; null: nothing. @param isServed True if a gateway holds the
 * machine's lease.
 */
export function whyOf(ssh: SshMachine, isServed: boolean): string | null {
  const { state, onlyGateway, findings } = ssh;
  switch (state?.kind) {
    case 'key-unknown':
    case 'key-changed':
      return keyWords(ssh, state.key);
    case 'lost':
      return `cannot be reached: ${state.why}`;
    case 'lacks': {
      const missing = findings.filter(({ level }) => level === 'problem').map(({ says }) => says);
      return `lacks what a machine needs: ${missing.join('; ')}`;
    }
    default:
      if (isServed) return null;
      return onlyGateway === null
        ? 'waits for a gateway: run "drover up" or "drover server gateway"'
        : `waits for its gateway "${onlyGateway.name}"`;
  }
}
