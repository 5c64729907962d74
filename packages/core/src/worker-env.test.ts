import { expect, test } from 'vitest';
import { envNameProblem, envValueProblem, lowestFree, workerEnv } from './worker-env.ts';

const FACTS = { index: 2, worker: 'adam', project: 'shop' };

test.each([
  ['{{index}}', '2'],
  ['{{3000 + index}}', '3002'],
  ['{{3000+index*10}}', '3020'],
  ['{{ index * 5 }}', '10'],
  ['{{project}}-{{worker}}', 'shop-adam'],
  ['http://localhost:{{3000 + index}}/', 'http://localhost:3002/'],
  ['as it is', 'as it is'],
])('given the template %s, when it is filled for a worker, then it is %s', (template, value) => {
  expect(envValueProblem(template)).toBeNull();
  expect(workerEnv({ PORT: template }, FACTS)).toEqual({ PORT: value });
});

test('given a name of a project with a pattern of replacements, when it is filled in, then it stays as it is', () => {
  expect(workerEnv({ NAME: '{{project}}' }, { ...FACTS, project: '$& {{worker}}' })).toEqual({ NAME: '$& {{worker}}' });
});

test.each([
  ['{{port}}', /expected \{\{index\}\}.*\{\{3000 \+ index\}\}.*got \{\{port\}\}/u],
  ['{{index - 1}}', /got \{\{index - 1\}\}/u],
  ['{{index + 3000}}', /got \{\{index \+ 3000\}\}/u],
  ['{{constructor}}', /got \{\{constructor\}\}/u],
  ['{{}}', /got \{\{\}\}/u],
  ['{{index', /got "\{\{" alone/u],
  ['two\nlines', /one line/u],
])(
  'given %j, when it is judged as a template, then the words say what is expected and what was found',
  (template, words) => {
    expect(envValueProblem(template)).toMatch(words);
  },
);

test.each([
  ['PORT', null],
  ['_x1', null],
  ['1PORT', /expected a name of letters/u],
  ['A-B', /expected a name of letters/u],
  ['', /expected a name of letters/u],
  ['DROVER_URL', /the variable DROVER_URL is reserved/u],
  ['GIT_INDEX_FILE', /is reserved/u],
  ['CLAUDECODE', /is reserved/u],
  ['TMUX', /is reserved/u],
])('given the name %j, when it is judged, then only a name that programs may get is taken', (name, words) => {
  const problem = envNameProblem(name);
  if (words === null) expect(problem).toBeNull();
  else expect(problem).toMatch(words);
});

test('given numbers that are taken, when a worker comes, then it gets the lowest that is free', () => {
  expect([[], [0], [0, 1, 3], [1, 2], [0, 0, 1]].map(lowestFree)).toEqual([0, 1, 2, 0, 2]);
});
