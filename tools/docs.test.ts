// Do the generated and the hand-kept pages say what the repository holds?
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readText, REPOSITORY } from './checks/rooms.ts';
import { CONFIGURATION_PAGE, configurationPage } from './docs/configuration.ts';
import { policyWords, RECOVERY_PAGE } from './docs/policy-numbers.ts';
import { WORKER_STATES_PAGE, workerStatesPage } from './docs/worker-states.ts';

test('given the schema of the configuration, when its page is read, then it is what `npm run docs` writes', () => {
  expect(readText(CONFIGURATION_PAGE)).toBe(configurationPage());
});

test('given the moves that the policy may make, when their page is read, then it is what `npm run docs` writes', () => {
  expect(readText(WORKER_STATES_PAGE)).toBe(workerStatesPage());
});

test('given the numbers of the policy, when the page about recovery is read, then it tells each of them', () => {
  const page = readText(RECOVERY_PAGE).replaceAll(/ +/gu, ' ');

  expect(policyWords().filter((words) => !page.includes(words))).toEqual([]);
});

test('given every decision record, when the index is read, then it names each and no other', () => {
  const records = readdirSync(path.join(REPOSITORY, 'docs/adr')).filter((name) => /^\d{4}-.*\.md$/u.test(name));

  const named = [...readText('docs/adr/README.md').matchAll(/\]\((\d{4}-[^)]*\.md)\)/gu)].map(([, name]) => name);

  expect(named.toSorted()).toEqual(records.toSorted());
});
