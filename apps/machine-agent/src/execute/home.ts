/** Serves other machines where this one has the repository of a project. */
import { join } from 'node:path';
import type { Query, QueryResult } from '@drover/protocol';
import { hasAtHome, keepAtHome, packHome, publishHome, readHome, settleHome } from '@drover/worktree';
import { sourcePlaceOf } from './depot-of.ts';
import { follow } from './base/follow.ts';
import { sendPacked } from './parcels.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf } from './worktree-of.ts';

/** Tells the commit of main, on the machine with the repository. */
export async function tellMain(context: CommandContext): Promise<QueryResult> {
  await follow(context);
  const { commit, format, identity } = await readHome(openPlaceOf(context).git, sourcePlaceOf(context));
  return { kind: 'main', commit, format: format === 'sha256' ? 'sha256' : 'sha1', identity };
}

/** Packs and sends a commit of main. @throws CommandError with advice. */
export async function sendMain(context: CommandContext, query: Extract<Query, { kind: 'pack' }>): Promise<QueryResult> {
  const { host, parcels, commandId: id } = context;
  const { commit, not, maxBytes, resend } = query;
  const request = { commit, not, spool: parcels.spool, id, maxBytes, sha256Of: host.sha256 };
  return sendPacked(context, await packHome(openPlaceOf(context).git, sourcePlaceOf(context), request), resend);
}

/** Fetches the parcel of another machine and moves main to its commit. @throws CommandError with advice. */
export async function publishFor(
  context: CommandContext,
  { from, sha256, bytes, worker, base, commit }: Extract<Query, { kind: 'publish-for' }>,
): Promise<QueryResult> {
  const { host, parcels, commandId: id, signal } = context;
  const path = join(parcels.spool, `${id}.${sha256}`);
  try {
    await parcels.fetch({ path, sha256, bytes }, { from, signal });
    const file = { path, sha256, bytes };
    const request = { worker, base, commit };
    const work = { file, request, spool: parcels.spool, id, sha256Of: host.sha256 };
    const outcome = await publishHome(openPlaceOf(context).git, sourcePlaceOf(context), work);
    if (outcome.kind === 'published' && outcome.checkout.kind === 'left')
      context.log('warn', `Merged, but changed files in "${outcome.checkout.path}" were left as they were`);
    if (outcome.kind === 'lacking') return { kind: 'publish-ended', outcome: { kind: 'refused', words: outcome.why } };
    if (outcome.kind !== 'moved') return { kind: 'publish-ended', outcome };
    return { kind: 'publish-ended', outcome: { kind: 'moved', now: outcome.now ?? null } };
  } finally {
    for (const left of [path, `${path}.part`]) await host.removeFile(left);
  }
}

/** Fetches content from another machine, unless it is here, and keeps it for the repository. @throws CommandError with advice. */
export async function keepContentFor(
  context: CommandContext,
  { from, sha256, bytes }: Extract<Query, { kind: 'keep-content' }>,
): Promise<QueryResult> {
  const { host, parcels, commandId: id, signal } = context;
  const { git } = openPlaceOf(context);
  const place = sourcePlaceOf(context);
  if (await hasAtHome(git, place, { sha256, bytes })) return { kind: 'content-kept' };
  const path = join(parcels.spool, `${id}.${sha256}`);
  try {
    await parcels.fetch({ path, sha256, bytes }, { from, signal });
    await keepAtHome(git, place, { file: { path, sha256, bytes }, sha256Of: host.sha256 });
    return { kind: 'content-kept' };
  } finally {
    for (const left of [path, `${path}.part`]) await host.removeFile(left);
  }
}

/** Finishes a publication that was cut off. */
export async function settleMain(context: CommandContext): Promise<QueryResult> {
  await settleHome(openPlaceOf(context).git, sourcePlaceOf(context));
  return { kind: 'settled' };
}
