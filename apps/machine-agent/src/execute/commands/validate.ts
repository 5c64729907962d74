/** Runs the project's checks on a candidate: in the worker's worktree where that has the same files, else in a landing worktree. */
import { MADE_WAY } from '@drover/core';
import type { Command, CommandResult, Pin, Success } from '@drover/core';
import { checkPinned, copyFiles, GitError, type Git, pinHead, validate, withLanding } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { gitFor } from '../../host/git-for.ts';
import { checkThere } from '../checks/elsewhere.ts';
import { checksOf, digestOf, type RequiredChecks } from '../checks/required.ts';
import { depotPlaceOf, landingNameOf } from '../depot-of.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { inView, openPlaceOf, placeOf } from '../worktree-of.ts';
import { listPaths } from './dirty.ts';

export const VALIDATE = {
  validate: { ...HEAVY, needs: 'source-and-checks', carryOut: validateWork },
} satisfies KnownCommands;

type Validated = Awaited<ReturnType<typeof validate>>;
type Validation = Success<'validate'>;

/** Checks exactly this commit, which must be there, unchanged, when the checks have run. Safe to repeat. */
async function validateWork(context: CommandContext, { at, on }: Command<'validate'>): Promise<CommandResult> {
  if (on !== undefined) return checkThere(context, { at, on });
  const checks = await checksOf(context);
  const own = checks.commands.length === 0 ? null : await whereItIs(context, at);
  if (own === null) return checkInLanding(context, { at, checks });
  return checkInWorktree(context, { at, checks, own });
}

function valid({ head, tree }: Pin, checks: RequiredChecks): Validation {
  return { kind: 'valid', head, tree: tree ?? '', checks: digestOf(checks) };
}

/** Commit with its tree. */
type Whole = { readonly head: string; readonly tree: string };

/** Commit of the worker's branch if its worktree is clean and has this tree; else null: the worktree is no place for these checks. */
async function whereItIs(context: CommandContext, { tree }: Pin): Promise<Whole | null> {
  const { git, worktree, worker } = placeOf(context);
  try {
    const pin = await pinHead(git, worktree);
    if (pin.tree !== tree) return null;
    const found = await checkPinned(git, { worktree, worker, pin });
    return found.kind === 'there' && found.changes.length === 0 ? pin : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

interface Asked {
  readonly at: Pin;
  readonly checks: RequiredChecks;
}

async function checkInWorktree(
  context: CommandContext,
  { at, checks, own }: Asked & { readonly own: Whole },
): Promise<CommandResult> {
  const { git, worktree, worker } = placeOf(context);
  const words = await context.cages.wordsFor(context.settings);
  const { timeoutMs } = checks;
  const validated = await againIfLate(checks.commands, (commands) =>
    validate(gitOfWorker(context, words), { worktree, commands, timeoutMs }),
  );
  if (validated.kind !== 'passed') return invalid(context, validated, '');
  const after = await checkPinned(git, { worktree, worker, pin: own });
  if (after.kind === 'changed') return { ...after, why: `while its checks ran, ${after.why}` };
  return after.changes.length > 0 ? changedByChecks(own.head, after.changes) : valid(at, checks);
}

/**
 * Runs the checks beside all workers. Without checks of the project nothing runs. Checks that Drover runs by itself make way for checks of
 * accepted work, which need the same place; a set-up that is under way is not interrupted.
 *
 * @throws {CommandError} `MADE_WAY`, `check-program-missing`.
 */
export async function checkInLanding(context: CommandContext, { at, checks }: Asked): Promise<Validation> {
  if (checks.commands.length === 0) return valid(at, checks);
  const { git, archive, source, defaultBranch } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  const name = landingNameOf(context.cages, context.settings);
  const patterns = context.settings.project.copyFiles;
  const run = async (where: string, commands: RequiredChecks['commands'], wanted?: AbortSignal): Promise<Validated> => {
    const words = await context.cages.wordsForLanding(context.settings, { place, name });
    const signal = wanted === undefined ? context.signal : AbortSignal.any([context.signal, wanted]);
    try {
      const worker = gitOfWorker({ ...context, signal }, words);
      return await validate(worker, { worktree: where, commands, timeoutMs: checks.timeoutMs });
    } catch (error) {
      if (wanted?.aborted !== true || context.signal.aborted) throw error;
      throw new CommandError(MADE_WAY, 'checks of accepted work come first: its own checks run again after them', {
        retry: true,
        cause: error,
      });
    }
  };
  const outcome = await withLanding(git, place, {
    name,
    commit: at.head,
    archive,
    isFirst: context.isAsked,
    setUp: {
      key: JSON.stringify([checks.setup, patterns]),
      run: async (where) => {
        await copyFiles(git, { source, worktree: where, patterns });
        const set = await run(where, checks.setup);
        if (set.kind !== 'passed') throw setUpFailed(context, set, where);
      },
    },
    act: async (where, wanted) => ({
      where,
      validated: await againIfLate(checks.commands, (commands) => run(where, commands, wanted)),
    }),
  });
  const { where, validated } = outcome.value;
  if (validated.kind !== 'passed') {
    const said = `The checks ran on the work merged with the newest "${defaultBranch}", in "${where}".`;
    const hint = `That is a checkout of its own. Install what the checks need, such as packages, with "setup" of [repo] in drover.toml.`;
    return invalid(context, validated, checks.setup.length === 0 ? `${said} ${hint}\n` : `${said}\n`);
  }
  return outcome.kind === 'changed' ? changedByChecks(at.head, outcome.files) : valid(at, checks);
}

/** Runs the checks, and retries a check that does not end in time: a machine may be busy once, and the work is not blamed for that. */
async function againIfLate(
  commands: RequiredChecks['commands'],
  run: (commands: RequiredChecks['commands']) => Promise<Validated>,
): Promise<Validated> {
  const first = await run(commands);
  const isLate = first.kind === 'failed' && first.results.at(-1)?.timedOut === true;
  return isLate ? run(commands.slice(first.results.length - 1)) : first;
}

/** Git that runs the worker's own code: within its cage if it has one, and with its rights at the coordinator, which are none. */
export function gitOfWorker({ host, settings, signal }: CommandContext, words: readonly string[]): Git {
  const own = Object.entries(settings.env).map(([name, value]) => `${name}=${value}`);
  const marked = [...words, 'env', ...own, `DROVER_WORKER=${settings.name}`];
  return gitFor(
    inView(host, () => Promise.resolve(marked)),
    settings,
    signal,
  );
}

/** @throws {CommandError} `check-program-missing`. */
function invalid(context: CommandContext, validated: Validated, where: string): Validation {
  if (validated.kind === 'program-missing') {
    const message = `The check "${validated.results.at(-1)?.command ?? ''}" cannot run: there is no program "${validated.program}" on this machine. Install it there, or correct "validate" of [repo] in drover.toml; the work is not at fault`;
    throw new CommandError('check-program-missing', message);
  }
  const { command, output } = lastOf(context, validated);
  return { kind: 'invalid', command, output: `${where}${output}` };
}

/** Finds the last command that ran, with its output without secrets. */
export function lastOf({ redactor }: CommandContext, { results }: Validated): { command: string; output: string } {
  const last = results.at(-1);
  const how = last?.timedOut === true ? 'It did not end in time.\n' : '';
  const { command = '', output = '', cut = false } = last ?? {};
  return { command, output: `${how}${redactor.cutText(output, { start: cut, end: cut })}` };
}

function setUpFailed(context: CommandContext, validated: Validated, where: string): CommandError {
  const { command, output } = lastOf(context, validated);
  const message = `"${command}" of [repo] setup failed in "${where}", so nothing can be checked there: ${output.slice(-SAID_CHARS_MAX)}`;
  return new CommandError('setup-failed', message);
}

/** Characters of an output in a message: its last lines. */
const SAID_CHARS_MAX = 2_000;

function changedByChecks(head: string, files: readonly { readonly path: string }[]): Validation {
  const why = `while its checks ran, files changed (${listPaths(files)}): undo them, and keep the checks from changing them or ignore them in git`;
  return { kind: 'changed', head, why };
}
