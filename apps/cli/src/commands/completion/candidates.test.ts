import { expect, test } from 'vitest';
import { loadCommands } from '../load.ts';
import { candidates } from './candidates.ts';
import type { Subject } from './candidates.ts';

const NAMES: Partial<Record<Subject, readonly string[]>> = {
  worker: ['adam', 'beth'],
  machine: ['build-1', 'laptop'],
  project: ['shop'],
  escalation: ['3f9a1c2e'],
  checkpoint: ['9c1d'],
  profile: ['claude', 'codex'],
};

async function after(line: string): Promise<readonly string[]> {
  const words = line.split(' ');
  return candidates(await loadCommands(words[0]), words, (of) => Promise.resolve(NAMES[of] ?? []));
}

test.each<[string, readonly string[]]>([
  ['sta', ['start', 'status']],
  ['work', ['worker']],
  ['worker m', ['move']],
  ['workers m', ['move']],
  ['why ', ['adam', 'beth']],
  ['why b', ['beth']],
  ['why adam ', []],
  ['accept adam ', ['adam', 'beth']],
  ['worker move adam ', ['build-1', 'laptop']],
  ['worker checkpoint show ', ['9c1d']],
  ['start --worker ', ['adam', 'beth']],
  ['start --worker adam --pro', ['--project', '--prompt', '--prompt-file']],
  ['start --prompt-file ', []],
  ['add eva --profile ', ['claude', 'codex']],
  ['add ', []],
  ['project add ', []],
  ['machine show ', ['build-1', 'laptop']],
  ['machine list --w', ['--wide']],
  ['answer ', ['3f9a1c2e']],
  ['escalation ack ', ['3f9a1c2e']],
  ['auth token re', ['revoke']],
  ['help e', ['exit-codes', 'environment']],
  ['nonsense ', []],
])('given "drover %s", when a word is completed, then it may be %j', async (line, expected) => {
  expect((await after(line)).toSorted()).toEqual(expected.toSorted());
});

test('given nothing typed, when a word is completed, then it is every verb, noun and general option once', async () => {
  const words = await after('');

  expect(words).toEqual(expect.arrayContaining(['init', 'status', 'worker', 'doctor', '--help', '--version']));
  expect(new Set(words).size).toBe(words.length);
});
