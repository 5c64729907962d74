/** Sends the record of a conversation from this machine to another, so that the agent can go on with it there. */
import { dirname, join } from 'node:path';
import type { Query, QueryResult } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import { CommandError } from '../failure.ts';
import { transcriptPath } from '../signals/transcript.ts';
import type { CommandContext } from './tools.ts';
import { worktreeOf } from './worktree-of.ts';

type Of<K extends Query['kind']> = Extract<Query, { kind: K }>;

/** Tells whether the profile names a file for each conversation of its program. */
export function transcriptHere({ signals }: Profile): boolean {
  return (signals.transcript ?? '').includes('{session}');
}

/** Sends the record unchanged. @throws CommandError `no-conversation`, when the agent has to begin a new one. */
export async function sendConversation(context: CommandContext, query: Of<'pack-conversation'>): Promise<QueryResult> {
  const { host, parcels, commandId, signal, conversationNames, settings } = context;
  const name = await conversationNames.named(settings.workerId, query.conversation);
  const from = await pathOf(context, name);
  const found = await host.stat(from);
  if (found?.kind !== 'file' || found.size === 0) throw noConversation(`its program has no record of it at "${from}"`);
  if (found.size > query.maxBytes)
    throw noConversation(`its record has ${found.size} bytes, at most ${query.maxBytes} are carried`);
  const path = join(parcels.spool, `${commandId}.conversation`);
  try {
    await host.copy(from, path);
    const [bytes, sha256] = [(await host.stat(path))?.size ?? 0, await host.sha256(path)];
    await parcels.send({ path, sha256, bytes }, { resend: query.resend, signal });
    return { kind: 'packed', sha256, bytes, name };
  } finally {
    await host.removeFile(path);
  }
}

/** Puts a record at the place where the program looks for it. An existing file there is an earlier state of the same conversation. */
export async function placeConversation(
  context: CommandContext,
  query: Of<'place-conversation'>,
): Promise<QueryResult> {
  const { host, parcels, commandId, signal, conversationNames, settings } = context;
  const { from, sha256, bytes, conversation, name } = query;
  const to = await pathOf(context, name);
  const file = join(parcels.spool, `${commandId}.${sha256}`);
  try {
    await parcels.fetch({ path: file, sha256, bytes }, { from, signal });
    if ((await host.sha256(file)) !== sha256)
      throw new CommandError('parcel-damaged', 'The record of the conversation arrived damaged', { retry: true });
    await host.mkdir(dirname(to));
    // Copies beside its place first: the spool may be on another disk.
    await host.copy(file, `${to}.${commandId}`);
    await host.rename(`${to}.${commandId}`, to);
    await conversationNames.name(settings.workerId, conversation, name);
    return { kind: 'placed' };
  } finally {
    for (const path of [file, `${file}.part`, `${to}.${commandId}`]) await host.removeFile(path);
  }
}

/** Path of the record. The worktree may be missing: the root, which holds the clone, determines its path. */
async function pathOf({ host, profiles, settings, home }: CommandContext, conversation: string): Promise<string> {
  const { profile } = profiles.of(settings);
  const root = (await host.realpath(settings.project.root)) ?? settings.project.root;
  const cwd = worktreeOf({ ...settings, project: { ...settings.project, root } });
  const path = transcriptPath(profile, { home, cwd, conversation });
  if (path === null) throw noConversation(`a conversation of "${settings.profile}" cannot be taken along`);
  return path;
}

function noConversation(why: string): CommandError {
  return new CommandError('no-conversation', why);
}
