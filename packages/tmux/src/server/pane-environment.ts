/** Sets the environment of new panes of a server. Without this a server keeps the environment of its start, perhaps days ago. */
import type { Chain } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import { type CommandRunner, firstError, linesOf } from '../commands/runner.ts';

const TIMEOUT_MS = 5_000;

/** Makes the global environment exactly these variables; running programs keep theirs. @throws TmuxError `refused`. */
export async function setPaneEnvironment(
  runner: CommandRunner,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = new Set(linesOf(await runner.exec([[['show-environment', '-g']]], { timeoutMs: TIMEOUT_MS })));
  // A line is `NAME=value`; further lines of a value may look like one, and removing a missing variable does no harm.
  const names = new Set([...lines].flatMap((line) => /^([A-Za-z_][A-Za-z0-9_]*)=/u.exec(line)?.[1] ?? []));
  const unwanted = [...names].filter((name) => !Object.hasOwn(wanted, name));
  const others = Object.entries(wanted).filter(
    ([name, value]) => value.includes('\n') || !lines.has(`${name}=${value}`),
  );
  const chains = [
    ...unwanted.map((name): Chain => [['set-environment', '-g', '-u', name]]),
    ...others.map(([name, value]): Chain => [['set-environment', '-g', '--', name, value]]),
  ];
  if (chains.length === 0) return;
  const error = firstError(await runner.exec(chains, { timeoutMs: TIMEOUT_MS }));
  if (error !== undefined) throw new TmuxError('refused', `tmux did not take the environment of new panes: ${error}`);
}
