/**
 * Tells whether the machine has restarted since its panes were listed last. Missing panes then went with everything that ran on the machine,
 * and no tmux server has failed. The machine's directory keeps the id of its last known start, so that another gateway knows it too.
 */
import type { Host } from '@drover/host';

/** Starts of one machine. Neither rejects: a list of panes never waits for this. */
export interface MachineStarts {
  /** Tells whether this is another start than the noted one; false if none was noted, or it is unknown. */
  hasStartedAgain(): Promise<boolean>;
  /** Notes the start of the machine once a list of its panes is on its way. */
  note(): Promise<void>;
}

/** Notes starts in a file. Asks once for each life of the agent: no agent outlives a start of its machine. */
export function startsNotedIn(host: Pick<Host, 'facts' | 'readFile' | 'writeFile'>, file: string): MachineStarts {
  let known: { readonly now: string; readonly noted: string } | undefined;
  /** True once a list has reported the restart: the next list of this agent does not, even if the file could not be written. */
  let isTold = false;
  let isNoted = false;
  return {
    async hasStartedAgain() {
      if (isTold) return false;
      try {
        if (known === undefined) {
          const [{ bootId }, bytes] = await Promise.all([host.facts(), host.readFile(file)]);
          known = { now: bootId ?? '', noted: bytes === undefined ? '' : Buffer.from(bytes).toString().trim() };
        }
        const { now, noted } = known;
        return now !== '' && noted !== '' && noted !== now;
      } catch {
        return false;
      }
    },
    async note() {
      // A list that could not ask has not reported it: the next one does.
      if (isNoted || known === undefined) return;
      isTold = true;
      const { now, noted } = known;
      try {
        if (now !== '' && now !== noted) await host.writeFile(file, `${now}\n`);
        isNoted = true;
      } catch {
        // The next list retries.
      }
    },
  };
}
