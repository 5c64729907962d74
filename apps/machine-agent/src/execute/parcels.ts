/** Sends work from this machine to the archive of another machine, and receives it. */
import { join } from 'node:path';
import { type Query, type QueryResult, TIPS_MAX } from '@drover/protocol';
import {
  checkpointRef,
  newestTips,
  pack,
  packForRun,
  type PackOutcome,
  unpack,
  whyNotReviewed,
} from '@drover/worktree';
import { CommandError } from '../failure.ts';
import { bringProject } from './commands/prepare.ts';
import { depotPlaceOf } from './depot-of.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf } from './worktree-of.ts';

type Of<K extends Query['kind']> = Extract<Query, { kind: K }>;

/** Reads the tips of the archive. A missing archive has none. */
export async function readTips(context: CommandContext): Promise<QueryResult> {
  const { git, archive: repo } = openPlaceOf(context);
  if ((await git.files.stat(repo)) === undefined) return { kind: 'tips', commits: [] };
  return { kind: 'tips', commits: await newestTips(git, { repo, limit: TIPS_MAX }) };
}

/** Packs and sends work. The file is removed once it is there. @throws CommandError with advice. */
export async function sendParcel(context: CommandContext, query: Of<'pack'>): Promise<QueryResult> {
  return sendFrom(context, query, openPlaceOf(context).archive);
}

async function sendFrom(context: CommandContext, query: Of<'pack'>, repo: string): Promise<QueryResult> {
  const { host, parcels, commandId: id } = context;
  const { git } = openPlaceOf(context);
  const { commit, not, maxBytes, resend } = query;
  const request = { repo, refs: [{ name: 'work', commit }], not, spool: parcels.spool, id, maxBytes };
  return sendPacked(context, await pack(git, request, host.sha256), resend);
}

/**
 * Packs and sends the commit that the worker's branch is at, for a train that another machine builds. Work of a worker in a cage stays: the
 * other machine would run its checks by its own rules. @throws CommandError with advice.
 */
export async function sendWork(context: CommandContext, query: Of<'pack'>): Promise<QueryResult> {
  const { cages, settings } = context;
  if (cages.holds(settings))
    throw new CommandError('isolated', `"${settings.name}" is isolated on its machine, where its checks run apart`);
  const { git, worktree, worker } = openPlaceOf(context);
  const why = await whyNotReviewed(git, worktree, { worker, head: query.commit });
  if (why !== undefined) throw new CommandError('work-changed', why);
  return sendFrom(context, query, worktree);
}

/** Packs and sends a commit that this machine keeps for a run. @throws CommandError with advice. */
export async function sendOfRun(context: CommandContext, query: Of<'pack'>): Promise<QueryResult> {
  const { host, parcels, commandId: id } = context;
  const { commit, not, maxBytes, resend } = query;
  const request = { commit, not, spool: parcels.spool, id, maxBytes, sha256Of: host.sha256 };
  return sendPacked(context, await packForRun(openPlaceOf(context).git, depotPlaceOf(context), request), resend);
}

/** Sends a packed file and removes it. @throws CommandError with advice. */
export async function sendPacked(
  { host, parcels, signal }: Pick<CommandContext, 'host' | 'parcels' | 'signal'>,
  packed: PackOutcome,
  resend: boolean,
): Promise<QueryResult> {
  switch (packed.kind) {
    case 'packed': {
      const { path, sha256, bytes } = packed;
      try {
        await parcels.send({ path, sha256, bytes }, { resend, signal });
      } finally {
        await host.removeFile(path);
      }
      return { kind: 'packed', sha256, bytes };
    }
    case 'contained':
      throw new CommandError('parcel-empty', 'The other machine already has it');
    default:
      throw new CommandError(`source-${packed.kind}`, packed.message);
  }
}

/** Fetches and unpacks. From then on the commit is a checkpoint of the worker. @throws CommandError with advice. */
export async function takeParcel(context: CommandContext, query: Of<'unpack'>): Promise<QueryResult> {
  const { host, parcels, commandId: id, signal } = context;
  const { git, archive: repo, worker } = openPlaceOf(context);
  const { from, sha256, bytes, commit, checkpoint } = query;
  const file = join(parcels.spool, `${id}.${sha256}`);
  await bringProject(context);
  try {
    await parcels.fetch({ path: file, sha256, bytes }, { from, signal });
    const refs = [{ name: 'work', commit, into: checkpointRef(worker, checkpoint) }];
    const taken = await unpack(git, { repo, file, sha256, refs, spool: parcels.spool, id }, host.sha256);
    if (taken.kind === 'damaged')
      throw new CommandError('parcel-damaged', `The parcel is damaged: ${taken.why}`, { retry: true });
    return taken.kind === 'unpacked' ? taken : { kind: 'incomplete', missing: taken.missing };
  } finally {
    for (const path of [file, `${file}.part`]) await host.removeFile(path);
  }
}
