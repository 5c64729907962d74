/** A machine is told what its worker needs, and no more. */
import { DEFAULT_POLICY } from '@drover/core';
import type { ProjectPolicy, WorkerOptions } from '@drover/store';
import { expect, test } from 'vitest';
import type { Placed } from '../projects/place.ts';
import { workerSettings } from './settings.ts';

const OPTIONS: WorkerOptions = {
  profile: 'sim',
  model: null,
  rolePrompt: '',
  skipPermissions: false,
  allowedTools: [],
  excludedFromPool: false,
  sessionWidth: 80,
  sessionHeight: 24,
};

const PROJECT: Omit<Placed, 'config'> = {
  id: 'p',
  name: 'demo',
  source: '/s',
  root: '/r',
  elsewhere: false,
  defaultBranch: 'main',
  trust: {},
  mergeWorkerId: null,
};

function placed(policy: ProjectPolicy): Placed {
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '', policy };
  return { ...PROJECT, config };
}

test('given rules for failed tools of a project, and of one worker, when its settings are made, then they hold both, and others are told nothing', () => {
  const policy = {
    project: { toolFailures: { network: { retriesMax: 7 } }, crash: { countMax: 5 } },
    workers: { adam: { toolFailures: { timeout: { retriesMax: 0 } } } },
  };
  const [adam, eve] = [
    { id: 'a', name: 'adam', options: OPTIONS },
    { id: 'e', name: 'eve', options: OPTIONS },
  ];

  const rules: unknown = JSON.parse(workerSettings(adam, placed(policy)).toolPolicy ?? '');
  const others = workerSettings(eve, placed({ project: { crash: { countMax: 5 } }, workers: policy.workers }));

  const { network, timeout, ...rest } = DEFAULT_POLICY.toolFailures;
  expect(rules).toEqual({ ...rest, network: { ...network, retriesMax: 7 }, timeout: { ...timeout, retriesMax: 0 } });
  expect(others.toolPolicy).toBeUndefined();
});
