/**
 * Has the machine started again since its panes were listed last? Then what is gone from the list went with all that ran on it, and no tmux server
 * has failed. Its directory keeps the id of the start of then, so that another gateway knows it too.
 */
import type { Host } from '@drover/host';

/** The starts of one machine. Neither rejects: a list of panes never waits for this. */
export interface MachineStarts {
  /** Whether this is another start than the one that was noted; false where none was, or it cannot be told. */
  hasStartedAgain(): Promise<boolean>;
  /** A list of the panes of this start is on its way. */
  note(): Promise<void>;
}

/** Noted in a file. It is asked once for each life of the agent: none outlives a start of its machine. */
export function startsNotedIn(host: Pick<Host, 'facts' | 'readFile' | 'writeFile'>, file: string): MachineStarts {
  let known: { readonly now: string; readonly noted: string } | undefined;
  /** What a list has told, the next one of this agent tells no more, also where the file could not be written. */
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
      // A list that could not ask has not told it: the next one does.
      if (isNoted || known === undefined) return;
      isTold = true;
      const { now, noted } = known;
      try {
        if (now !== '' && now !== noted) await host.writeFile(file, `${now}\n`);
        isNoted = true;
      } catch {
        // With the next list, then.
      }
    },
  };
}
