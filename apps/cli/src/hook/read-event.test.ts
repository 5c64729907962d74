import { expect, test } from 'vitest';
import { readHookEvent } from './read-event.ts';

/** Event as Claude Code 2.1.330 sends it. */
const CLAUDE = {
  session_id: 's',
  transcript_path: '/home/dev/.claude/projects/-home-dev-repo/s.jsonl',
  cwd: '/home/dev/repo',
  prompt_id: 'p',
  permission_mode: 'bypassPermissions',
  effort: { level: 'medium' },
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Bash',
  tool_input: { command: 'npm ci', description: 'Install' },
  error: 'Exit code 1\nnpm error code ENOTFOUND',
  is_interrupt: false,
  tool_use_id: 'toolu_1',
  duration_ms: 37,
};
const CODEX = {
  session_id: 's',
  turn_id: 't',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'git status' },
  tool_response: 'error: nothing to commit\n',
};
const GEMINI = {
  session_id: 's',
  hook_event_name: 'AfterTool',
  tool_name: 'replace',
  tool_input: { file_path: 'README.md' },
};

function read(payload: unknown): ReturnType<typeof readHookEvent> {
  return readHookEvent(JSON.stringify(payload), null);
}

test('given a failed command of Claude Code, when it is read, then its command and words are known', () => {
  expect(read(CLAUDE)).toMatchObject({
    name: 'PostToolUseFailure',
    conversation: 's',
    failure: { tool: 'Bash', command: 'npm ci', text: CLAUDE.error, exitCode: null },
  });
});

test.each([
  [
    'an error of a tool of Gemini CLI',
    { ...GEMINI, tool_response: { llmContent: 'x', error: { message: 'File not found: README.md' } } },
    'File not found: README.md\nx',
    null,
  ],
  [
    'a command of Gemini CLI with an exit code',
    { ...GEMINI, tool_response: { llmContent: 'Output: no\nExit Code: 128\nProcess Group PGID: 1' } },
    'Output: no\nExit Code: 128\nProcess Group PGID: 1',
    128,
  ],
  [
    'an answer that names its exit code',
    { ...CODEX, tool_response: { output: 'no such host', metadata: { exit_code: 6 } } },
    'no such host',
    6,
  ],
  [
    'an answer that is marked as an error',
    { ...CODEX, tool_response: { is_error: true, content: [{ type: 'text', text: 'fetch failed' }] } },
    'fetch failed',
    null,
  ],
])('given %s, when it is read, then it is a failure', (_, payload, text, exitCode) => {
  expect(read(payload)?.failure).toMatchObject({ text, exitCode });
});

test.each([
  ['a person who pressed Esc', { ...CLAUDE, is_interrupt: true }],
  [
    'a tool that did its work',
    { ...CLAUDE, hook_event_name: 'PostToolUse', tool_response: { stdout: 'error', stderr: '' } },
  ],
  ['words without any sign of failure', CODEX],
  ['a tool of Gemini CLI that did its work', { ...GEMINI, tool_response: { llmContent: 'Exit Code: 0' } }],
  ['another hook', { ...CLAUDE, hook_event_name: 'Stop' }],
  ['a list', [CLAUDE]],
  ['a number', 7],
])('given %s, when it is read, then there is no failure', (_, payload) => {
  expect(read(payload)).toBeNull();
});

test.each(['', '{', '\0', '{"hook_event_name": 7}'])('given %j, when it is read, then there is no failure', (text) => {
  expect(readHookEvent(text, null)).toBeNull();
});
