// Checks that each text about a limit or an error of each pinned program has a class, the right one, and that the list is of these versions.
import { errorTextsIn, RELEASES } from '@drover/real-agents';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { errorClassOf } from './error-class.ts';
import document from './error-texts.json' with { type: 'json' };

const entry = z.strictObject({ version: z.string(), texts: z.record(z.string(), z.string().nullable()) });
/** Texts that are found at least. Copilot packs its code, and Pi shows the words of its provider. */
const FOUND_MIN: Readonly<Record<string, number>> = { copilot: 0, pi: 1 };
const LIST = z.record(z.string(), entry).parse(document);

test('given the list, when it is compared with the pinned versions, then it is of these', () => {
  const listed = Object.entries(LIST).map(([agent, { version }]) => [agent, version]);

  expect(listed).toEqual(Object.entries(RELEASES).map(([agent, { version }]) => [agent, version]));
});

test.each(Object.entries(LIST))(
  'given the texts of %s, when its profile reads them, then each has its class',
  (agent, { texts }) => {
    const profile = BUILT_IN_PROFILES.get(agent);
    const read = Object.keys(texts).map((text) => [text, profile && errorClassOf(profile, text)]);

    // A text without a class needs a pattern in packages/screen/src/profiles/errors.ts.
    expect(read.filter(([, found]) => found === null)).toEqual([]);
    expect(Object.fromEntries(read)).toEqual(texts);
    expect(read.length).toBeGreaterThanOrEqual(FOUND_MIN[agent] ?? 6);
  },
);

test.each([
  ['API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited', 'rate-limit'],
  ["You've hit your limit · resets 7am (UTC)", 'usage-limit'],
  ["You've hit your monthly spend limit", 'usage-limit'],
  ["You're out of extra usage · resets 8:40pm (Europe/Warsaw)", 'usage-limit'],
  ["You're out of usage credits", 'usage-limit'],
  ["You've reached your Fable limit for this week. Switch models?", 'usage-limit'],
  ['Limit reached · resets 7pm', 'usage-limit'],
  ['Weekly limit reached', 'usage-limit'],
  ['Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM)', 'rate-limit'],
  ['API Error: 400 Could not process image', 'history-refused'],
  [
    'API Error: 400 messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
    'history-refused',
  ],
  ['API Error: 400 messages: prompt is too long: 210000 tokens > 200000 maximum', 'context-exhausted'],
  ['No tool output found for function call call_1', 'history-refused'],
])('given "%s", when it is read, then it is %s', (text, kind) => {
  const profile = BUILT_IN_PROFILES.get('claude');

  expect(profile && errorClassOf(profile, text)).toBe(kind);
});

test('given code with sentences in quotes, templates and escapes, when it is read, then each sentence is found once', () => {
  const code =
    String.raw`x="You've hit your limit \xB7 resets "+r;y=` +
    '`You\u2019re out of ${z}. Wait`' +
    ';a="Usage limit reached";b="Usage limit reached"';

  expect(errorTextsIn(code)).toEqual(['Usage limit reached', "You're out of …", "You've hit your limit · resets"]);
});
