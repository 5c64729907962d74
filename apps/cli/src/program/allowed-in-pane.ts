/** Refuses a worker, in its own pane, every command but those that show the worker itself. */
import type { CommandName } from '../commands/index.ts';
import { CommandError } from '../exit-codes.ts';
import type { WorkerPane } from '../worker-pane.ts';

/** Commands that a worker may call: it sees itself, gives the result of its own task, speaks with agents of its run, and asks people. */
const ALLOWED: ReadonlySet<CommandName> = new Set([
  'status',
  'why',
  'hook',
  'result',
  'tell',
  'ask',
  'mcp',
  'help exit-codes',
  'help environment',
  'help formatting',
  'help limits',
]);

/** @throws {CommandError} `unauthorized` for a command that a worker may not call. */
export function refuseInPane(pane: WorkerPane | null, command: CommandName): void {
  if (pane === null || ALLOWED.has(command)) return;
  throw new CommandError(
    'unauthorized',
    `"drover ${command}" is refused in the pane of the worker "${pane.worker}": neither a worker nor a person in its pane may control the fleet. Run the command in a terminal of your own, outside of the pane. A worker may run "drover status" and "drover why ${pane.worker}"`,
  );
}
