/** Brings work of other machines here, for a train that is built on this machine. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TrainItem } from '@drover/core';
import { queryResult } from '@drover/protocol';
import { type DepotPlace, findGuest, type ParcelFile, takeGuest } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import { follow } from '../time.ts';
import { depotPlaceOf } from './depot-of.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf } from './worktree-of.ts';

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
    return await carried({ context, place, signal: over.signal, worker, head }, { not, resend: false });
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

interface Carriage {
  readonly context: CommandContext;
  readonly place: DepotPlace;
  readonly signal: AbortSignal;
  readonly worker: string;
  readonly head: string;
}

interface Wanted {
  readonly not: readonly string[];
  readonly resend: boolean;
}

/** Fetches the work; whole if its base is missing here, and once more if it arrives damaged. @throws CommandError */
async function carried(carriage: Carriage, wanted: Wanted): Promise<string | null> {
  const { context, place, worker, head } = carriage;
  const { host, parcels, commandId } = context;
  const file = await fetched(carriage, wanted).catch((error: unknown) => {
    if (!wanted.resend && error instanceof CommandError && error.code === 'parcel-damaged') return null;
    throw error;
  });
  if (file === null) return carried(carriage, { ...wanted, resend: true });
  const arrived = { spool: parcels.spool, id: commandId, sha256Of: host.sha256, file, commit: head };
  const taken = await takeGuest(openPlaceOf(context).git, place, { ...arrived, worker });
  if (taken.kind === 'unpacked') return null;
  if (taken.kind === 'incomplete' && wanted.not.length > 0) return carried(carriage, { ...wanted, not: [] });
  if (taken.kind === 'damaged' && !wanted.resend) return carried(carriage, { ...wanted, resend: true });
  return taken.kind === 'damaged'
    ? `the parcel of them is not sound: ${taken.why}`
    : 'they build on commits that are not in the parcel';
}

async function fetched(
  { context, signal, worker, head: commit }: Carriage,
  { not, resend }: Wanted,
): Promise<ParcelFile> {
  const { host, parcels, commandId: command } = context;
  const ask = { kind: 'work', worker, commit, not: [...not], resend } as const;
  const answer = await parcels.askHome({ command, id: randomUUID(), ask }, signal);
  const result = queryResult.safeParse(answer.result);
  if (!result.success) throw new CommandError('unread', `this build cannot read the answer of "${answer.name}"`);
  if (result.data.kind === 'failed') throw new CommandError(result.data.code, result.data.message);
  if (result.data.kind !== 'packed')
    throw new CommandError('unread', `"${answer.name}" answered "${result.data.kind}" when asked for its work`);
  const { sha256, bytes } = result.data;
  const path = join(parcels.spool, `${command}.guest.${sha256}`);
  try {
    await parcels.fetch({ path, sha256, bytes }, { from: answer.machine, signal });
    return { path, sha256, bytes };
  } catch (error) {
    await host.removeFile(`${path}.part`);
    throw error;
  }
}
