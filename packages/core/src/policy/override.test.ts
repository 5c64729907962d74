/** Tells which changes of the policy hold, and reports problems of the others. */
import { describe, expect, test } from 'vitest';
import { policyWith, toolPolicyFrom } from './override.ts';
import type { PolicyChanges } from './override.ts';
import { DEFAULT_POLICY, timeLimitOf } from './policy.ts';
import { policyDifferences, policyEntries } from './values.ts';

describe('changes that hold', () => {
  test('given a number, when it is changed, then only that one is', () => {
    const outcome = policyWith({ crash: { restartAfterMs: 500 } });

    expect(outcome).toEqual({
      kind: 'ok',
      policy: { ...DEFAULT_POLICY, crash: { ...DEFAULT_POLICY.crash, restartAfterMs: 500 } },
    });
  });

  test('given no changes, when they are applied, then the defaults hold', () => {
    expect(policyWith({})).toEqual({ kind: 'ok', policy: DEFAULT_POLICY });
  });

  test('given the whole default policy as changes, when it is applied, then it is good and changes nothing', () => {
    const document: PolicyChanges = JSON.parse(JSON.stringify(DEFAULT_POLICY));

    expect(policyWith(document)).toEqual({ kind: 'ok', policy: DEFAULT_POLICY });
  });

  test('given a command without a time limit of its own, when it gets one, then it alone has it', () => {
    const outcome = policyWith({ command: { timeoutMs: { checkpoint: 90_000 } } });

    const policy = outcome.kind === 'ok' ? outcome.policy : DEFAULT_POLICY;
    expect(timeLimitOf(policy, 'checkpoint')).toBe(90_000);
    expect(timeLimitOf(policy, 'deliver')).toBe(DEFAULT_POLICY.command.timeoutMs.default);
    expect(policyWith({ command: { timeoutMs: { chekpoint: 90_000 } } }).kind).toBe('invalid');
  });

  test('given a list, when it is changed, then the new one takes its place as a whole', () => {
    const rung = { waitMs: 1_000, method: 'buffer', settleMs: 0, respawn: false };

    const outcome = policyWith({ lostInput: [rung] });

    expect(outcome.kind === 'ok' ? outcome.policy.lostInput : outcome).toEqual([rung]);
  });

  test('given a policy with changes, when others come on top, then both hold', () => {
    const first = policyWith({ crash: { countMax: 5 } });
    const second = policyWith({ crash: { restartAfterMs: 1 } }, first.kind === 'ok' ? first.policy : DEFAULT_POLICY);

    expect(second).toMatchObject({ policy: { crash: { countMax: 5, restartAfterMs: 1 } } });
  });
});

describe('changes that do not hold', () => {
  const rung = { waitMs: 1, method: 'typed', settleMs: 0, respawn: false };

  test.each<[string, PolicyChanges, string, string]>([
    [
      'a name that is none',
      { crsh: { countMax: 1 } },
      'crsh',
      'crsh is not a key of the policy; the keys are: checkEveryMs',
    ],
    ['a name of every object', { toString: 1 }, 'toString', 'toString is not a key of the policy'],
    [
      'a name that is none in a table',
      { crash: { count: 1 } },
      'crash.count',
      'the keys are: restartAfterMs, countMax',
    ],
    ['a negative number', { checkEveryMs: -1 }, 'checkEveryMs', 'not negative, such as 60000; got -1'],
    ['half a millisecond', { checkEveryMs: 0.5 }, 'checkEveryMs', 'expected a whole number of milliseconds'],
    ['half a time', { crash: { countMax: 1.5 } }, 'crash.countMax', 'expected a whole number that is not negative'],
    ['a share of two', { limit: { spread: 2 } }, 'limit.spread', 'expected a share from 0 to 1, such as 0.2; got 2'],
    ['a number for a table', { crash: 5 }, 'crash', 'crash: expected a table (restartAfterMs'],
    ['a table for a number', { checkEveryMs: { a: 1 } }, 'checkEveryMs', 'got {"a":1}'],
    ['words for a number', { checkEveryMs: '1 min' }, 'checkEveryMs', 'got "1 min"'],
    ['a table for a list', { lostInput: { waitMs: 1 } }, 'lostInput', 'lostInput: expected a list'],
    [
      'a word that is no method',
      { lostInput: [{ ...rung, method: 'x' }] },
      'lostInput.0.method',
      '"profile" or "typed"',
    ],
    [
      'a rung without a wait',
      { lostInput: [{ method: 'typed', settleMs: 0, respawn: true }] },
      'lostInput.0.waitMs',
      'got nothing',
    ],
    ['a rung with more', { lostInput: [rung, { ...rung, more: 1 }] }, 'lostInput.1.more', 'is not a key'],
    [
      'a number for a switch',
      { lostInput: [{ ...rung, respawn: 1 }] },
      'lostInput.0.respawn',
      'expected true or false; got 1',
    ],
    [
      'a nudge without words',
      { nudge: { firstText: ' ' } },
      'nudge.firstText',
      'expected a text for the agent; got " "',
    ],
    ['no checkpoint at all', { checkpoint: { keptMax: 0 } }, 'checkpoint.keptMax', 'a whole number of at least 1'],
    [
      'an end that is none',
      { toolFailures: { network: { whenSpent: 'cry' } } },
      'toolFailures.network.whenSpent',
      '"queue" or "escalate" or "block" or "log"; got "cry"',
    ],
    [
      'words for a factor',
      { toolFailures: { timeout: { timeoutFactors: ['2'] } } },
      'toolFailures.timeout.timeoutFactors.0',
      'got "2"',
    ],
    [
      'a second nudge before the first',
      { nudge: { secondMs: 1 } },
      'nudge.secondMs',
      'expected at least nudge.firstMs, which is 1800000',
    ],
  ])('given %s, when it is applied, then its key and what was expected are named', (_what, changes, key, words) => {
    const outcome = policyWith(changes);

    expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ path: key.split('.') }] });
    expect(outcome.kind === 'invalid' ? outcome.problems[0]?.message : '').toContain(words);
  });

  test('given two mistakes, when they are applied, then both are told', () => {
    const outcome = policyWith({ checkEveryMs: -1, crash: { countMax: -1 } });

    expect(outcome.kind === 'invalid' ? outcome.problems.map(({ path }) => path.join('.')) : outcome).toEqual([
      'checkEveryMs',
      'crash.countMax',
    ]);
  });
});

describe('rules for failed tools, as a variable', () => {
  test('given the rules of a project, when its hook reads them, then they hold as a whole', () => {
    const { network } = DEFAULT_POLICY.toolFailures;
    const changed = { ...DEFAULT_POLICY.toolFailures, network: { ...network, retriesMax: 7 } };

    expect(toolPolicyFrom(JSON.stringify(changed))).toEqual(changed);
    expect(toolPolicyFrom('{"network":{"retriesMax":7}}')).toEqual(changed);
  });

  test.each([undefined, '', 'no JSON', '7', 'null', '{"network":{"retriesMax":"7"}}', '{"nowhere":{}}'])(
    'given %s, when it is read, then the rules are those that Drover ships',
    (json) => {
      expect(toolPolicyFrom(json)).toEqual(DEFAULT_POLICY.toolFailures);
    },
  );
});

describe('values', () => {
  test('given a policy, when its values are listed, then each has its dotted key and a list is one value', () => {
    const entries = policyEntries(DEFAULT_POLICY);

    expect(entries).toContainEqual({ key: 'crash.countMax', value: 3 });
    expect(entries.find(({ key }) => key === 'lostInput')?.value).toContain('"method":"typed"');
  });

  test('given two policies, when they are compared, then only what differs is told', () => {
    const changed = policyWith({ crash: { countMax: 5 } });

    const differences = policyDifferences(DEFAULT_POLICY, changed.kind === 'ok' ? changed.policy : DEFAULT_POLICY);

    expect(differences).toEqual([{ key: 'crash.countMax', before: 3, after: 5 }]);
  });
});
