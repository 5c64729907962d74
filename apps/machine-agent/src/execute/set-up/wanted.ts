/** Tells the coordinator which set-up a worker's place needs before its agent goes on. */
import { createHash } from 'node:crypto';
import type { SetUpWanted } from '@drover/core';
import { describeLockFiles } from '@drover/worktree';
import { placeSetupOf } from './trust.ts';
import { type PlaceContext, placeOf } from '../worktree-of.ts';

/** Names the set-up by a digest of its commands and lock files. Undefined: there are no commands. @param fresh The place is new. */
export async function setUpOf(context: PlaceContext, fresh: boolean): Promise<SetUpWanted | undefined> {
  const { commands } = await placeSetupOf(context);
  if (commands.length === 0) return undefined;
  const { git, worktree } = placeOf(context);
  const said = JSON.stringify([commands, await describeLockFiles(git, worktree)]);
  return { key: createHash('sha256').update(said).digest('hex'), fresh };
}
