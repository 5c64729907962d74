/**
 * Reads what one record of a program's conversation says. A record is a line of Claude Code, Codex, Pi, Qwen Code or Copilot CLI, a message of
 * Gemini CLI, or a message that OpenCode serves; each is known by its shape. Records of sub-agents, and notes of a program to itself, say nothing.
 */
import type { ConversationEntry } from '@drover/protocol';
import { isRecord, textsOf } from '../signals/transcript.ts';

/** An entry before it is redacted and cut. */
export type Said = ConversationEntry extends infer E ? (E extends unknown ? Omit<E, 'isCut'> : never) : never;

type Fields = Readonly<Record<string, unknown>>;

export function entriesOf(record: unknown): readonly Said[] {
  if (!isRecord(record)) return [];
  const { payload, info, data, message, systemPayload } = record;
  if (isRecord(payload)) return ofCodex(record, payload);
  if (isRecord(info)) return ofOpenCode(info, listOf(record['parts']));
  if (isRecord(data)) return ofCopilot(record, data);
  if (isRecord(message) && record['type'] === 'message') return ofPi(record, message);
  if (isRecord(systemPayload) || (isRecord(message) && Array.isArray(message['parts']))) return ofQwen(record);
  if (isRecord(message) || isRecord(record['attachment'])) return ofClaude(record);
  return ofGemini(record);
}

/** Reads a line of Claude Code. */
function ofClaude(line: Fields): readonly Said[] {
  const { type, message, attachment, isSidechain, isMeta, isApiErrorMessage } = line;
  const at = timeOf(line['timestamp']);
  if (isSidechain === true || isMeta === true) return [];
  // A text that waited in the program's queue went into the running turn.
  if (isRecord(attachment))
    return attachment['type'] === 'queued_command'
      ? textsOf(attachment['prompt']).map((text) => ({ kind: 'prompt', at, text }))
      : [];
  if (!isRecord(message) || (type !== 'user' && type !== 'assistant')) return [];
  const kind = type === 'user' ? 'prompt' : isApiErrorMessage === true ? 'error' : 'answer';
  const { content } = message;
  if (typeof content === 'string') return [{ kind, at, text: content }];
  return listOf(content)
    .filter(isRecord)
    .flatMap((part): readonly Said[] => {
      switch (part['type']) {
        case 'text':
          return [{ kind, at, text: wordsOf(part['text']) }];
        case 'tool_use':
          return [{ kind: 'call', at, tool: wordsOf(part['name']), text: inputText(part['input']) }];
        case 'tool_result':
          return [{ kind: 'result', at, failed: part['is_error'] === true, text: outputText(part['content']) }];
        default:
          return [];
      }
    });
}

/** Words with which Codex itself opens a conversation in a user's name. */
const OWN_WORDS = /^\s*<(?:environment_context|user_instructions|turn_aborted)>|^# AGENTS\.md instructions/u;

/** Reads a line of Codex. Its `event_msg` repeats what `response_item` says, except for errors. */
function ofCodex(line: Fields, payload: Fields): readonly Said[] {
  const at = timeOf(line['timestamp']);
  if (line['type'] === 'event_msg')
    return payload['type'] === 'error' ? [{ kind: 'error', at, text: wordsOf(payload['message']) }] : [];
  if (line['type'] !== 'response_item') return [];
  switch (payload['type']) {
    case 'message': {
      const kind = payload['role'] === 'user' ? 'prompt' : payload['role'] === 'assistant' ? 'answer' : null;
      if (kind === null) return [];
      return textsOf(payload['content'])
        .filter((text) => kind === 'answer' || !OWN_WORDS.test(text))
        .map((text) => ({ kind, at, text }));
    }
    case 'function_call':
      return [{ kind: 'call', at, tool: wordsOf(payload['name']), text: inputText(jsonIn(payload['arguments'])) }];
    case 'custom_tool_call':
      return [{ kind: 'call', at, tool: wordsOf(payload['name']), text: inputText(payload['input']) }];
    case 'local_shell_call':
      return [{ kind: 'call', at, tool: 'shell', text: inputText(payload['action']) }];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = jsonIn(payload['output']);
      const status = isRecord(output) && isRecord(output['metadata']) ? output['metadata']['exit_code'] : 0;
      const failed = (isRecord(output) && output['success'] === false) || (typeof status === 'number' && status !== 0);
      return [{ kind: 'result', at, failed, text: outputText(output) }];
    }
    default:
      return [];
  }
}

/** Reads a line of Pi. */
function ofPi(line: Fields, message: Fields): readonly Said[] {
  const at = timeOf(line['timestamp']);
  const { role, content, errorMessage } = message;
  switch (role) {
    case 'user':
      return textsOf(content).map((text) => ({ kind: 'prompt', at, text }));
    case 'assistant':
      return [
        ...listOf(content)
          .filter(isRecord)
          .flatMap((part): readonly Said[] => {
            if (part['type'] === 'text') return [{ kind: 'answer', at, text: wordsOf(part['text']) }];
            if (part['type'] !== 'toolCall') return [];
            return [{ kind: 'call', at, tool: wordsOf(part['name']), text: inputText(part['arguments']) }];
          }),
        ...(typeof errorMessage === 'string' ? [{ kind: 'error', at, text: errorMessage } as const] : []),
      ];
    case 'toolResult':
      return [{ kind: 'result', at, failed: message['isError'] === true, text: outputText(content) }];
    case 'bashExecution':
      return [
        { kind: 'call', at, tool: 'bash', text: wordsOf(message['command']) },
        { kind: 'result', at, failed: message['exitCode'] !== 0, text: wordsOf(message['output']) },
      ];
    default:
      return [];
  }
}

/** Reads a line of Qwen Code. Errors of the service stand only among its telemetry. */
function ofQwen(line: Fields): readonly Said[] {
  const { type, message, systemPayload, toolCallResult } = line;
  const at = timeOf(line['timestamp']);
  if (line['isSidechain'] === true || typeof line['agentId'] === 'string') return [];
  const event = isRecord(systemPayload) ? systemPayload['uiEvent'] : undefined;
  if (isRecord(event) && event['event.name'] === 'qwen-code.api_error' && event['subagent_name'] === undefined)
    return [{ kind: 'error', at, text: wordsOf(event['error_message']) }];
  if (!isRecord(message) || (type !== 'user' && type !== 'assistant' && type !== 'tool_result')) return [];
  const isFailed = isRecord(toolCallResult) && toolCallResult['status'] !== 'success';
  return listOf(message['parts'])
    .filter(isRecord)
    .flatMap((part): readonly Said[] => {
      const { text, thought, functionCall: call, functionResponse: answer } = part;
      if (isRecord(call)) return [{ kind: 'call', at, tool: wordsOf(call['name']), text: inputText(call['args']) }];
      if (isRecord(answer)) {
        const { response } = answer;
        const output = isRecord(response) ? (response['error'] ?? response) : response;
        return [{ kind: 'result', at, failed: isFailed, text: outputText(output) }];
      }
      if (typeof text !== 'string' || thought === true) return [];
      return [{ kind: type === 'user' ? 'prompt' : 'answer', at, text }];
    });
}

/** Reads a line of Copilot CLI. A prompt with a source is the program's own. */
function ofCopilot(line: Fields, data: Fields): readonly Said[] {
  const at = timeOf(line['timestamp']);
  if (typeof line['agentId'] === 'string' || typeof data['parentToolCallId'] === 'string') return [];
  switch (line['type']) {
    case 'user.message':
      return (data['source'] ?? 'user') === 'user' ? [{ kind: 'prompt', at, text: wordsOf(data['content']) }] : [];
    case 'assistant.message':
      return [{ kind: 'answer', at, text: wordsOf(data['content']) }];
    case 'tool.execution_start':
      return [{ kind: 'call', at, tool: wordsOf(data['toolName']), text: inputText(data['arguments']) }];
    case 'tool.execution_complete': {
      const { success, result, error } = data;
      const output = isRecord(error) ? error['message'] : result;
      return [{ kind: 'result', at, failed: success === false, text: outputText(output) }];
    }
    case 'session.error':
      return [{ kind: 'error', at, text: wordsOf(data['message']) }];
    default:
      return [];
  }
}

/** Reads a message of Gemini CLI. */
function ofGemini(message: Fields): readonly Said[] {
  const at = timeOf(message['timestamp']);
  const texts = textsOf(message['content']).filter((text) => text !== '');
  switch (message['type']) {
    case 'user':
      return texts.map((text) => ({ kind: 'prompt', at, text }));
    case 'error':
      return texts.map((text) => ({ kind: 'error', at, text }));
    case 'gemini':
      return [
        ...texts.map((text): Said => ({ kind: 'answer', at, text })),
        ...listOf(message['toolCalls']).filter(isRecord).flatMap(ofGeminiCall),
      ];
    default:
      return [];
  }
}

function ofGeminiCall(call: Fields): readonly Said[] {
  const at = timeOf(call['timestamp']);
  const shown = call['resultDisplay'] ?? call['result'];
  return [
    { kind: 'call', at, tool: wordsOf(call['displayName'] ?? call['name']), text: inputText(call['args']) },
    ...(shown === undefined || shown === null
      ? []
      : [{ kind: 'result', at, failed: call['status'] === 'error', text: outputText(shown) } as const]),
  ];
}

/** Reads a message that OpenCode serves. */
function ofOpenCode(info: Fields, parts: readonly unknown[]): readonly Said[] {
  const at = isRecord(info['time']) ? timeOf(info['time']['created']) : null;
  const kind = info['role'] === 'user' ? 'prompt' : 'answer';
  const said = parts.filter(isRecord).flatMap((part): readonly Said[] => {
    if (part['type'] === 'text' && part['synthetic'] !== true && part['ignored'] !== true)
      return [{ kind, at, text: wordsOf(part['text']) }];
    if (part['type'] !== 'tool' || !isRecord(part['state'])) return [];
    const { input, output, error, status } = part['state'];
    const call: Said = { kind: 'call', at, tool: wordsOf(part['tool']), text: inputText(input) };
    if (status === 'error') return [call, { kind: 'result', at, failed: true, text: wordsOf(error) }];
    return status === 'completed' ? [call, { kind: 'result', at, failed: false, text: outputText(output) }] : [call];
  });
  const { error } = info;
  if (!isRecord(error)) return said;
  const why = isRecord(error['data']) ? wordsOf(error['data']['message']) : '';
  return [...said, { kind: 'error', at, text: why === '' ? wordsOf(error['name']) : why }];
}

/** Writes the input of a tool as people read it: its only text alone, else a line or a block for each field. */
function inputText(input: unknown): string {
  if (!isRecord(input)) return outputText(input);
  const fields = Object.entries(input);
  const [first] = fields;
  if (first !== undefined && fields.length === 1 && typeof first[1] === 'string') return first[1];
  return fields.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : jsonOf(value)}`).join('\n');
}

/** Writes the output of a tool: its texts where it has some, else its JSON. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (output === undefined || output === null) return '';
  const texts = textsOf(isRecord(output) ? (output['output'] ?? output['content']) : output);
  return texts.length > 0 ? texts.join('\n') : jsonOf(output);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 1) ?? '';
}

/** Reads JSON that is written in a text; any other text stays as it is. */
function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Epoch milliseconds of an ISO time or a number. */
export function timeOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? Math.trunc(value) : Number.NaN;
  return Number.isSafeInteger(at) && at >= 0 ? at : null;
}
