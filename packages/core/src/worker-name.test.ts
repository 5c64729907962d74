import { expect, test } from 'vitest';
import { workerNameProblem } from './worker-name.ts';

test.each(['a', 'adam', 'api-2', 'a'.repeat(31)])('given the name %j, when it is checked, then it is good', (name) => {
  expect(workerNameProblem(name)).toBeNull();
});

test.each(['', 'Adam', '2nd', '-a', 'a.b', 'a_b', 'a b', 'a/b', 'adam\n', 'é', 'a'.repeat(32)])(
  'given the name %j, when it is checked, then the problem quotes it and states the rule',
  (name) => {
    const problem = workerNameProblem(name);

    expect(problem).toContain(JSON.stringify(name));
    expect(problem).toContain('starting with a letter');
  },
);
