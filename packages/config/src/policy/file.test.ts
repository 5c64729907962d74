/** Checks which policy files can be read, and what is said of the others. */
import { expect, test } from 'vitest';
import { parsePolicy } from './file.ts';
import { formatProblem } from '../load/problems.ts';

test('given a policy alone, when it is read, then it is the policy of the project', () => {
  expect(parsePolicy('[crash]\ncountMax = 5', '/p.toml')).toEqual({
    kind: 'read',
    documents: { project: { crash: { countMax: 5 } }, workers: {} },
  });
});

test('given a whole configuration, when it is read, then only what it says of policies counts', () => {
  const text =
    '[repo]\nsource = 5\n[policy.crash]\ncountMax = 5\n[workers.ada]\nrole = "x"\n[workers.bea.policy]\nsettleMs = 1';

  expect(parsePolicy(text, '/drover.toml')).toEqual({
    kind: 'read',
    documents: { project: { crash: { countMax: 5 } }, workers: { bea: { settleMs: 1 } } },
  });
});

test('given a policy as JSON, when it is read, then it is the same', () => {
  expect(parsePolicy('{"crash":{"countMax":5}}', '/p.json')).toMatchObject({
    documents: { project: { crash: { countMax: 5 } } },
  });
});

test.each([
  ['no TOML', 'crash = [', '/p.toml', /^\/p\.toml:1: is not TOML: /u],
  ['no JSON', '{', '/p.json', /^\/p\.json: is not JSON: /u],
  [
    'an unknown key',
    '[crash]\ncount = 5',
    '/p.toml',
    /^\/p\.toml:2: policy\.crash\.count is not a key of the policy; the keys are: /u,
  ],
  [
    'a bad value',
    '[policy]\nsettleMs = 1\n[policy.crash]\ncountMax = -5',
    '/p.toml',
    /^\/p\.toml:4: policy\.crash\.countMax: expected a whole number that is not negative, such as 3; got -5$/u,
  ],
  ['a date', 'settleMs = 2026-01-01', '/p.toml', /^\/p\.toml:1: policy\.settleMs: expected/u],
  [
    'a bad value of a worker',
    '[workers.ada.policy]\nsettleMs = "x"',
    '/p.toml',
    /^\/p\.toml:2: workers\.ada\.policy\.settleMs: expected a whole number of milliseconds/u,
  ],
])('given %s, when it is read, then file, line, key and what was expected are told', (_what, text, file, words) => {
  const outcome = parsePolicy(text, file);

  expect(outcome.kind === 'invalid' ? outcome.problems.map(formatProblem) : outcome).toEqual([
    expect.stringMatching(words),
  ]);
});
