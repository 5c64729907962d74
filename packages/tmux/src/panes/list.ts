/** Which panes does a server have? */
import type { Command } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import { HUB } from '../server/hub.ts';
import type { FactsFormat, PaneState } from './facts.ts';
import { type CommandRunner, firstError, textOf } from '../commands/runner.ts';

const TIMEOUT_MS = 5_000;

/** All panes of a server at one moment. */
export interface PaneList {
  /** The server's clock in epoch seconds, read just before the panes were listed. */
  readonly second: number;
  /** Dead ones included, the hub's not. */
  readonly panes: readonly PaneState[];
}

/**
 * @param only The one pane that is asked for; a fraction of the cost of all.
 * @throws TmuxError as {@link CommandRunner}; `refused` when tmux gives no list.
 */
export async function listPanes(runner: CommandRunner, facts: FactsFormat, only?: string): Promise<PaneList> {
  const filter = only === undefined ? [] : ['-f', `#{==:#{pane_id},${only}}`];
  const list: Command = ['list-panes', '-a', ...filter, '-F', facts.format];
  const answer = await runner.exec([[['display-message', '-p', '%s']], [list]], { timeoutMs: TIMEOUT_MS });
  const [clock, listed] = answer;
  if (clock?.ok !== true || listed?.ok !== true) {
    throw new TmuxError('refused', `tmux did not list its panes: ${firstError(answer)}`);
  }
  const panes = new Map<string, PaneState>();
  for (const pane of facts.read(listed.body)) {
    const { paneId } = pane.incarnation;
    // A person's grouped session shows the same pane again, without a worker's options.
    const isBetter = !panes.has(paneId) || Object.keys(pane.options).length > 0;
    if (pane.sessionName !== HUB && isBetter) panes.set(paneId, pane);
  }
  return { second: Number(textOf(clock)), panes: [...panes.values()] };
}
