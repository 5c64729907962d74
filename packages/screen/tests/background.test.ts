/** Checks that a prompt beside which something of the turn runs on is told from one at the end of a turn. */
import { expect, test } from 'vitest';
import { detect } from '../src/index.ts';
import type { Detection, DetectInput } from '../src/index.ts';
import { captureOf, CAPTURES, inputOf, profileOf } from './captures.ts';

function seen(name: string, more: Partial<DetectInput> = {}): Detection {
  const capture = captureOf(name);
  return detect(profileOf(capture), { ...inputOf(capture), ...more });
}

function backgroundOf({ state }: Detection): string | undefined {
  return state.kind === 'ready' ? state.background : undefined;
}

test('given every recorded capture, when it is judged, then exactly those with background work name it', () => {
  const named = CAPTURES.flatMap(({ name }) => {
    const words = backgroundOf(seen(name));
    return words === undefined ? [] : [`${name.replace(/-\d+$/u, '')}: ${words}`];
  });

  expect([...new Set(named)]).toEqual([
    'claude/background-task-ready: background shell',
    'claude/bg-subagent-main-ready: 2 background tasks',
    'claude/permission-bash-background: background shell',
    'claude/live-b-background-after-commit: background shell',
    'claude/live-b-background-no-commit: background shell',
    'claude-classic/background-task-ready: background shell',
    'claude-classic/bash-moved-background: 2 background shells',
    'claude-classic/permission-bash-background: background shell',
    'claude-classic/plan-approval-esc: background shell',
    'claude-classic/subagent-running-3: 2 background tasks',
    'codex/bash-running-done: background terminal',
  ]);
});

test('given a screen that names no work, when the program itself says that a shell runs, then the turn is not over', () => {
  const when = seen('claude/ready-empty-80', { structured: { status: 'background', waitingFor: null } });

  expect(when).toMatchObject({ state: { kind: 'ready', background: 'background work' }, confidence: 'high' });
});

test('given a screen that nothing can be read from, when the program says that a shell runs, then the turn is not over', () => {
  const input = inputOf(captureOf('claude/ready-empty-80'));
  const facts = { ...input.facts, title: '✳ Claude Code' };
  const profile = profileOf(captureOf('claude/ready-empty-80'));

  const when = detect(profile, { facts, capture: 'x\n', structured: { status: 'background', waitingFor: null } });

  expect(when.state).toMatchObject({ kind: 'ready', background: 'background work' });
});

test('given an agent at work, when its program says that only a shell runs, then nothing is known', () => {
  const when = seen('claude/streaming-3-80', { structured: { status: 'background', waitingFor: null } });

  expect(when.state).toEqual({ kind: 'unknown', why: 'contradiction' });
});

test('given a prompt, when the hook at the end of the turn names what runs on, then the turn is not over', () => {
  const runsOn = { what: 'scheduled wake-up', isScheduled: true };
  const hook = { name: 'Stop', tool: null, command: null, error: null, runsOn };

  expect(backgroundOf(seen('claude/ready-empty-80', { hook }))).toBe('scheduled wake-up');
});

test('given words of a footer in the text of an answer, when it is judged, then nothing runs', () => {
  const input = inputOf(captureOf('claude/answered-ready-80'));
  const capture = input.capture.replace('●', '● 1 shell ·');
  expect(capture).not.toBe(input.capture);

  expect(backgroundOf(seen('claude/answered-ready-80', { capture }))).toBeUndefined();
});
