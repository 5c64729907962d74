/** Finds the host on the way to a machine whose key ssh does not trust: ssh itself says only that it trusts one of them not. */
import type { Destination } from './destination.ts';
import { ConnectError } from './errors.ts';
import { fingerprintOf, type HostKey, type Trust } from './host-key.ts';

/** Words of ssh, in all versions. */
const REFUSED = /Host key verification failed/u;

/** The key that a host shows, and what is known of it. */
type ReadKey = (destination: Destination) => Promise<{ readonly key: HostKey; readonly trust: Trust }>;

/** @param way As `ssh -G` writes it: hosts with commas. @returns the error itself where it is about no host on the way. */
export async function explainJump(
  failure: unknown,
  { way, configFile }: { readonly way: string; readonly configFile: string | undefined },
  readKey: ReadKey,
): Promise<unknown> {
  if (!(failure instanceof ConnectError) || !REFUSED.test(failure.message)) return failure;
  const before: string[] = [];
  for (const hop of way.split(',')) {
    const name = hop.startsWith('ssh://') ? hop : `ssh://${hop}`;
    const jump = before.length === 0 ? undefined : before.join(',');
    const shown = await readKey({ name, jump, configFile }).catch(() => undefined);
    if (shown === undefined) return failure;
    if (shown.trust !== 'trusted') return refusalOf(hop, name, shown);
    before.push(hop);
  }
  return failure;
}

function refusalOf(hop: string, name: string, { key, trust }: Awaited<ReturnType<ReadKey>>): ConnectError {
  const fingerprint = fingerprintOf(key);
  const [kind, then] =
    trust === 'unknown'
      ? ['a key that is not known where the gateway runs', `log in once where the gateway runs: ssh ${name}`]
      : ['another key than is known where the gateway runs', 'remove the known one there with ssh-keygen -R'];
  const message = `the jump host "${hop}" shows ${kind}: ${fingerprint}. Compare it on that host with "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub"; if it is its own, ${then}`;
  return new ConnectError('misconfigured', message, { fingerprint });
}
