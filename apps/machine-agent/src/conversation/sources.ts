/** Finds the record that a worker's program keeps of its conversation, and reads it from its end. */
import { join, sep } from 'node:path';
import type { Profile } from '@drover/screen';
import { formatIncarnation } from '@drover/tmux';
import type { CommandContext } from '../execute/tools.ts';
import { worktreeOf } from '../execute/worktree-of.ts';
import { hookFiles } from '../signals/hooks.ts';
import { readPayload } from '../signals/payloads.ts';
import { isRecord, parsedLine, slugOf, transcriptPath } from '../signals/transcript.ts';
import { findRecordBelow } from './find-below.ts';
import { linesBefore } from './lines-before.ts';

/** A record of a program. `place`: the page before this one ends there. `size`: characters that were read for it. */
export interface PlacedRecord {
  readonly record: unknown;
  readonly place: string;
  readonly size: number;
}

/** The records before a place, the last one first; null: from the end. */
export type Records = (before: string | null) => AsyncIterable<PlacedRecord>;

/** Record of a conversation. `name`: its file; null: the program serves it. */
export interface Source {
  readonly name: string | null;
  readonly records: Records;
}

export type SourceContext = Pick<
  CommandContext,
  'host' | 'profiles' | 'settings' | 'machineDir' | 'home' | 'knownWorkers' | 'conversationNames' | 'channels' | 'tmux'
>;

/** @returns null if the program keeps no record that this machine can read. */
export async function findSource(context: SourceContext): Promise<Source | null> {
  const { host, profiles, settings } = context;
  const { profile } = profiles.of(settings);
  const cwd = await workingDirectory(context);
  if (profile.launch.channel?.kind === 'opencode') {
    const messages = await messagesOfChannel(context);
    return messages === null ? null : { name: null, records: (before) => backwards(messages, before) };
  }
  const named = await namedByHook(context, profile);
  const path = named.path ?? (await pathOfProfile(context, profile, { cwd, conversation: named.conversation }));
  if (path === null) return null;
  if (path.endsWith('.json')) {
    const messages = await messagesIn(context, path);
    return messages === null ? null : { name: path, records: (before) => backwards(messages, before) };
  }
  return linesOf(host, path);
}

/** Reads a file of records, a line each. */
export function linesOf(host: SourceContext['host'], path: string): Source {
  return {
    name: path,
    async *records(before) {
      for await (const { text, from } of linesBefore(host, path, before === null ? null : placeOf(before)))
        yield { record: parsedLine(text), place: String(from), size: text.length };
    },
  };
}

/** Sub-agents of one conversation that are looked at. */
const SUBAGENTS_MAX = 200;

/** Finds the records of the conversation's sub-agents: Claude Code keeps them in a directory named like the conversation's file. */
export async function findSubagents(
  { host }: Pick<SourceContext, 'host'>,
  { name }: Source,
): Promise<readonly Source[]> {
  if (name?.endsWith('.jsonl') !== true) return [];
  const directory = join(name.slice(0, -'.jsonl'.length), 'subagents');
  const files = ((await host.readdir(directory)) ?? []).filter((entry) => entry.name.endsWith('.jsonl'));
  return files.slice(0, SUBAGENTS_MAX).map((entry) => linesOf(host, join(directory, entry.name)));
}

/** Asks a program that keeps no file; null when it does not run or does not answer. */
async function messagesOfChannel({ tmux, channels, settings }: SourceContext): Promise<readonly unknown[] | null> {
  const found = await tmux.find(settings.workerId);
  if (found === undefined || found.pane.dead) return null;
  const channel = await channels.of(formatIncarnation(found.pane.incarnation));
  return (await channel?.conversation().catch(() => null)) ?? null;
}

async function workingDirectory({ host, settings }: SourceContext): Promise<string> {
  const root = (await host.realpath(settings.project.root)) ?? settings.project.root;
  return worktreeOf({ ...settings, project: { ...settings.project, root } });
}

/** Bytes at the end of the news that are searched for a hook that names the record. */
const NEWS_BYTES = 4_096;

/** Words of a hook about the conversation: the file of its record, or its name alone; both null: nothing that may be read. */
interface Named {
  readonly path: string | null;
  readonly conversation: string | null;
}

const NOTHING_NAMED: Named = { path: null, conversation: null };

/**
 * Takes what the program's newest hook names: a program begins a new conversation when its user clears the one before. Copilot CLI names the file
 * only at the end of a turn. A file beside the program's own directory is not read, whatever a hook says.
 */
async function namedByHook({ host, settings, machineDir, home }: SourceContext, profile: Profile): Promise<Named> {
  const { transcript } = profile.signals;
  const [own] = (transcript ?? '').split(/\{(?:slug|session)\}/u);
  const tail = own?.replace('{home}', '').replace(/\/?$/u, '/');
  if (transcript === null || own === '' || tail === undefined) return NOTHING_NAMED;
  const { news } = hookFiles(machineDir, settings.workerId, profile);
  const names = (await host.tailLines(news, { bytesMax: NEWS_BYTES }).catch(() => undefined))?.lines ?? [];
  for (const name of names.toReversed()) {
    const payload = parsedLine((await readPayload(host, news, name))?.text ?? '');
    if (!isRecord(payload)) continue;
    const { transcript_path: named, session_id: session } = payload;
    if (typeof named !== 'string') {
      if (typeof session !== 'string' || transcript.includes('{session}')) continue;
      return { path: null, conversation: session };
    }
    // In a cage the program sees its home at another place.
    const at = named.indexOf(tail);
    if (at === -1) return NOTHING_NAMED;
    const directory = await host.realpath(join(home, tail));
    const path = await host.realpath(join(home, tail, named.slice(at + tail.length)));
    const record = path !== undefined && directory !== undefined && path.startsWith(directory + sep) ? path : null;
    return { path: record, conversation: null };
  }
  return NOTHING_NAMED;
}

/**
 * Takes the file of the conversation that a hook named, else of the one with which Drover started the program, or the newest of a program that
 * names them itself.
 */
async function pathOfProfile(
  { host, settings, home, knownWorkers, conversationNames }: SourceContext,
  profile: Profile,
  { cwd, conversation: named }: { readonly cwd: string; readonly conversation: string | null },
): Promise<string | null> {
  const { transcript } = profile.signals;
  if (transcript === null) return null;
  const begun = knownWorkers.lastIncarnationOf(settings.workerId)?.conversation;
  const conversation = begun === undefined ? null : await conversationNames.named(settings.workerId, begun);
  if (!transcript.includes('{session}')) {
    const directory = transcript.replaceAll('{home}', () => home).replaceAll('{slug}', () => slugOf(cwd));
    return findRecordBelow(host, directory, { cwd, conversation: named ?? conversation });
  }
  if (conversation === null) return null;
  return transcriptPath(profile, { home, cwd, conversation });
}

/** Bytes of a record that is one document: it must be read whole. */
const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

async function messagesIn({ host }: SourceContext, path: string): Promise<readonly unknown[] | null> {
  const read = await host.readRange(path, { from: 0, bytesMax: DOCUMENT_BYTES_MAX });
  if (read === undefined || read.size > DOCUMENT_BYTES_MAX) return null;
  const document = parsedLine(Buffer.from(read.bytes).toString('utf8'));
  return isRecord(document) && Array.isArray(document['messages']) ? document['messages'] : null;
}

async function* backwards(messages: readonly unknown[], before: string | null): AsyncGenerator<PlacedRecord> {
  const end = Math.min(before === null ? messages.length : placeOf(before), messages.length);
  for (let at = end - 1; at >= 0; at -= 1) yield { record: messages[at], place: String(at), size: 0 };
}

/** Reads a place that came from outside: anything else counts as the beginning. */
function placeOf(before: string): number {
  return /^\d{1,15}$/u.test(before) ? Number(before) : 0;
}
