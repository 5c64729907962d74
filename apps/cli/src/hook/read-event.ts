/** Parses the failed tool from a coding agent's hook. Each program has its own format; a success is no event here. */
import type { ToolFailure, WorkPhase } from '@drover/core/tool-failures';

/** A failed tool, and the facts for answering its hook. */
export interface HookEvent {
  /** The name of the hook, which the answer repeats. */
  readonly name: string;
  /** The agent's own conversation; empty if the program does not tell. */
  readonly conversation: string;
  readonly failure: ToolFailure;
  /** Input of the tool, as text. */
  readonly input: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a program's message to its hook: Claude Code's `PostToolUseFailure`, `PostToolUse` of programs that report
 * failures there (Codex: if the answer has an exit code), and Gemini CLI's `AfterTool`.
 *
 * @returns null for anything else: another hook, a tool that did its work, a person's interrupt, text that is no JSON.
 */
export function readHookEvent(text: string, phase: WorkPhase | null): HookEvent | null {
  const payload = parseFields(text);
  if (payload === null) return null;
  const name = stringOf(payload['hook_event_name']);
  const said = failureIn(name, payload);
  if (said === null) return null;
  const input = recordOf(payload['tool_input']);
  const failure = {
    tool: stringOf(payload['tool_name']) || 'tool',
    command: stringOf(input['command']) || null,
    text: said.text,
    exitCode: said.exitCode,
    phase,
  };
  return { name, conversation: stringOf(payload['session_id']), failure, input: JSON.stringify(input) };
}

interface Said {
  readonly text: string;
  readonly exitCode: number | null;
}

function failureIn(name: string, payload: Fields): Said | null {
  switch (name) {
    case 'PostToolUseFailure':
      // A person pressed Esc: nothing failed, and nothing must be repeated.
      return payload['is_interrupt'] === true ? null : { text: textOf(payload['error']), exitCode: null };
    case 'PostToolUse':
      return afterUse(recordOf(payload['tool_response']));
    case 'AfterTool':
      return afterTool(recordOf(payload['tool_response']));
    default:
      return null;
  }
}

/** Finds a failure after use; only a plain sign counts, because most of these tools did their work. */
function afterUse(response: Fields): Said | null {
  if (response['interrupted'] === true) return null;
  const exitCode = numberOf(response['exit_code']) ?? numberOf(recordOf(response['metadata'])['exit_code']);
  const failed =
    response['is_error'] === true ||
    response['success'] === false ||
    response['error'] !== undefined ||
    (exitCode ?? 0) !== 0;
  if (!failed) return null;
  const parts = ['error', 'output', 'stdout', 'stderr', 'content'].map((key) => textOf(response[key]));
  return { text: parts.filter((part) => part !== '').join('\n'), exitCode };
}

/** Finds a failure of Gemini CLI, which marks errors of its own tools, and writes the exit code of a command into the text for the model. */
function afterTool(response: Fields): Said | null {
  const content = textOf(response['llmContent']);
  const exitCode = /^Exit Code: (\d+)$/m.exec(content)?.[1];
  if (response['error'] !== undefined && response['error'] !== null) {
    return { text: [textOf(response['error']), content].join('\n'), exitCode: null };
  }
  return exitCode === undefined || exitCode === '0' ? null : { text: content, exitCode: Number(exitCode) };
}

function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? recordOf(value) : null;
  } catch {
    return null;
  }
}

/** Returns the text of a value: itself, its message, or the texts of its parts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const { message, text } = recordOf(value);
  return stringOf(message) || stringOf(text);
}

function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
