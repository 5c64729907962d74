/** Reads a coding agent's present state from its own files. Each fact comes with the time at which it was written. */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import type { HookFact, Profile, StructuredState, TranscriptFact } from '@drover/screen';
import { readPayload } from './payloads.ts';
import { isRecord, parsedLine, textsOf } from './transcript.ts';

/** Fact with its time of writing, in epoch milliseconds of this machine. */
export interface Dated<T> {
  readonly fact: T;
  readonly at: number;
}

/** Bytes at the end of a file in which its last line must lie. A longer line is skipped: nothing depends on it. */
const TAIL_BYTES = 64 * 1024;
/** Bytes of a status: a hundred times what programs write. */
const STATUS_BYTES_MAX = 64 * 1024;

/**
 * Reads the newest hook; null when there is none, or when it means nothing to the profile.
 *
 * @param news The names of the worker's payloads.
 */
export async function latestHook(disk: Files, news: string, { signals }: Profile): Promise<Dated<HookFact> | null> {
  const tail = await disk.tailLines(news, { bytesMax: TAIL_BYTES });
  const latest = await readPayload(disk, news, tail?.lines.at(-1) ?? '');
  const payload = parsedLine(latest?.text ?? '');
  if (latest === null || !isRecord(payload)) return null;
  const name = stringOf(payload['hook_event_name']) ?? '';
  if (signals.hookMeaning[name] === undefined) return null;
  const input = isRecord(payload['tool_input']) ? payload['tool_input'] : {};
  const fact = {
    name,
    tool: stringOf(payload['tool_name']),
    command: stringOf(input['command']),
    error: stringOf(payload['last_assistant_message']) ?? stringOf(payload['error']),
    ...runsOn(payload),
  };
  return { fact, at: latest.at };
}

/** Reads from the hook of a turn's end what runs on: tasks in the background, and wake-ups that the program has scheduled for itself. */
function runsOn(payload: Readonly<Record<string, unknown>>): Pick<HookFact, 'runsOn'> {
  const [tasks, wakeUps] = [listOf(payload['background_tasks']), listOf(payload['session_crons'])];
  if (tasks.length > 0) {
    const noun = tasks.every((task) => isRecord(task) && task['type'] === 'shell') ? 'shell' : 'task';
    const what = tasks.length === 1 ? `background ${noun}` : `${tasks.length} background ${noun}s`;
    return { runsOn: { what, isScheduled: wakeUps.length > 0 } };
  }
  return wakeUps.length > 0 ? { runsOn: { what: 'scheduled wake-up', isScheduled: true } } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Reads the status that the program keeps of itself in a file of its process.
 *
 * @param directory The directory of these files in the profile.
 */
export async function statusOf(
  disk: Files,
  { directory, pid }: { readonly directory: string; readonly pid: number },
  meanings: Readonly<Record<string, StructuredState['status']>>,
): Promise<Dated<StructuredState> | null> {
  const path = join(directory, `${pid}.json`);
  const entry = parsedLine(await headOf(disk, path));
  if (!isRecord(entry)) return null;
  const status = meanings[stringOf(entry['status']) ?? ''];
  const at = entry['statusUpdatedAt'] ?? entry['updatedAt'];
  if (status === undefined || typeof at !== 'number') return null;
  return { fact: { status, waitingFor: stringOf(entry['waitingFor']) }, at };
}

/** Beginning of a small file; empty when there is none. */
async function headOf(disk: Files, path: string): Promise<string> {
  const read = await disk.readRange(path, { from: 0, bytesMax: STATUS_BYTES_MAX });
  return Buffer.from(read?.bytes ?? []).toString('utf8');
}

/** Last words in a conversation, their author, and whether they were an error of the API. */
export async function lastEntry(disk: Files, path: string): Promise<Dated<TranscriptFact> | null> {
  const tail = await disk.tailLines(path, { bytesMax: TAIL_BYTES });
  if (tail === undefined) return null;
  for (const line of tail.lines.toReversed()) {
    const fact = entryOf(parsedLine(line));
    if (fact !== null) return { fact, at: tail.modifiedAt };
  }
  return null;
}

/** Skips entries of sub-agents and the program's notes about itself, which say nothing of the conversation. */
function entryOf(line: unknown): TranscriptFact | null {
  if (!isRecord(line) || line['isSidechain'] === true) return null;
  const { type, message } = line;
  if ((type !== 'user' && type !== 'assistant') || !isRecord(message)) return null;
  const texts = textsOf(message['content']);
  const role = type === 'user' && texts.length === 0 ? 'tool' : type;
  return { role, text: texts.join('\n'), apiError: line['isApiErrorMessage'] === true };
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
