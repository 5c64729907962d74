/** Tells whether the agent or gateway of a machine is older than this coordinator, and what the machine lacks. */
import { isTooOld, lackedBy, UPGRADE_AGENT, UPGRADE_GATEWAY } from '@drover/protocol';
import type { Minor } from '@drover/protocol';
import type { Machine } from '@drover/store';

/** Describes the skew in words that follow the machine's name. Null: its agent, or its gateway, is as new, or has not said hello yet. */
export function skewOf(
  { facts, ssh }: Pick<Machine, 'facts' | 'ssh'>,
  { minVersion, brought }: { readonly minVersion?: string | undefined; readonly brought?: readonly Minor[] } = {},
): string | null {
  const spoken = facts?.['protocol'];
  if (spoken === undefined) return null;
  const lacked = lackedBy(spoken, brought);
  if (lacked.length === 0) return null;
  const [has, how] =
    ssh === null
      ? ['has an agent', UPGRADE_AGENT]
      : [`is served by a gateway${ssh.gateway === null ? '' : ` "${ssh.gateway.name}"`}`, UPGRADE_GATEWAY];
  // The facts are from the last accepted hello.
  const what =
    minVersion !== undefined && isTooOld(spoken, minVersion)
      ? `which is refused, because [coordinator] min_version is ${minVersion}`
      : `which works but may lack: ${lacked.join('; ')}`;
  return `${has} of an older version (protocol ${spoken}), ${what}. To upgrade it: ${how}`;
}
