/** Brings work of other machines here, for a train that is built on this machine. */
import type { TrainItem } from '@drover/core';
import { findGuest, takeGuest } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { follow } from '../../time.ts';
import { bring } from './bring.ts';
import { depotPlaceOf } from '../depot-of.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

/**
 * Milliseconds that another machine may take to pack and send one worker's work: as many as can come along fit into the time of the command,
 * and slower work goes by itself.
 */
const GUEST_MS = 60_000;

/** @returns the reason why it does not come, for people; null: the depot has it. @throws errors of this machine. */
export async function bringGuest(context: CommandContext, { worker, at: { head } }: TrainItem): Promise<string | null> {
  const { git } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  const { isHere, not } = await findGuest(git, place, { worker, head });
  if (isHere) return null;
  const over = new AbortController();
  const unfollow = follow(over, context.signal);
  const cancel = context.clock.after(GUEST_MS, () => over.abort(new Error('its time ran out')));
  try {
    return await bring(
      {
        context,
        signal: over.signal,
        commit: head,
        ask: (wanted) => ({ kind: 'work', worker, commit: head, ...wanted }),
        take: (arrived) => takeGuest(git, place, { ...arrived, worker }),
      },
      { not, resend: false },
    );
  } catch (error) {
    context.signal.throwIfAborted();
    if (over.signal.aborted) return `its machine did not send them within ${GUEST_MS / 1_000} s`;
    if (error instanceof CommandError) return error.message;
    throw error;
  } finally {
    cancel();
    unfollow();
  }
}
