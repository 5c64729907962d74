/**
 * A pane gets the size of a person's terminal for as long as this person works in it. The size of before stays in an option of the pane,
 * so that a driver that was killed meanwhile finds it.
 */
import { type Command, runIf } from '../commands/command.ts';
import { type CommandRunner, firstError, linesOf } from '../commands/runner.ts';
import { TmuxError } from '../errors.ts';
import { isAlive, type PaneAddress } from './incarnation.ts';

/** The option that keeps the size of before, as `500x50`. */
const SIZE_OPTION = '@drover_size';
const TIMEOUT_MS = 5_000;

/** Columns and rows. */
export interface PaneSize {
  readonly columns: number;
  readonly rows: number;
}

/** Gives a living pane another size. Nothing happens to a pane of another life, or without one. @throws TmuxError */
export async function fitPane(runner: CommandRunner, pane: PaneAddress, { columns, rows }: PaneSize): Promise<void> {
  const { paneId } = pane;
  const keep: Command = ['set-option', '-poqF', '-t', paneId, SIZE_OPTION, '#{window_width}x#{window_height}'];
  const gone: Command = ['display-message', '-p', ''];
  const fit = runIf(paneId, isAlive(pane), { run: [keep, resize(paneId, columns, rows)], otherwise: [gone] });
  await runner.exec([[fit]], { timeoutMs: TIMEOUT_MS });
}

/** Gives panes the size back that they had: this one, or all of the server. @throws TmuxError */
export async function unfitPanes(runner: CommandRunner, only?: string): Promise<void> {
  const list: Command = ['list-panes', '-a', '-F', `fit|#{pane_id}|#{${SIZE_OPTION}}`];
  const answer = await runner.exec([[list]], { timeoutMs: TIMEOUT_MS });
  const error = firstError(answer);
  if (error !== undefined) throw new TmuxError('refused', `tmux did not list the sizes of panes: ${error}`);
  const chains = linesOf(answer).flatMap((line) => {
    const [, paneId, columns, rows] = /^fit\|(%\d+)\|(\d{1,4})x(\d{1,4})$/.exec(line) ?? [];
    if (paneId === undefined || (only !== undefined && paneId !== only)) return [];
    return [[resize(paneId, Number(columns), Number(rows)), ['set-option', '-pu', '-t', paneId, SIZE_OPTION] as const]];
  });
  if (chains.length > 0) await runner.exec(chains, { timeoutMs: TIMEOUT_MS });
}

function resize(paneId: string, columns: number, rows: number): Command {
  return ['resize-window', '-t', paneId, '-x', String(columns), '-y', String(rows)];
}
