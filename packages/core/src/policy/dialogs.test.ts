/** Validates documents about dialogs and substitutes. */
import { expect, test } from 'vitest';
import { policyWith } from './override.ts';
import type { PolicyChanges } from './override.ts';

test('given rules for dialogs and substitutes for a profile, when they are named, then they hold', () => {
  const rules = [{ tool: 'Bash', command: 'npm *', wish: 'allow' }];
  const substitutes = [{ profile: 'claude', by: ['codex', 'gemini'] }];

  const outcome = policyWith({ dialogs: { permission: 'deny', rules }, substitutes });

  expect(outcome).toMatchObject({ kind: 'ok', policy: { dialogs: { permission: 'deny', rules }, substitutes } });
});

test.each<[string, PolicyChanges, string]>([
  ['a wish that is none', { dialogs: { permission: 'maybe' } }, 'dialogs.permission'],
  [
    'a rule with a wish that is none',
    { dialogs: { rules: [{ tool: '*', command: '*', wish: 'x' }] } },
    'dialogs.rules.0.wish',
  ],
  ['a rule without a command', { dialogs: { rules: [{ tool: '*', wish: 'ask' }] } }, 'dialogs.rules.0.command'],
  ['a substitute that is no list', { substitutes: [{ profile: 'claude', by: 'codex' }] }, 'substitutes.0.by'],
])('given %s, when it is named, then it is refused with its place', (_what, changes, where) => {
  const outcome = policyWith(changes);

  expect(outcome.kind === 'invalid' ? outcome.problems.map(({ path }) => path.join('.')) : outcome).toContain(where);
});
