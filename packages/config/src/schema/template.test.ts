import { expect, test } from 'vitest';
import { describeConfig, describeOptions } from './describe.ts';
import { readEnvironment } from '../environment.ts';
import { parseConfig } from '../load/load.ts';
import { configTemplate } from './template.ts';
import { workerOptions } from '../worker-options.ts';

const input = { root: '/srv/shop', environment: readEnvironment({}) };

test('given the first drover.toml, when it is loaded, then it sets the source and nothing else', () => {
  const outcome = parseConfig(configTemplate({ source: '/code/"odd" name', defaultBranch: 'trunk' }), input);
  const plain = parseConfig('', input);

  if (outcome.kind !== 'loaded' || plain.kind !== 'loaded') throw new Error('expected both to load');
  expect(outcome.config.repo).toMatchObject({ source: '/code/"odd" name', default_branch: 'trunk' });
  expect({ ...outcome.config, repo: null }).toEqual({ ...plain.config, repo: null });
});

test('given the first drover.toml with every option uncommented, when it is loaded, then it is valid', () => {
  const text = configTemplate({ source: '.' }).replaceAll(/^# (?=[a-z_]+ = |\[)/gmu, '');

  const outcome = parseConfig(text, input);

  expect(outcome).toMatchObject({ kind: 'loaded', config: { workers: { adam: { model: 'sonnet' } } } });
});

test('given the schema, when it is described, then every option and table has words, a type and a variable', () => {
  const described = [...describeConfig(), ...describeOptions()];

  expect(described.filter(({ description }) => !/^[A-Z].*\.$/u.test(description))).toEqual([]);
  expect(describeOptions().filter(({ type, env }) => type === '' || !env[0]?.startsWith('DROVER_'))).toEqual([]);
});

test('given defaults and a worker table, when the worker is asked for, then its own values replace the defaults', () => {
  const text =
    '[defaults]\nmodel = "opus"\n[workers.ben]\nmodel = "sonnet"\nexcluded_from_pool = true\nrole_prompt = ""';

  const outcome = parseConfig(text, input);

  if (outcome.kind !== 'loaded') throw new Error('expected it to load');
  expect(workerOptions(outcome.config, 'ben')).toMatchObject({
    model: 'sonnet',
    excluded_from_pool: true,
    role: 'developer',
  });
  expect(workerOptions(outcome.config, 'ada')).toMatchObject({ model: 'opus', excluded_from_pool: false });
});
