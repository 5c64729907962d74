/** Is what speaks for a machine older than this coordinator, and what does the machine go without? */
import { isTooOld, lackedBy, UPGRADE_AGENT, UPGRADE_GATEWAY } from '@drover/protocol';
import type { Machine } from '@drover/store';

/** Words that follow the machine's name. Null: its agent, or its gateway, is as new, or has not said hello to this build yet. */
export function skewOf({ facts, ssh }: Pick<Machine, 'facts' | 'ssh'>, minVersion?: string): string | null {
  // Rows of a former coordinator do not have it before the next hello.
  const spoken = facts?.['protocol'];
  if (spoken === undefined) return null;
  const lacked = lackedBy(spoken);
  if (lacked.length === 0) return null;
  const [has, how] =
    ssh === null
      ? ['has an agent', UPGRADE_AGENT]
      : [`is served by a gateway${ssh.gateway === null ? '' : ` "${ssh.gateway.name}"`}`, UPGRADE_GATEWAY];
  // The facts are those of the last hello that was taken.
  const what =
    minVersion !== undefined && isTooOld(spoken, minVersion)
      ? `which is refused, because [coordinator] min_version is ${minVersion}`
      : `which works but may lack: ${lacked.join('; ')}`;
  return `${has} of an older version (protocol ${spoken}), ${what}. To upgrade it: ${how}`;
}
