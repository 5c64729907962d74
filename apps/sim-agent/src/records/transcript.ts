// Writes the conversation to disk: one JSON line an entry, in the shape of the real program's transcript.

import { appendFileSync, readFileSync } from 'node:fs';
import { isoTime } from '../clock.ts';
import type { Entry } from '../screen/conversation.ts';

/** Facts about the session that every line repeats. */
interface TranscriptFacts {
  readonly cwd: string;
  readonly version: string;
  readonly model: string;
  readonly gitBranch: string;
  readonly permissionMode: string;
  readonly now: () => number;
  readonly uuid: () => string;
}

/** A transcript being written. Each method appends synchronously, so that what follows can rely on it. */
export class Transcript {
  readonly path: string;
  readonly session: string;
  readonly #facts: TranscriptFacts;
  #parent: string | null = null;
  #turns = 0;

  constructor(path: string, session: string, facts: TranscriptFacts) {
    this.path = path;
    this.session = session;
    this.#facts = facts;
  }

  /** Continues a conversation that is on disk: new lines hang under its last one. */
  continueFrom(past: Past): void {
    this.#parent = past.lastUuid;
    this.#turns = past.turns;
  }

  /** A prompt was taken. Written before its turn begins. */
  prompt(text: string, promptId: string): void {
    this.#turns += 1;
    this.#line({ type: 'mode', mode: 'normal', sessionId: this.session });
    this.#entry({
      promptId,
      type: 'user',
      message: { role: 'user', content: text },
      permissionMode: this.#facts.permissionMode,
      origin: { kind: 'human' },
      promptSource: 'typed',
      turnOrigin: 'human',
      turnPosition: { promptIndex: this.#turns, turnIndex: this.#turns },
    });
  }

  /** The agent said something, or called a tool. */
  assistant(content: Readonly<Record<string, unknown>>, stopReason: 'end_turn' | 'tool_use' = 'end_turn'): void {
    this.#entry({
      type: 'assistant',
      message: {
        id: `msg_sim_${this.#facts.uuid().slice(0, 8)}`,
        type: 'message',
        role: 'assistant',
        model: this.#facts.model,
        content: [content],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 16 },
      },
      requestId: `req_sim_${this.#facts.uuid().slice(0, 8)}`,
      effort: 'medium',
      madeBy: 'model',
      session_id: this.session,
    });
  }

  /** A tool answered, or a person's refusal did. */
  toolResult(promptId: string, result: { readonly id: string; readonly text: string; readonly failed: boolean }): void {
    const content = { type: 'tool_result', content: result.text, is_error: result.failed, tool_use_id: result.id };
    this.#entry({ promptId, type: 'user', message: { role: 'user', content: [content] }, session_id: this.session });
  }

  /** A person stopped the turn. */
  interrupted(promptId: string, forTool: boolean): void {
    const text = `[Request interrupted by user${forTool ? ' for tool use' : ''}]`;
    this.#entry({
      promptId,
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text }] },
      session_id: this.session,
    });
  }

  /** The API answered with an error that ended the turn. */
  apiError(text: string, status: number | undefined): void {
    this.#entry({
      type: 'assistant',
      message: {
        id: this.#facts.uuid(),
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text }],
        stop_reason: 'stop_sequence',
        stop_sequence: '',
      },
      isApiErrorMessage: true,
      ...(status === undefined ? {} : { apiErrorStatus: status }),
      madeBy: 'other',
    });
  }

  /** The turn ended by itself. */
  turnEnded(prompt: string, durationMs: number): void {
    this.#entry({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
    this.#line({ type: 'last-prompt', lastPrompt: prompt, leafUuid: this.#parent, sessionId: this.session });
  }

  #entry(fields: Readonly<Record<string, unknown>>): void {
    const uuid = this.#facts.uuid();
    this.#line({
      parentUuid: this.#parent,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp: isoTime(this.#facts.now()),
      userType: 'external',
      entrypoint: 'cli',
      cwd: this.#facts.cwd,
      sessionId: this.session,
      version: this.#facts.version,
      gitBranch: this.#facts.gitBranch,
    });
    this.#parent = uuid;
  }

  #line(value: Readonly<Record<string, unknown>>): void {
    appendFileSync(this.path, `${JSON.stringify(value)}\n`);
  }
}

/** A conversation read back from disk. */
export interface Past {
  readonly entries: readonly Entry[];
  readonly lastUuid: string | null;
  readonly turns: number;
}

interface Line {
  readonly type?: string;
  readonly uuid?: string;
  readonly isApiErrorMessage?: boolean;
  readonly message?: { readonly content?: string | readonly { readonly type?: string; readonly text?: string }[] };
}

/** Reads a transcript for `--resume`. A last line cut off by a crash is passed over. */
export function readPast(path: string): Past {
  const lines = readFileSync(path, 'utf8').split('\n').flatMap(parseLine);
  const entries = lines.flatMap(pastEntries);
  return {
    entries,
    lastUuid: lines.findLast((line) => line.uuid !== undefined)?.uuid ?? null,
    turns: entries.filter((entry) => entry.kind === 'prompt').length,
  };
}

function parseLine(text: string): Line[] {
  try {
    return text === '' ? [] : [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}

function pastEntries(line: Line): Entry[] {
  const content = line.message?.content;
  if (line.type === 'user' && typeof content === 'string') return [{ kind: 'prompt', text: content }];
  if (typeof content === 'string' || content === undefined) return [];
  return content.flatMap((part): Entry[] => {
    if (part.type !== 'text' || part.text === undefined) return [];
    if (line.type === 'user') return [{ kind: 'detail', text: 'Interrupted', tone: 'muted' }];
    return [
      line.isApiErrorMessage === true ? { kind: 'api-error', text: part.text } : { kind: 'answer', text: part.text },
    ];
  });
}
