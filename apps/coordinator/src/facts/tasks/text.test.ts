/** An agent of a run is told its stage, and a role only if a person gave it one. */
import type { WorkerOptions } from '@drover/store';
import { expect, test } from 'vitest';
import type { Placed } from '../projects/place.ts';
import { runTaskText } from './text.ts';

const PROJECT: Placed = {
  id: 'p',
  name: 'demo',
  source: '/s',
  root: '/r',
  elsewhere: false,
  defaultBranch: 'main',
  trust: {},
  mergeWorkerId: null,
  config: {
    copyFiles: [],
    validate: [],
    validateTimeoutMs: 1,
    runHooks: false,
    preamble: '',
    policy: { project: {}, workers: {} },
  },
};

const ITEM = { runId: 'r', item: 'review', attempt: 1, returns: 'review' } as const;

function textFor(role: string): string {
  const options: WorkerOptions = {
    profile: 'sim',
    model: null,
    rolePrompt: '',
    role,
    skipPermissions: false,
    allowedTools: [],
    excludedFromPool: false,
    sessionWidth: 80,
    sessionHeight: 24,
  };
  return runTaskText(PROJECT, { name: 'eve', options }, { item: ITEM, goal: 'Both halves', prompt: 'Look.' });
}

test('given a worker without a role of its own, when it reviews in a run, then it is not told to do so as a developer', () => {
  expect(textFor('developer')).toContain('stage "review". The goal');
  expect(textFor('security')).toContain('stage "review", as security. The goal');
});
