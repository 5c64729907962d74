/** Reads a worker's current facts: its pane, its worktree, and the fate of a delivery. */
import type { GitFacts, Reading, Command, CommandResult } from '@drover/core';
import {
  baseRef,
  GitError,
  keepBranch,
  readAstray,
  readSigning,
  readWorktree as factsOfWorktree,
} from '@drover/worktree';
import { evidenceOf } from '../../deliver/evidence.ts';
import { readResultFile, resultsOf } from '../../signals/results.ts';
import { QUICK, type KnownCommands } from '../known.ts';
import type { DeliveryContext, CommandContext } from '../tools.ts';
import { placeOf } from '../worktree-of.ts';

export const CHECK = {
  observe: { ...QUICK, carryOut: checkWorker },
} satisfies KnownCommands;

type CheckCommand = Extract<Command, { kind: 'observe' }>;

/** Reads at most: an agent that commits all the time is judged by the last read. */
const READ_AGAIN_MAX = 3;

/** Answers `observed` with whatever can be seen. @throws TmuxError, GitError when neither yes nor no can be said. */
async function checkWorker(context: CommandContext, command: CheckCommand): Promise<CommandResult> {
  const found = await checkWorkerWith(context, command, () => gitFacts(context, command.base));
  const { host, machineDir, settings, redactor, usage } = context;
  const { owed } = command;
  if (found.kind !== 'observed') return found;
  // Before the turn is judged: what it used counts before what follows it.
  if (command.delivery === null) await usage.tell(settings);
  if (owed === undefined) return found;
  const reading = { owed, redactor, offsetMs: host.clockOffsetMs() };
  return { ...found, result: await readResultFile(host, resultsOf(machineDir, settings.workerId), reading) };
}

/** Checks a worker with facts of git from elsewhere; null when there is no worktree. */
export async function checkWorkerWith(
  context: DeliveryContext,
  command: CheckCommand,
  readGit: () => Promise<GitFacts | null>,
): Promise<CommandResult> {
  const delivery =
    command.delivery === null
      ? null
      : await evidenceOf(context, { seq: command.delivery, textId: command.textId }, () => seePane(context));
  let git = await readGit();
  // The screen last: it must not be older than the facts that are judged with it. The facts must not be older than the end of the turn on the
  // screen: commits between the two are read again.
  let pane = await seePane(context);
  for (let again = 0; again < READ_AGAIN_MAX && pane?.reading.state.kind === 'ready'; again += 1) {
    const now = await readGit();
    if (now?.head === git?.head && now?.ahead === git?.ahead) break;
    git = now;
    pane = await seePane(context);
  }
  return {
    kind: 'observed',
    incarnation: pane?.incarnation ?? null,
    screen: pane?.reading ?? null,
    git,
    delivery,
  };
}

async function seePane({
  panes,
  settings,
  profiles,
}: DeliveryContext): Promise<{ incarnation: string; reading: Reading } | null> {
  const pane = await panes.of(settings.workerId);
  const seen = await pane?.seeWhole(profiles.of(settings).profile);
  return pane === undefined || seen == null ? null : { incarnation: pane.incarnation, reading: seen.reading };
}

/** @returns null when there is no worktree. */
async function gitFacts(context: CommandContext, base: string | null): Promise<GitFacts | null> {
  const { git, worktree, archive, worker, branch, defaultBranch } = placeOf(context);
  try {
    const facts = await factsOfWorktree(git, { path: worktree, base: base ?? baseRef(defaultBranch) });
    // Commits that people may hear of are kept before anything can happen to the directory.
    if (facts.branch === branch) await keepBranch(git, archive, { from: worktree, worker, tip: facts.head });
    const astray = await readAstray(git, { path: worktree, branch, facts });
    return {
      head: facts.head,
      ahead: facts.ahead,
      dirty: facts.changeCount,
      subject: facts.subject,
      rebasing: facts.rebase !== undefined,
      unmerged: facts.unmerged.length,
      ...(astray !== undefined && { astray }),
      ...(facts.changeCount > 0 && { signs: await readSigning(git, worktree) }),
    };
  } catch (error) {
    if (error instanceof GitError && (error.code === 'missing' || error.code === 'not-a-repository')) return null;
    throw error;
  }
}
