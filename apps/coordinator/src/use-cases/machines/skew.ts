/** Is the agent of a machine older than this coordinator, and what does it go without? */
import { lackedBy, UPGRADE_AGENT } from '@drover/protocol';
import type { Machine } from '@drover/store';

/** Words that follow the machine's name. Null: its agent is as new, or has not said hello to this build yet. */
export function skewOf({ facts }: Pick<Machine, 'facts'>): string | null {
  // Rows of a former coordinator do not have it before the next hello.
  const spoken = facts?.['protocol'];
  if (spoken === undefined) return null;
  const lacked = lackedBy(spoken);
  if (lacked.length === 0) return null;
  return `has an agent of an older version (protocol ${spoken}), which works but may lack: ${lacked.join('; ')}. To upgrade it: ${UPGRADE_AGENT}`;
}
