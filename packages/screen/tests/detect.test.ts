/** Checks that several signals together give the right belief, its evidence and its rule. */
import { expect, test } from 'vitest';
import { composerOf, detect, labelOf } from '../src/index.ts';
import type { Detection, DetectInput } from '../src/index.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';

function seen(name: string, more: Partial<DetectInput> = {}): Detection {
  const capture = captureOf(name);
  return detect(profileOf(capture), { ...inputOf(capture), ...more });
}

test('given an idle composer, when the agent itself says idle, then it is ready with high confidence', () => {
  const when = seen('claude/ready-empty-80', { structured: { status: 'idle', waitingFor: null } });

  expect(when).toMatchObject({
    state: { kind: 'ready', after: 'fresh', composer: { kind: 'empty' } },
    confidence: 'high',
    rule: 'claude/ready',
  });
  expect(when.evidence.map(({ source }) => source)).toEqual(['screen', 'structured']);
});

test('given an idle composer, when the agent itself says busy, then nothing is known', () => {
  const when = seen('claude/ready-empty-80', { structured: { status: 'busy', waitingFor: null } });

  expect(when.state).toEqual({ kind: 'unknown', why: 'contradiction' });
});

test('given a program that only looks busy, when the agent says it retries, then it is a recoverable error', () => {
  const when = seen('opencode/streaming-3-80', {
    structured: { status: 'retrying', waitingFor: 'Overloaded, retrying in 8s' },
  });

  expect(when.state).toMatchObject({ kind: 'error', error: 'overloaded', recoverable: true, resets: '8s' });
});

test('given a ready screen, when the last hook named a failure, then it is an error that stays', () => {
  const when = seen('claude/error-drop-final-80', {
    hook: { name: 'StopFailure', tool: null, command: null, error: 'server_error' },
  });

  expect(when).toMatchObject({
    state: { kind: 'error', error: 'api', recoverable: false },
    rule: 'claude/hook-failed',
  });
});

test('given an interrupted turn, when the last hook was its beginning, then the screen is believed', () => {
  const when = seen('claude/interrupted-mid-stream-80', {
    hook: { name: 'UserPromptSubmit', tool: null, command: null, error: null },
  });

  expect(when.state).toMatchObject({ kind: 'ready', after: 'interrupted' });
});

test.each([
  ['touch made-by-mock-1.txt', 'high'],
  ['touch x', 'medium'],
  ['touch', 'medium'],
])(
  'given a permission dialog, when a hook names the command "%s", then it is heard only if the dialog shows that command: %s',
  (command, confidence) => {
    const hook = { name: 'PermissionRequest', tool: 'Bash', command, error: null };

    const when = seen('claude/permission-bash-option2-220', { hook });

    expect(when).toMatchObject({ confidence, state: { tool: 'Bash', command: 'touch made-by-mock-1.txt' } });
  },
);

test('given a finished screen, when the transcript ends in an API error, then it is an error', () => {
  const when = seen('claude/answered-ready-80', {
    transcript: { role: 'assistant', text: 'API Error: 529 Overloaded', apiError: true },
  });

  expect(when.state).toMatchObject({ kind: 'error', error: 'overloaded', recoverable: false });
});

test('given a blank capture, when the agent was known to work, then nothing is known', () => {
  const previous = seen('codex/streaming-2-80').state;

  expect(seen('codex/starting-1-220', { previous }).state).toEqual({ kind: 'unknown', why: 'empty' });
  expect(seen('codex/starting-1-220').state).toEqual({ kind: 'starting' });
  expect(seen('codex/starting-1-220', { capture: '' }).state).toEqual({ kind: 'unknown', why: 'empty' });
});

test.each([
  [0, null, 'user'],
  [130, null, 'user'],
  [1, null, 'crash'],
  [129, null, 'crash'],
  [143, null, 'crash'],
  [null, 1, 'crash'],
  [null, 2, 'user'],
  [null, 9, 'crash'],
  [null, 15, 'crash'],
  [0, 0, 'user'],
  [null, 0, 'unknown'],
  [null, null, 'unknown'],
] as const)(
  'given a dead pane with status %s and signal %s, when it is judged, then the cause is %s',
  (deadStatus, deadSignal, cause) => {
    const { facts } = inputOf(captureOf('claude/streaming-1-80'));

    const when = seen('claude/streaming-1-80', { facts: { ...facts, dead: true, deadStatus, deadSignal } });

    expect(when).toMatchObject({
      state: { kind: 'exited', cause, status: deadStatus, signal: deadSignal },
      confidence: 'high',
    });
  },
);

test('given a question at the end of the answer, when the turn is over, then the agent asked', () => {
  expect(seen('claude-2197/answered-question-ready-80').state).toMatchObject({ kind: 'ready', after: 'asked' });
  expect(seen('gemini/answered-question-ready-80').state).toMatchObject({ kind: 'ready', after: 'asked' });
});

test('given a message sent while busy, when the screen is judged, then it is queued', () => {
  expect(seen('claude/streaming-queued-message-2-80').state).toMatchObject({
    kind: 'processing',
    queued: true,
    composer: { kind: 'empty' },
  });
  expect(seen('gemini/streaming-queued-message-80').state).toMatchObject({ kind: 'processing', queued: true });
});

test('given an error that is retried, when it is judged, then the wait is quoted', () => {
  expect(seen('claude/error-429-retry-1-80').state).toMatchObject({ kind: 'error', recoverable: true, resets: '7s' });
  expect(seen('claude/error-usage-limit-80').state).toMatchObject({
    kind: 'error',
    error: 'usage-limit',
    recoverable: false,
  });
  expect(seen('codex/error-429-retry-2-80').state).toMatchObject({
    kind: 'error',
    error: 'rate-limit',
    recoverable: true,
  });
  expect(seen('opencode/error-500-retry-3-80').state).toMatchObject({ kind: 'error', recoverable: true, resets: '3s' });
});

test.each([
  ['claude/permission-bash-after-9s-220', 'Bash'],
  ['claude/permission-write-new-file-220', 'Write'],
  ['claude/permission-edit-diff-220', 'Edit'],
  ['claude-2197/permission-webfetch-220', 'WebFetch'],
])('given %s, when no hook speaks, then the screen alone names the tool as the hook would: %s', (name, tool) => {
  expect(seen(name).state).toMatchObject({ kind: 'permission', tool });
});

test('given the same box, when only spinner and clock moved, then fingerprint and progress stay', () => {
  const [earlier, later] = ['claude/processing-waiting-2-80', 'claude/processing-waiting-4-80'].map((name) =>
    seen(name),
  );

  expect(later?.fingerprint).toBe(earlier?.fingerprint);
  expect(later?.progress).toBe(earlier?.progress);
});

test.each([
  ['claude/thinking-2-220', 'claude/thinking-3-220'],
  ['claude-classic/thinking-2-220', 'claude-classic/thinking-3-220'],
  ['claude-2197/thinking-2-220', 'claude-2197/thinking-3-220'],
])('given %s, when in %s only the row of the spinner has changed, then that is no progress', (before, after) => {
  expect(seen(after).progress).toBe(seen(before).progress);
});

test('given the spinner of Gemini CLI, when its words take turns, then that is no progress', () => {
  const name = 'gemini/streaming-4-220';
  const { ansi } = captureOf(name);

  const other = seen(name, { capture: ansi.replace('Thinking...', 'Counting electrons') });

  expect(ansi).toContain('Thinking...');
  expect(other.progress).toBe(seen(name).progress);
});

test('given text that streams, when more of it stands there, then progress changes', () => {
  const [earlier, later] = ['claude/streaming-3-80', 'claude/streaming-4-80'].map((name) => seen(name));

  expect(later?.progress).not.toBe(earlier?.progress);
});

test('given typed text, when another text is typed, then the fingerprint changes', () => {
  expect(seen('claude/typed-short-80').fingerprint).not.toBe(seen('claude/ready-empty-80').fingerprint);
});

test.each([
  ['claude/typed-short-80', 'short text'],
  ['claude/typed-multiline-80', 'first line\nsecond line\nthird line'],
  ['claude/typed-bang-ls-80', '!ls'],
  ['codex/typed-short-80', 'short text'],
  ['codex/streaming-with-typed-80', 'typed while busy'],
  ['gemini/typed-multiline-after-ctrl-u-80', 'a first line\nsecond line'],
  ['opencode/streaming-with-typed-80', 'typed while busy'],
] as const)('given %s, when its composer is read, then it holds the typed text', (name, text) => {
  const capture = captureOf(name);

  expect(composerOf(profileOf(capture), capture.ansi)).toMatchObject({ kind: 'text', text, whole: true });
});

test.each(['codex/typed-paste-2k-80', 'opencode/typed-paste-2k-80'])(
  'given a long paste in %s, when its composer is read, then it is pasted',
  (name) => {
    const capture = captureOf(name);

    expect(composerOf(profileOf(capture), capture.ansi)).toMatchObject({ kind: 'text', pasted: true, whole: false });
  },
);

test('given the screen of an older run above a shell line, when the program starts again, then it is starting', () => {
  expect(labelOf(seen('claude-classic/starting-3-80').state)).toBe('starting');
});

test.each(['claude/live-c-image-paste-200', 'claude/live-c-image-draft-after-message-200'])(
  'given a picture in the box of %s, when it is read, then its text is not whole, for it cannot be typed back',
  (name) => {
    const capture = captureOf(name);

    const composer = composerOf(profileOf(capture), capture.ansi);

    expect(composer).toMatchObject({ kind: 'text', whole: false, pasted: false });
  },
);
