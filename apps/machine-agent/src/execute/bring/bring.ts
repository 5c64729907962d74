/** Brings a commit from another machine into the depot of the project here, as a parcel, within a command. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type HomeRequest, queryResult } from '@drover/protocol';
import type { Arrived, ParcelFile, UnpackOutcome } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import type { CommandContext } from '../tools.ts';

/** Part of a question that changes from one try to the next. */
export interface Wanted {
  /** Commits that the parcel may leave out. */
  readonly not: readonly string[];
  readonly resend: boolean;
}

/** A commit of another machine. */
export interface Bringing {
  readonly context: CommandContext;
  readonly signal: AbortSignal;
  readonly commit: string;
  readonly ask: (wanted: { not: string[]; resend: boolean }) => HomeRequest['ask'];
  /** Takes the file into the depot, and removes it. */
  readonly take: (arrived: Arrived) => Promise<UnpackOutcome>;
}

/**
 * Brings the commit; whole if its base is missing here, and once more if it arrives damaged.
 *
 * @returns the reason why it does not come, for people; null: the depot has it. @throws CommandError
 */
export async function bring(bringing: Bringing, wanted: Wanted): Promise<string | null> {
  const { context, commit, take } = bringing;
  const { host, parcels, commandId } = context;
  const file = await fetched(bringing, wanted).catch((error: unknown) => {
    if (!wanted.resend && error instanceof CommandError && error.code === 'parcel-damaged') return null;
    throw error;
  });
  if (file === null) return bring(bringing, { ...wanted, resend: true });
  const taken = await take({ spool: parcels.spool, id: commandId, sha256Of: host.sha256, file, commit });
  if (taken.kind === 'unpacked') return null;
  if (taken.kind === 'incomplete' && wanted.not.length > 0) return bring(bringing, { ...wanted, not: [] });
  if (taken.kind === 'damaged' && !wanted.resend) return bring(bringing, { ...wanted, resend: true });
  return taken.kind === 'damaged'
    ? `the parcel of them is not sound: ${taken.why}`
    : 'they build on commits that are not in the parcel';
}

async function fetched({ context, signal, ask }: Bringing, { not, resend }: Wanted): Promise<ParcelFile> {
  const { host, parcels, commandId: command } = context;
  const answer = await parcels.askHome({ command, id: randomUUID(), ask: ask({ not: [...not], resend }) }, signal);
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
