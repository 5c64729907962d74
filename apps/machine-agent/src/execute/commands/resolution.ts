/** Judges the resolution of conflicts after the agent has stopped. */
import type { Command, CommandResult } from '@drover/core';
import { baseRef, judgeResolution, resolutionWords } from '@drover/worktree';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf } from '../worktree-of.ts';

export const RESOLUTION = {
  resolution: { ...HEAVY, carryOut: resolution },
} satisfies KnownCommands;

/** Judges by git, and describes in words what is wrong. Reads only. */
async function resolution(
  context: CommandContext,
  { onto, orig, beyond }: Extract<Command, { kind: 'resolution' }>,
): Promise<CommandResult> {
  const { git, worktree, worker, branch, defaultBranch } = placeOf(context);
  const newest = baseRef(defaultBranch);
  // Unknown commits default to the newest default branch, and to the branch itself.
  const request = { worktree, worker, onto: onto || newest, orig: orig || branch, newest, branch, beyond };
  const found = await judgeResolution(git, request);
  const { why, prompt, notes } = await resolutionWords(git, request, found);
  const head = 'head' in found ? (found.head ?? '') : '';
  return { kind: 'judged', verdict: found.kind, head, why, prompt, notes };
}
