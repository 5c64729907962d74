import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyToolFailure, failureSignature } from './classify.ts';
import { ALL_EXAMPLES, EXAMPLES } from './examples/all.ts';
import type { Example } from './examples/example.ts';
import { type Classification, FAILURE_CLASSES, type ToolFailure } from './failure.ts';

function failureOf(command: string, exitCode: number | null, text: string): ToolFailure {
  const isTool = /^[A-Z]\w+$/.test(command);
  return { tool: isTool ? command : 'Bash', command: isTool ? null : command, text, exitCode, phase: null };
}

function nameOf(found: Classification): string {
  return found.kind === 'result' ? found.rule : found.class;
}

function titleOf([expected, command, , text]: Example): string {
  const words = (text.split('\n')[0] ?? '').slice(0, 90);
  return `${command} that says "${words}", when it is classified, then it is ${expected}`;
}

describe.each(Object.entries(EXAMPLES))('%s', (_, examples) => {
  test.each(examples.map((example) => ({ example, title: titleOf(example) })))('given $title', ({ example }) => {
    const [expected, command, exitCode, text] = example;

    const found = classifyToolFailure(failureOf(command, exitCode, text));

    expect([nameOf(found), found]).toEqual([expected, found]);
  });
});

test('given the tables of examples, when they are counted, then there are at least 120 and every class has five', () => {
  expect(ALL_EXAMPLES.length).toBeGreaterThanOrEqual(120);
  for (const name of FAILURE_CLASSES)
    expect(ALL_EXAMPLES.filter(([expected]) => expected === name).length).toBeGreaterThan(4);
});

test('given any output in colours, when it is classified, then the colours change nothing', () => {
  for (const [expected, command, exitCode, text] of ALL_EXAMPLES) {
    const coloured = text.replace(/^/gm, '\u001b[31m').replace(/$/gm, '\u001b[0m');

    const found = classifyToolFailure(failureOf(command, exitCode, coloured));

    expect([text, nameOf(found)]).toEqual([text, expected]);
  }
});

test('given any text at all, when it is classified, then there is one class, a rule, and evidence of one short line', () => {
  const words = fc.constantFrom(
    '403',
    'timeout',
    ' ',
    '\n',
    ': ',
    'HTTP ',
    'error',
    "'",
    '\u001b[31m',
    '--> a.rs:1:1',
    'Killed',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(words, fc.string({ maxLength: 5 })), { maxLength: 30 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(
      text,
      fc.option(fc.integer({ min: 0, max: 255 })),
      fc.constantFrom(null, 'build', 'test', 'quality'),
      (said, exitCode, phase) => {
        const failure: ToolFailure = {
          tool: 'Bash',
          command: null,
          text: said,
          exitCode,
          phase: phase as ToolFailure['phase'],
        };

        const found = classifyToolFailure(failure);

        expect(found).toEqual(classifyToolFailure(failure));
        if (found.kind === 'failure') expect(FAILURE_CLASSES).toContain(found.class);
        expect(found.rule).not.toBe('');
        expect(found.evidence.length).toBeLessThanOrEqual(200);
        expect([...found.evidence].some((letter) => letter < ' ')).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('given a number that is a status of HTTP, when no word of HTTP stands near it, then it decides nothing', () => {
  const statuses = fc.constantFrom(400, 401, 403, 422, 429, 500, 502, 503, 504, 529);
  const places = fc.constantFrom(
    (n: number) => `failed at line ${n}`,
    (n: number) => `row ${n} of 900 differs`,
    (n: number) => `took ${n} ms`,
    (n: number) => `exit status ${n}`,
    (n: number) => `id=${n} name=x`,
    (n: number) => `${n} files changed`,
    (n: number) => `v1.${n}.0 is broken`,
    (n: number) => `HTTP server has ${n} routes`,
  );
  fc.assert(
    fc.property(statuses, places, (status, place) => {
      const found = classifyToolFailure(failureOf('node a.js', 1, `Error: ${place(status)}`));

      expect(nameOf(found)).toBe('unknown');
    }),
  );
});

test.each([
  ['fatal: Authentication failed for https://bob:hunter22@git.example/x', 'hunter22'],
  ['401 Unauthorized: Authorization: Bearer abcdef123456', 'abcdef123456'],
  ['permission denied: password=hunter22', 'hunter22'],
  ['permission denied: "api_key": "hunter22"', 'hunter22'],
])('given the output "%s", when it is classified, then its evidence does not hold the secret', (text, secret) => {
  const found = classifyToolFailure(failureOf('node a.js', 1, text));

  expect(nameOf(found)).toBe('permission');
  expect(found.evidence).not.toContain(secret);
});

test('given two outputs that differ in numbers and quoted names, when they are signed, then the signatures are the same', () => {
  const one = classifyToolFailure(failureOf('node a.js', 1, "Error: job 12 of 'alpha' broke"));
  const two = classifyToolFailure(failureOf('node a.js', 1, "Error: job 99 of 'beta' broke"));
  const three = classifyToolFailure(failureOf('node a.js', 1, 'Error: disk 12 broke'));

  expect(failureSignature('Bash', one)).toBe(failureSignature('Bash', two));
  expect(failureSignature('Bash', one)).not.toBe(failureSignature('Bash', three));
});
