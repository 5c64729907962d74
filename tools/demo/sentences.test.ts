// Checks that the happenings of the demo read well.
import type { EventView } from '@drover/api';
import { expect, test } from 'vitest';
import { inWords } from './sentences.ts';

const EVENT: EventView = {
  id: 1,
  worker: 'adam',
  at: 0,
  kind: 'command-finished',
  rules: [],
  from: 'working',
  to: 'working',
  asks: false,
  said: [],
  by: null,
  policy: null,
};

test('given a crash, when it is told, then signal and pause are named', () => {
  const said = [
    "the agent's program ended with signal 9",
    'recovery of AGENT_CRASHED, level 1, attempt 1: restart in 2000 ms (signal 9)',
  ];

  const told = inWords({ ...EVENT, kind: 'pane-exited', rules: ['exit:crash'], said });

  expect(told).toEqual({ text: 'crash detected: ended with signal 9; restart in 2 s', tone: 'care' });
});

test("given one of Drover's own steps, when it is told, then nothing is said", () => {
  expect(inWords({ ...EVENT, rules: ['command:validate'], said: ['command 11 ended: valid'] })).toBeNull();
});

test('given a command that failed, when it is told, then the failure is said in red', () => {
  const told = inWords({ ...EVENT, rules: ['command:hold'], said: ['command 4 failed: The disk is full'] });

  expect(told).toEqual({ text: 'command 4 failed: The disk is full', tone: 'bad' });
});

test('given a move that no rule of ours names, when it is told, then the move itself is said', () => {
  const said = ['the deadline "check" passed', 'working → needs_input: stopped with a question'];

  expect(inWords({ ...EVENT, to: 'needs_input', said })?.text).toBe('working → needs_input: stopped with a question');
});
