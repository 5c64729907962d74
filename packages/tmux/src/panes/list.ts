/** Lists the panes of a server. */
import type { Host } from '@drover/host';
import type { Clock } from '@drover/base';
import type { Command } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import { HUB } from '../server/hub.ts';
import type { FactsFormat, PaneState } from './facts.ts';
import { type CommandRunner, firstError, textOf } from '../commands/runner.ts';

const TIMEOUT_MS = 5_000;
/**
 * Tries before a failure when a line is no pane, or the time is missing. The newest tmux ends a format after 100 ms (`FORMAT_TIME_LIMIT`), and
 * then prints nothing.
 */
const TRIES = 3;

export interface PaneList {
  /** The server's clock in epoch seconds, read just before the panes were listed. */
  readonly second: number;
  /** Panes, dead ones included, without the hub's. */
  readonly panes: readonly PaneState[];
}

/** Parts of its server that listing uses, and a listener for its time. */
export interface ListTools {
  readonly runner: CommandRunner;
  readonly facts: FactsFormat;
  readonly clock: Pick<Clock, 'now'>;
  readonly host: Pick<Host, 'noteTime'>;
}

/**
 * @param only A single pane to list; a fraction of the cost of all.
 * @throws TmuxError as {@link CommandRunner}; `refused` when tmux gives no readable list: a pane that is missing in a list counts as gone.
 */
export async function listPanes({ runner, facts, clock, host }: ListTools, only?: string): Promise<PaneList> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const before = clock.now();
    const list = await listOnce(runner, facts, only);
    if (list === undefined) continue;
    host.noteTime({ second: list.second, before, after: clock.now() });
    return list;
  }
  throw new TmuxError('refused', `tmux listed its panes ${TRIES} times with an invalid line, or without the time`);
}

async function listOnce(runner: CommandRunner, facts: FactsFormat, only?: string): Promise<PaneList | undefined> {
  const filter = only === undefined ? [] : ['-f', `#{==:#{pane_id},${only}}`];
  const list: Command = ['list-panes', '-a', ...filter, '-F', facts.format];
  const answer = await runner.exec([[['display-message', '-p', '%s']], [list]], { timeoutMs: TIMEOUT_MS });
  const [clock, listed] = answer;
  if (clock?.ok !== true || listed?.ok !== true) {
    throw new TmuxError('refused', `tmux did not list its panes: ${firstError(answer)}`);
  }
  const found = facts.readList(listed.body);
  const second = secondOf(textOf(clock));
  // A server always has a pane: the hub's.
  const isEmpty = only === undefined && found?.length === 0;
  if (found === undefined || isEmpty || second === undefined) return undefined;
  const panes = new Map<string, PaneState>();
  for (const pane of found) {
    const { paneId } = pane.incarnation;
    // A person's grouped session shows the same pane again, without a worker's options.
    const isBetter = !panes.has(paneId) || Object.keys(pane.options).length > 0;
    if (pane.sessionName !== HUB && isBetter) panes.set(paneId, pane);
  }
  return { second, panes: [...panes.values()] };
}

/** Parses strictly: an empty answer would pass for 1970, and a hundred digits for a time beyond all dates. */
function secondOf(text: string): number | undefined {
  return /^\d{1,12}$/u.test(text) ? Number(text) : undefined;
}
