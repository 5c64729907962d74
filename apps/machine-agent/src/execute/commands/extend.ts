/** Builds the accepted work of other workers on a candidate, beside their worktrees. */
import type { Command, CommandResult } from '@drover/core';
import { extendChain } from '@drover/worktree';
import { bringGuest } from '../bring/guests.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

export const EXTEND = {
  extend: { ...HEAVY, needs: 'source', carryOut: extend },
} satisfies KnownCommands;

/** Reads only the branches of the other workers; work of other machines comes first. Safe to repeat. */
async function extend(context: CommandContext, { onto, items }: Command<'extend'>): Promise<CommandResult> {
  // Files that checks leave behind must not reach the checks of an isolated worker.
  if (context.cages.holds(context.settings)) {
    const left = items.map(({ worker }) => ({ worker, why: 'isolated', detail: '' }) as const);
    return { kind: 'extended', onto, links: [], left };
  }
  const { git, root, archive, depot } = openPlaceOf(context);
  const found = [];
  for (const { elsewhere = false, ...item } of items) {
    const guest = elsewhere ? { guest: { away: await bringGuest(context, item) } } : {};
    found.push({ ...item, ...guest });
  }
  const { links, left } = await extendChain(git, depot, { onto, root, archive, items: found });
  return { kind: 'extended', onto, links, left };
}
