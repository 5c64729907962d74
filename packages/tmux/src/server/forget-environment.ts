/** What of a server's environment do new panes inherit no more? A server keeps that of its start, perhaps days ago. */
import type { Chain } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import { type CommandRunner, firstError, linesOf } from '../commands/runner.ts';

const TIMEOUT_MS = 5_000;

/** Takes variables out of the global environment; programs that run keep theirs. @throws TmuxError `refused`. */
export async function forgetEnvironment(
  runner: CommandRunner,
  isUnwanted: (variable: string) => boolean,
): Promise<void> {
  const answer = await runner.exec([[['show-environment', '-g']]], { timeoutMs: TIMEOUT_MS });
  // A line is `NAME=value`; further lines of a value may look like one, and taking away what is not there does no harm.
  const names = linesOf(answer).flatMap((line) => /^([A-Za-z_][A-Za-z0-9_]*)=/u.exec(line)?.[1] ?? []);
  const unwanted = [...new Set(names)].filter((name) => isUnwanted(name));
  if (unwanted.length === 0) return;
  const chains = unwanted.map((name): Chain => [['set-environment', '-g', '-u', name]]);
  const error = firstError(await runner.exec(chains, { timeoutMs: TIMEOUT_MS }));
  if (error !== undefined) throw new TmuxError('refused', `tmux did not forget its environment: ${error}`);
}
