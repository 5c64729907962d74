/**
 * Fits a pane to the terminal of a person who works in it, and to its full size when nobody does. tmux itself does this for people who attach
 * with a client of its own, so nothing stays narrow when a client is killed or the machine agent is down. A person who comes through the
 * coordinator has no client: the agent sets and resets that size, and marks the pane.
 */
import { type Chain, type Command, runIf } from '../commands/command.ts';
import { type CommandRunner, firstError, linesOf } from '../commands/runner.ts';
import { TmuxError } from '../errors.ts';
import { isAlive, type PaneAddress } from './incarnation.ts';

/**
 * Option of a pane in which a person without a client works: their size, as the arguments of `resize-window`. The name of the option stays in
 * the command line of the server, which must hold no word that people end programs by (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
 */
const FITTED = '@fitted';
const TIMEOUT_MS = 5_000;

/** Columns and rows. */
export interface PaneSize {
  readonly columns: number;
  readonly rows: number;
}

/** Full size of a session that names no other. Wide, so that programs seldom wrap lines. */
export const FULL_SIZE: PaneSize = { columns: 500, rows: 50 };

/** Least size, however small a terminal is: below 30 columns the agents draw something else, which the screen reader cannot judge. */
const LEAST: PaneSize = { columns: 30, rows: 10 };

/** Follows the client that typed last. */
const FOLLOW = 'set-option -w window-size latest';
/** Resizes each session without a client. `-a` there means the option `default-size`. */
const RELEASES = `#{S:#{?session_attached,,#{W:resize-window -t #{window_id} #{?${FITTED},#{${FITTED}},-a} ; }}}`;
const RELEASE_ALL = `run-shell -C "${RELEASES}"`;
const ENLARGE = [
  `if-shell -F "#{e|<:#{window_width},${LEAST.columns}}" "resize-window -x ${LEAST.columns}"`,
  `if-shell -F "#{e|<:#{window_height},${LEAST.rows}}" "resize-window -y ${LEAST.rows}"`,
].join(' ; ');

/** Makes tmux fit panes to the clients of people; `-q` skips a hook that an older tmux does not know. */
export const FIT_TO_CLIENTS: Chain = [
  ['set-option', '-q', '-g', 'default-size', `${FULL_SIZE.columns}x${FULL_SIZE.rows}`],
  ['set-option', '-q', '-g', 'client-attached', FOLLOW],
  ['set-option', '-q', '-g', 'client-resized', FOLLOW],
  ['set-option', '-q', '-g', 'client-detached', RELEASE_ALL],
  // A person can change to the session of another worker.
  ['set-option', '-q', '-g', 'client-session-changed', `${FOLLOW} ; ${RELEASE_ALL}`],
  ['set-option', '-q', '-g', 'window-resized', ENLARGE],
];

/** Sets the full size of a session's panes. */
export function setFullSize(target: string, { columns, rows }: PaneSize): Command {
  return ['set-option', '-t', target, 'default-size', `${columns}x${rows}`];
}

/** Gives a living pane another size. Leaves a pane of another life, or without one, alone. @throws TmuxError */
export async function fitPane(runner: CommandRunner, pane: PaneAddress, { columns, rows }: PaneSize): Promise<void> {
  const { paneId } = pane;
  const size = ['-x', String(columns), '-y', String(rows)];
  const mark: Command = ['set-option', '-p', '-t', paneId, FITTED, size.join(' ')];
  const resize: Command = ['resize-window', '-t', paneId, ...size];
  const gone: Command = ['display-message', '-p', ''];
  const fit = runIf(paneId, isAlive(pane), { run: [mark, resize], otherwise: [gone] });
  await runner.exec([[fit]], { timeoutMs: TIMEOUT_MS });
}

/**
 * Takes the size of {@link fitPane} from panes: this one, or all of the server. With all of them every pane without a person gets its full
 * size, whatever made it smaller.
 *
 * @throws TmuxError
 */
export async function unfitPanes(runner: CommandRunner, only?: string): Promise<void> {
  const list: Command = ['list-panes', '-a', '-F', `fit|#{pane_id}|#{${FITTED}}`];
  const answer = await runner.exec([[list]], { timeoutMs: TIMEOUT_MS });
  const error = firstError(answer);
  if (error !== undefined) throw new TmuxError('refused', `tmux did not list the sizes of panes: ${error}`);
  const chains = linesOf(answer).flatMap((line): readonly Chain[] => {
    const [, paneId] = /^fit\|(%\d+)\|-x/.exec(line) ?? [];
    if (paneId === undefined || (only !== undefined && paneId !== only)) return [];
    const release = runIf(paneId, '#{session_attached}', {
      run: [['set-option', '-w', '-t', paneId, 'window-size', 'latest']],
      otherwise: [['resize-window', '-a', '-t', paneId]],
    });
    return [[['set-option', '-pu', '-t', paneId, FITTED], release]];
  });
  if (only === undefined) chains.push([['run-shell', '-C', RELEASES]]);
  if (chains.length > 0) await runner.exec(chains, { timeoutMs: TIMEOUT_MS });
}
