// Checks the promises about machines that start again: losses by a restart are reported as that, and nothing else is.
import type { WorkerRow } from '@drover/store';
import type { EventRecord } from '@drover/store/testing';
import { count, makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';

const PROMISED = {
  told: 'a start is noted only after a list of panes has told it',
  before: 'a session that is said to have gone with its machine had begun before that restart',
} as const;

/** Watches one schedule. */
export class RestartChecks {
  readonly #tally: Tally;
  /** The number of a machine's tmux server after its last restart, by the machine's number. */
  readonly #servers = new Map<number, number>();
  /** The programs of the rows that had one before the last commit, and have none now, by worker. */
  readonly #lost = new Map<string, string>();
  readonly #check: Check<typeof PROMISED>;

  constructor({ tally }: { readonly tally: Tally }) {
    this.#tally = tally;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  restarted(machine: number, server: number): void {
    this.#servers.set(machine, server);
  }

  noted(machine: string, hasSaid: boolean): void {
    this.#check('told', hasSaid, `${machine}: its start is noted, and no list has told it`);
  }

  /** A row was written. */
  checkRow({ id, state }: WorkerRow, before: WorkerRow | undefined): void {
    this.#lost.delete(id);
    const was = before?.state.session.pane;
    if (was !== undefined && was.kind !== 'absent' && state.session.pane.kind === 'absent')
      this.#lost.set(id, was.incarnation);
  }

  /** A decision was stored, after its row was looked at. */
  checkEvent({ event, workerId, workerName }: Pick<EventRecord, 'event' | 'workerId' | 'workerName'>): void {
    if (event.kind !== 'panes-listed' || event.hasRestarted !== true) return;
    const incarnation = this.#lost.get(workerId);
    if (incarnation === undefined) return;
    count(this.#tally.faults, 'note: a session is gone with its machine');
    const [machine = 0, server = 0] = incarnation.split('.').map(Number);
    const isBefore = server < (this.#servers.get(machine) ?? 0);
    this.#check('before', isBefore, `${workerName}: ${incarnation} is told as gone with a restart that was before it`);
  }
}
