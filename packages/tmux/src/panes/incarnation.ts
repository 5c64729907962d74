/** Identifies one life of one pane. Pane ids and pids return; together with the server they do not. */
import { TmuxError } from '../errors.ts';

/** Addresses one life of one pane. */
export interface PaneAddress {
  /** Process id of the tmux server. */
  readonly serverPid: number;
  /** Start of that server, epoch seconds. */
  readonly serverStart: number;
  /** Id such as `%12`; unique within the life of its server. */
  readonly paneId: string;
  /** Process id of the program in the pane. */
  readonly panePid: number;
}

/** Life of a worker's pane. */
export interface Incarnation extends PaneAddress {
  /** Creation time of its session, epoch seconds. */
  readonly sessionCreated: number;
}

/** Option of a pane that keeps the process id of its program. When the program ends, tmux 3.8 forgets the id, and so which life ended. */
export const PID_OPTION = '@drover_pane_pid';

/** Format of tmux: the process id of the pane's program, whether or not it has ended. */
export const PANE_PID = `#{?pane_pid,#{pane_pid},#{${PID_OPTION}}}`;

/** `<serverPid>.<serverStart>.<paneId>.<panePid>`, for example `812.1700000000.%3.9120`. */
export function formatIncarnation(pane: PaneAddress): string {
  return `${pane.serverPid}.${pane.serverStart}.${pane.paneId}.${pane.panePid}`;
}

/** Tells whether both address the same life. */
export function areSameIncarnation(one: PaneAddress, other: PaneAddress): boolean {
  return (
    one.paneId === other.paneId &&
    one.panePid === other.panePid &&
    one.serverPid === other.serverPid &&
    one.serverStart === other.serverStart
  );
}

/** @throws TmuxError `refused` when the text is not of the form that {@link formatIncarnation} writes. */
export function parseIncarnation(text: string): PaneAddress {
  const match = /^(\d+)\.(\d+)\.(%\d+)\.(\d+)$/.exec(text);
  if (match === null) {
    const form = '<serverPid>.<serverStart>.<paneId>.<panePid>';
    throw new TmuxError('refused', `"${text}" names no pane: expected ${form}`);
  }
  const [, serverPid, serverStart, paneId = '', panePid] = match;
  return {
    serverPid: Number(serverPid),
    serverStart: Number(serverStart),
    paneId,
    panePid: Number(panePid),
  };
}

/** Format of tmux that is true while this very life holds the pane, whether or not it is dead. */
export function isSameIncarnation(pane: PaneAddress): string {
  return `#{==:#{pid}.#{start_time}.#{pane_id}.${PANE_PID},${formatIncarnation(pane)}}`;
}

/** Format of tmux that is true while this very life holds the pane and has not ended. */
export function isAlive(pane: PaneAddress): string {
  return `#{&&:${isSameIncarnation(pane)},#{==:#{pane_dead},0}}`;
}
