/**
 * Reads what one record of a program's conversation says about tokens and money. A record is a line of Claude Code, Codex, Pi, Qwen Code or Copilot
 * CLI, a message of Gemini CLI, or a message that OpenCode serves; each is known by its shape.
 */
import type { Usage } from '@drover/core';
import { isRecord } from '../signals/transcript.ts';
import { timeOf } from './entries.ts';
import type { Source } from './sources.ts';

/** Use of one answer of a model. */
export interface Spent {
  /** Name of the answer in its conversation: programs write it more than once. */
  readonly id: string;
  /** True if no other answer anywhere has this name: a conversation that goes on in another file brings a copy along. */
  readonly isUnique?: true;
  /** Epoch milliseconds; null: not told. */
  readonly at: number | null;
  readonly usage: Usage;
}

/** Answers of models that were counted. */
export interface Counted {
  /** Place up to which each record was read. */
  readonly read: Map<string, number>;
  /** By record and answer. */
  readonly answers: Map<string, Usage>;
}

/** More tokens, or dollars, than any attempt uses: what agents can write stays a number that everybody reads. */
const COUNT_MAX = 1_000_000_000_000;
/** Characters of an answer's name, and answers of one attempt: more are no program's. */
const ID_CHARS_MAX = 300;
const ANSWERS_MAX = 50_000;

type Fields = Readonly<Record<string, unknown>>;

/** Adds the answers of a record since the task's begin, from its end to the place that was read before. */
export async function countIn({ name, records }: Source, since: number, { read, answers }: Counted): Promise<void> {
  const source = name ?? '';
  const readTo = read.get(source) ?? -1;
  let newest = readTo;
  const seen = new Set<string>();
  for await (const { record, place } of records(null)) {
    // The last record of a served conversation still grows: it is read again.
    if (Number(place) < readTo) break;
    newest = Math.max(newest, Number(place));
    const spent = spentIn(record);
    if (spent === null || spent.id.length > ID_CHARS_MAX) continue;
    const id = spent.isUnique === true ? spent.id : `${source} ${spent.id}`;
    if (spent.at !== null && spent.at < since) {
      // A count from before the begin that was written again since then.
      answers.delete(id);
      break;
    }
    if (!answers.has(id) && answers.size >= ANSWERS_MAX) continue;
    if (!seen.has(id)) answers.set(id, spent.usage);
    seen.add(id);
  }
  read.set(source, newest);
}

/** @returns null if the record tells no use. */
export function spentIn(record: unknown): Spent | null {
  if (!isRecord(record)) return null;
  const { payload, info, data, systemPayload, message } = record;
  if (isRecord(payload)) return ofCodex(record, payload);
  if (isRecord(info)) return ofOpenCode(info);
  if (isRecord(data)) return ofCopilot(record, data);
  if (isRecord(systemPayload)) return ofQwen(record, systemPayload);
  const usage = isRecord(message) ? message['usage'] : record['usage'];
  if (isRecord(usage) && 'totalTokens' in usage) return ofPi(record, usage);
  if (isRecord(message)) return ofClaude(record, message);
  return ofGemini(record);
}

/** Adds up answers; null: none told its use. */
export function sumOf(spent: Iterable<Usage>): Usage | null {
  const all = [...spent];
  if (all.length === 0) return null;
  const costs = all.flatMap(({ money }) => money ?? []);
  return {
    input: total(all.map(({ input }) => input)),
    cached: total(all.map(({ cached }) => cached)),
    output: total(all.map(({ output }) => output)),
    money: costs.length === 0 ? null : total(costs),
  };
}

function total(values: readonly number[]): number {
  return Math.min(
    COUNT_MAX,
    values.reduce((sum, value) => sum + value, 0),
  );
}

/** Reads a line of Claude Code: each block of an answer repeats its use, and the last one is whole. */
function ofClaude(line: Fields, message: Fields): Spent | null {
  const { usage, id } = message;
  if (!isRecord(usage) || typeof id !== 'string') return null;
  const input = countOf(usage['input_tokens']) + countOf(usage['cache_creation_input_tokens']);
  const [cached, output] = [countOf(usage['cache_read_input_tokens']), countOf(usage['output_tokens'])];
  return { id, isUnique: true, at: timeOf(line['timestamp']), usage: { input, cached, output, money: null } };
}

/**
 * Reads a line of Codex. It writes a count again, unchanged, when only limits are news, and with a new time in a fork: the sum so far names the
 * count.
 */
function ofCodex(line: Fields, payload: Fields): Spent | null {
  const { info } = payload;
  if (payload['type'] !== 'token_count' || !isRecord(info)) return null;
  const { total_token_usage: total, last_token_usage: last } = info;
  if (!isRecord(total) || !isRecord(last)) return null;
  const input = withoutCached(last['input_tokens'], last['cached_input_tokens']);
  const usage = { ...input, output: countOf(last['output_tokens']), money: null };
  return { id: JSON.stringify(Object.values(total)), isUnique: true, at: timeOf(line['timestamp']), usage };
}

/** Reads a message that OpenCode serves. */
function ofOpenCode(info: Fields): Spent | null {
  const { id, tokens, cost } = info;
  if (!isRecord(tokens) || typeof id !== 'string') return null;
  const cache = isRecord(tokens['cache']) ? tokens['cache'] : {};
  const at = isRecord(info['time']) ? timeOf(info['time']['created']) : null;
  return {
    id,
    at,
    usage: {
      input: countOf(tokens['input']) + countOf(cache['write']),
      cached: countOf(cache['read']),
      output: countOf(tokens['output']) + countOf(tokens['reasoning']),
      money: typeof cost === 'number' && cost >= 0 ? cost : null,
    },
  };
}

/** Reads a line of Pi, which reckons dollars by its list of prices: a model without one costs nothing there, which says nothing. */
function ofPi(line: Fields, usage: Fields): Spent | null {
  const cost = isRecord(usage['cost']) ? usage['cost']['total'] : null;
  return namedLine(line, line['id'], {
    input: countOf(usage['input']) + countOf(usage['cacheWrite']),
    cached: countOf(usage['cacheRead']),
    output: countOf(usage['output']),
    money: typeof cost === 'number' && cost > 0 ? cost : null,
  });
}

/** Reads a line of Qwen Code: its notes of answers have those of sub-agents and of its own requests, too. */
function ofQwen(line: Fields, { uiEvent: event }: Fields): Spent | null {
  if (!isRecord(event) || event['event.name'] !== 'qwen-code.api_response') return null;
  return namedLine(line, line['uuid'], {
    ...withoutCached(event['input_token_count'], event['cached_content_token_count']),
    output: countOf(event['output_token_count']),
    money: null,
  });
}

/** Reads a line of Copilot CLI. Its cost is a number of requests. */
function ofCopilot(line: Fields, { usage }: Fields): Spent | null {
  if (line['type'] !== 'session.usage_record' || !isRecord(usage)) return null;
  return namedLine(line, line['id'], {
    ...withoutCached(usage['inputTokens'], usage['cacheReadTokens']),
    output: countOf(usage['outputTokens']),
    money: null,
  });
}

/** A copy of a line in another file keeps its name and time. */
function namedLine({ timestamp }: Fields, id: unknown, usage: Usage): Spent | null {
  if (typeof id !== 'string' || typeof timestamp !== 'string') return null;
  return { id: `${timestamp} ${id}`, isUnique: true, at: timeOf(timestamp), usage };
}

/** Reads input of which a part was cached. */
function withoutCached(input: unknown, cachedPart: unknown): Pick<Usage, 'input' | 'cached'> {
  const cached = countOf(cachedPart);
  return { input: Math.max(0, countOf(input) - cached), cached };
}

/** Reads a message of Gemini CLI. */
function ofGemini(message: Fields): Spent | null {
  const { id, tokens } = message;
  if (!isRecord(tokens) || typeof id !== 'string') return null;
  const input = withoutCached(tokens['input'], tokens['cached']);
  const output = countOf(tokens['output']) + countOf(tokens['thoughts']);
  return { id, at: timeOf(message['timestamp']), usage: { ...input, output, money: null } };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, COUNT_MAX) : 0;
}
