import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsedLine } from '../signals/transcript.ts';
import { entriesOf } from './entries.ts';

const AT = '2026-11-29T09:00:00.000Z';
const at = Date.parse(AT);

test.each([
  [
    'a prompt of Claude Code',
    { type: 'user', timestamp: AT, message: { role: 'user', content: 'go on' } },
    [{ kind: 'prompt', at, text: 'go on' }],
  ],
  [
    'an answer with a call',
    {
      type: 'assistant',
      timestamp: AT,
      message: {
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'Bash', input: { command: 'ls -l' } },
        ],
      },
    },
    [
      { kind: 'answer', at, text: 'I look.' },
      { kind: 'call', at, tool: 'Bash', text: 'ls -l' },
    ],
  ],
  [
    'a failed tool',
    { type: 'user', timestamp: AT, message: { content: [{ type: 'tool_result', is_error: true, content: 'no' }] } },
    [{ kind: 'result', at, failed: true, text: 'no' }],
  ],
  [
    'an error of the service',
    { type: 'assistant', isApiErrorMessage: true, message: { content: [{ type: 'text', text: 'API Error 500' }] } },
    [{ kind: 'error', at: null, text: 'API Error 500' }],
  ],
  [
    'a text that waited in the queue',
    { timestamp: AT, attachment: { type: 'queued_command', prompt: 'and tests' } },
    [{ kind: 'prompt', at, text: 'and tests' }],
  ],
  ['a sub-agent', { type: 'user', isSidechain: true, message: { content: 'inner' } }, []],
  [
    'a prompt of Codex',
    {
      timestamp: AT,
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '<environment_context>…' },
          { type: 'input_text', text: 'fix it' },
        ],
      },
    },
    [{ kind: 'prompt', at, text: 'fix it' }],
  ],
  [
    'a call of Codex',
    {
      timestamp: AT,
      type: 'response_item',
      payload: { type: 'function_call', name: 'shell', arguments: '{"command":["ls"],"workdir":"/w"}' },
    },
    [{ kind: 'call', at, tool: 'shell', text: 'command: [\n "ls"\n]\nworkdir: /w' }],
  ],
  [
    'its output',
    {
      timestamp: AT,
      type: 'response_item',
      payload: { type: 'function_call_output', output: '{"output":"no such file","metadata":{"exit_code":2}}' },
    },
    [
      {
        kind: 'result',
        at,
        failed: true,
        text: 'no such file',
      },
    ],
  ],
  ['what Codex says twice', { type: 'event_msg', payload: { type: 'user_message', message: 'fix it' } }, []],
  [
    'an error of Codex',
    { type: 'event_msg', payload: { type: 'error', message: 'stream lost' } },
    [{ kind: 'error', at: null, text: 'stream lost' }],
  ],
  [
    'a message of Gemini CLI',
    {
      timestamp: AT,
      type: 'gemini',
      content: 'Done.',
      toolCalls: [{ timestamp: AT, name: 'ls', args: { path: '.' }, status: 'success', resultDisplay: '2 files' }],
    },
    [
      { kind: 'answer', at, text: 'Done.' },
      { kind: 'call', at, tool: 'ls', text: '.' },
      { kind: 'result', at, failed: false, text: '2 files' },
    ],
  ],
  [
    'a message of OpenCode',
    {
      info: { role: 'assistant', time: { created: at }, error: { name: 'APIError', data: { message: 'too many' } } },
      parts: [
        { type: 'text', text: 'I try.' },
        { type: 'tool', tool: 'bash', state: { status: 'error', input: { command: 'x' }, error: 'not found' } },
      ],
    },
    [
      { kind: 'answer', at, text: 'I try.' },
      { kind: 'call', at, tool: 'bash', text: 'x' },
      { kind: 'result', at, failed: true, text: 'not found' },
      { kind: 'error', at, text: 'too many' },
    ],
  ],
  [
    'a command that the user of Pi ran',
    {
      type: 'message',
      timestamp: AT,
      message: { role: 'bashExecution', command: 'ls x', output: 'none', exitCode: 2 },
    },
    [
      { kind: 'call', at, tool: 'bash', text: 'ls x' },
      { kind: 'result', at, failed: true, text: 'none' },
    ],
  ],
  [
    'a thought and a refused call of Qwen Code',
    {
      timestamp: AT,
      type: 'tool_result',
      message: {
        parts: [{ text: 'hm', thought: true }, { functionResponse: { response: { error: 'refused' } } }],
      },
      toolCallResult: { status: 'cancelled' },
    },
    [{ kind: 'result', at, failed: true, text: 'refused' }],
  ],
  ['a sub-agent of Qwen Code', { type: 'assistant', isSidechain: true, message: { parts: [{ text: 'inner' }] } }, []],
  [
    'an error of Qwen Code’s own sub-agent',
    {
      type: 'system',
      systemPayload: {
        uiEvent: { 'event.name': 'qwen-code.api_error', error_message: '500', subagent_name: 'memory' },
      },
    },
    [],
  ],
  [
    'a failed tool of Copilot CLI',
    { type: 'tool.execution_complete', timestamp: AT, data: { success: false, error: { message: 'no such file' } } },
    [{ kind: 'result', at, failed: true, text: 'no such file' }],
  ],
  ['a sub-agent of Copilot CLI', { type: 'assistant.message', agentId: 'a1', data: { content: 'inner' } }, []],
  [
    'words that Copilot CLI adds in a user’s name',
    { type: 'user.message', data: { content: 'use the skill', source: 'skill-pdf' } },
    [],
  ],
  ['no record at all', 'half a li', []],
])('given %s, then its entries are read', (_, record, entries) => {
  expect(entriesOf(record)).toEqual(entries);
});

const FIXTURES = join(import.meta.dirname, '../../fixtures/conversations');

/** Last line of each entry of a real record, and the first of a call. A page leaves out entries without a text. */
function recorded(program: string): readonly string[] {
  const lines = readFileSync(join(FIXTURES, `${program}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map(parsedLine)
    .flatMap(entriesOf)
    .filter(({ text }) => text !== '')
    .map((entry) => {
      const texts = entry.text.trim().split('\n');
      return entry.kind === 'call' ? `${entry.tool} ${texts[0]}` : `${entry.kind}: ${texts.at(-1)?.trim()}`;
    });
}

test.each([
  [
    'Pi',
    'pi',
    [
      'prompt: This is the second line.',
      'answer: Hello from the model. This is the whole answer.',
      'prompt: DENIED',
      'error: 403: {"type":"permission_error","message":"Your API key does not have permission to use this model.","code":"permission_error"}',
      "bash command: echo 'Work of the agent' >> work.txt && git add -A && git -c user.name=Ada -c user.email=ada@example.org commit -q -m 'Work of the agent'",
      'result: (no output)',
    ],
  ],
  [
    'Qwen Code',
    'qwen',
    [
      'prompt: This is the second line.',
      'answer: Hello from the model. This is the whole answer.',
      'prompt: BASH touch allowed.txt',
      'run_shell_command command: touch allowed.txt',
      'result: Process Group PGID: 379',
      'answer: The command has run.',
      'prompt: DENIED',
      'error: 403 Your API key does not have permission to use this model.',
    ],
  ],
  [
    'Copilot CLI',
    'copilot',
    [
      'prompt: SAY that you are ready.',
      'answer: Hello from the model. This is the whole answer.',
      'prompt: BASH touch allowed.txt',
      'bash command: touch allowed.txt',
      'result: <shellId: 0 completed with exit code 0>',
      'answer: The command has run.',
      'prompt: DENIED',
      'error: Check your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN.',
    ],
  ],
])(
  'given the real record of %s, then its prompts, answers, calls and errors are read once each',
  (_, name, entries) => {
    expect(recorded(name)).toEqual(entries);
  },
);

test('given records whose fields have any shape, then nothing is thrown, and each entry holds a text', () => {
  const odd = [null, 1, 'x', [], {}, [null], { text: 1 }, { type: 'text' }];
  const records = odd.flatMap((value) => [
    value,
    { message: value, type: 'user', timestamp: value },
    { message: { content: value }, type: 'assistant' },
    { message: { content: [{ type: 'tool_use', name: value, input: value }] }, type: 'assistant' },
    { attachment: { type: 'queued_command', prompt: value } },
    { type: 'response_item', payload: { type: 'function_call', name: value, arguments: value } },
    { type: 'response_item', payload: { type: 'function_call_output', output: value } },
    { type: 'gemini', content: value, toolCalls: value },
    { type: 'gemini', toolCalls: [{ args: value, result: value }] },
    { info: { role: value, time: value, error: value }, parts: value },
    { type: 'message', message: { role: 'assistant', content: value, errorMessage: value } },
    { type: 'message', message: { role: 'assistant', content: [{ type: 'toolCall', name: value, arguments: value }] } },
    { type: 'message', message: { role: 'bashExecution', command: value, output: value } },
    { type: 'tool_result', message: { parts: [value, { functionResponse: value }, { functionCall: value }] } },
    { type: 'tool_result', message: { parts: [{ functionResponse: { response: value } }] }, toolCallResult: value },
    { type: 'system', systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_error', error_message: value } } },
    { type: 'tool.execution_complete', data: { result: value, error: value } },
    { type: 'tool.execution_start', data: { toolName: value, arguments: value } },
    { type: 'user.message', data: { content: value, source: value } },
    { info: {}, parts: [{ type: 'tool', state: { status: 'completed', input: value, output: value } }] },
  ]);
  for (const entry of records.flatMap(entriesOf)) expect(typeof entry.text).toBe('string');
});
