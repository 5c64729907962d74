/** Makes a worker's place ready for its agent, by the commands of the project. */
import type { CommandResult } from '@drover/core';
import { validate } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { worktreeOf } from '../worktree-of.ts';
import { gitOfWorker, lastOf } from '../commands/validate.ts';
import { placeSetupOf } from './trust.ts';

export const SET_UP = {
  'set-up': { ...HEAVY, needs: 'source-and-set-up', carryOut: setUp },
} satisfies KnownCommands;

/** Lines, and characters, of an output that people see. */
const SAID_LINES = 12;
const SAID_CHARS_MAX = 1_500;

/** Runs the commands as the checks of the worker run: in its place, and in its cage if it has one. Safe to repeat if the commands are. @throws CommandError `setup-failed`. */
async function setUp(context: CommandContext): Promise<CommandResult> {
  const { commands, trusting, timeoutMs } = await placeSetupOf(context);
  const worktree = worktreeOf(context.settings);
  const git = gitOfWorker(context, await context.cages.wordsFor(context.settings));
  const ran = await validate(git, { worktree, commands, timeoutMs });
  const { command, output } = lastOf(context, ran);
  const lines = lastLines(output);
  const said = lines === '' ? 'printed nothing' : `said:\n"${lines}"`;
  if (ran.kind === 'passed') return { kind: 'set-up', said: `${quoteCommands(commands)} ${said}` };
  const last = ran.results.at(-1);
  const how = last?.timedOut === true || last?.status == null ? '' : ` with exit status ${last.status}`;
  const whose = ran.results.length <= trusting ? '' : ' of [repo.worker] setup in drover.toml';
  const what = `"${command}"${whose} failed${how} in "${worktree}"`;
  const advice = 'Correct it and try again, or start the worker without it.';
  throw new CommandError('setup-failed', `${what}.\nIt ${said}.\n${advice}`);
}

function quoteCommands(commands: readonly (readonly string[])[]): string {
  return commands.map((words) => `"${words.join(' ')}"`).join(', ');
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-SAID_LINES).join('\n').slice(-SAID_CHARS_MAX);
}
