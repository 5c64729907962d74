import { expect, test } from 'vitest';
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
  ['no record at all', 'half a li', []],
])('given %s, then its entries are read', (_, record, entries) => {
  expect(entriesOf(record)).toEqual(entries);
});

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
    { info: {}, parts: [{ type: 'tool', state: { status: 'completed', input: value, output: value } }] },
  ]);
  for (const entry of records.flatMap(entriesOf)) expect(typeof entry.text).toBe('string');
});
