// Checks that a repository's own checks file becomes commands, and that a wrong one becomes a sentence.
import { expect, test } from 'vitest';
import { parseChecks } from './checks-file.ts';

test('given a file with two commands and a time, when it is read, then it gives both and the time in milliseconds', () => {
  const read = parseChecks('validate = [["npm", "test"], ["npm", "run", "lint"]]\nvalidate_timeout_secs = 60\n');

  expect(read).toEqual({
    kind: 'ok',
    checks: {
      commands: [
        ['npm', 'test'],
        ['npm', 'run', 'lint'],
      ],
      setup: [],
      workerSetup: [],
      timeoutMs: 60_000,
    },
  });
});

test('given a file that says how checkouts and places of workers are made ready, when it is read, then it gives these commands too', () => {
  const read = parseChecks('validate = [["npm", "test"]]\nsetup = [["npm", "ci"]]\nworker_setup = [["make", "dev"]]\n');

  expect(read).toMatchObject({ kind: 'ok', checks: { setup: [['npm', 'ci']], workerSetup: [['make', 'dev']] } });
});

test.each([
  ['no TOML', 'validate = [', /expected|invalid|unexpected|end/iu],
  ['a shell string', 'validate = ["npm test"]', /validate\[0\]/u],
  ['no command at all', 'validate = []', /validate/u],
  ['an empty command', 'validate = [[]]', /validate\[0\]/u],
  ['an unknown key', 'validate = [["true"]]\nvalidat = 1', /validat/u],
])('given a file that holds %s, when it is read, then it is refused in words', (_what, text, words) => {
  const read = parseChecks(text);

  expect(read.kind).toBe('invalid');
  expect(read.kind === 'invalid' && read.problem).toMatch(words);
});
