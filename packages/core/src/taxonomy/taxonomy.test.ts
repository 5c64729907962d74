import { describe, expect, test } from 'vitest';
import { codeForAgentError, codeForExit, saysFatal } from './agent-codes.ts';
import { ERROR_CODES, ERRORS, firstLevel, isErrorCode } from './codes.ts';
import type { ErrorContext } from './definition.ts';
import { makeError, markRecovered, remediationOf } from './record.ts';
import { duration } from './wording.ts';

const FULL: ErrorContext = {
  worker: 'adam',
  machine: 'm1',
  project: 'shop',
  role: 'developer',
  task: 't1',
  run: 'r1',
  stage: 'build',
  profile: 'claude',
  program: 'claude',
  path: '/srv/shop',
  branch: 'drover/adam',
  session: 'drover-adam',
  argument: 'NAME',
  expected: 'a word',
  timeoutMs: 300_000,
  retryInMs: 7_000,
  exitStatus: 1,
  count: 3,
  said: 'disk\n full.',
};

describe('every code', () => {
  test.each(ERROR_CODES)('given %s, when its row is read, then category, kind and the two flags agree', (code) => {
    const { category, severity, kind, recoverable, retryable } = ERRORS[code];

    if (retryable) expect(recoverable).toBe(true);
    if (kind === 'transient') expect([retryable, recoverable]).toEqual([true, true]);
    if (kind === 'fatal') expect([retryable, recoverable]).toEqual([false, false]);
    if (severity === 'fatal') expect(kind).toBe('fatal');
    expect(firstLevel(code) === null).toBe(category === 'USER_ERROR');
  });

  test.each(ERROR_CODES)(
    'given %s, when it is told with all or no facts, then it reads as whole sentences with something to do',
    (code) => {
      for (const about of [{}, FULL]) {
        const message = ERRORS[code].message(about);
        const remediation = ERRORS[code].remediation(about);

        expect(message).toMatch(/^["A-Zt][^\n]*\.$/);
        expect(message + remediation.join(' ')).not.toMatch(/undefined|null|NaN|\[object| {2}[a-z]|\.\./);
        expect(remediation.length).toBeGreaterThan(0);
        for (const line of remediation) expect(line.trim()).not.toBe('');
      }
    },
  );

  test('given the table, when its codes are counted, then none is missing', () => {
    const categories = Map.groupBy(ERROR_CODES, (code) => ERRORS[code].category);

    expect(Object.fromEntries([...categories].map(([name, codes]) => [name, codes.length]))).toEqual({
      AGENT_ERROR: 14,
      WORKFLOW_ERROR: 14,
      SYSTEM_ERROR: 10,
      EXTERNAL_ERROR: 5,
      USER_ERROR: 1,
    });
    expect(isErrorCode('AGENT_CRASHED') && !isErrorCode('toString') && !isErrorCode('')).toBe(true);
  });
});

describe('what agents show and how they end', () => {
  test.each([
    ['rate-limit', '', 'RATE_LIMITED'],
    ['usage-limit', '', 'USAGE_LIMIT'],
    ['network', '', 'NETWORK_ERROR'],
    ['overloaded', '', 'SERVER_OVERLOADED'],
    ['tool', '', 'AGENT_INVALID_OUTPUT'],
    ['api', '', 'AGENT_API_ERROR'],
    ['auth', 'Please run /login · API Error: 403', 'AGENT_AUTH_REQUIRED'],
    ['auth', 'OAuth token has expired', 'AGENT_AUTH_EXPIRED'],
    ['context-exhausted', '', 'AGENT_CONTEXT_EXHAUSTED'],
    ['history-refused', '', 'AGENT_HISTORY_REFUSED'],
  ] as const)('given an agent error %s "%s", when its code is asked, then it is %s', (kind, text, code) => {
    expect(codeForAgentError(kind, text)).toBe(code);
  });

  test.each([
    ['unknown', 0, null, null],
    ['unknown', 130, null, null],
    ['user', 1, null, null],
    ['unknown', null, 2, null],
    ['crash', 1, null, 'AGENT_CRASHED'],
    ['unknown', 137, null, 'AGENT_CRASHED'],
    ['unknown', null, 9, 'AGENT_CRASHED'],
    ['unknown', 143, null, 'AGENT_CRASHED'],
    ['unknown', 127, null, 'AGENT_CLI_NOT_FOUND'],
    ['unknown', 126, null, 'PERMISSION_DENIED'],
    ['timeout', null, 15, 'AGENT_TIMEOUT'],
    ['unknown', null, null, 'AGENT_CRASHED'],
  ] as const)(
    'given an end by %s with status %s and signal %s, when its code is asked, then it is %s',
    (cause, status, signal, code) => {
      expect(codeForExit({ cause, status, signal })).toBe(code);
    },
  );

  test('given last words, when they are read, then only a statement at the start of a line is fatal', () => {
    const fatal = [
      'panic: runtime error',
      "thread 'main' panicked at src/main.rs:3:5:",
      '2026-11-20 10:00:00 FATAL no memory',
      'a\nfatal error: all goroutines are asleep',
    ];
    const harmless = [
      '+  panic("x")',
      'I fixed the panic: it came from a nil map',
      'non-fatal error',
      'the word FATAL in the middle of a long line',
    ];

    expect(fatal.map(saysFatal)).toEqual(fatal.map(() => true));
    expect(harmless.map(saysFatal)).toEqual(harmless.map(() => false));
  });
});

describe('rows', () => {
  test('given a code and facts, when a row is made, then it carries the columns and survives JSON', () => {
    const row = makeError('AGENT_TIMEOUT', {
      id: 'e1',
      now: 5,
      component: 'coordinator',
      context: FULL,
      durationMs: 300_000,
    });

    expect(row).toMatchObject({
      worker: 'adam',
      machine: 'm1',
      role: 'developer',
      task: 't1',
      run: 'r1',
      timestamp: 5,
      retryCount: 0,
      recovered: false,
    });
    expect(row.message).toBe(
      'The agent of worker "adam" did not answer within 5 min. It may be busy with a long task. Drover tries again in 7 s.',
    );
    expect(JSON.parse(JSON.stringify(row))).toEqual(row);
    expect(remediationOf(row)[0]).toBe('drover attach adam');
  });

  test('given a row, when the trouble is over twice, then the first time counts', () => {
    const row = makeError('INPUT_LOST', { id: 'e1', now: 5, component: 'coordinator', strategy: 'retry' });

    const once = markRecovered(row, 9);

    expect(once).toMatchObject({ recovered: true, recoveredAt: 9, strategy: 'retry' });
    expect(markRecovered(once, 12)).toBe(once);
  });

  test.each([
    [0, '0 ms'],
    [850, '850 ms'],
    [7_000, '7 s'],
    [300_000, '5 min'],
    [3_600_000, '60 min'],
    [11_400_000, '3 h 10 min'],
    [7_200_000, '2 h'],
    [604_800_000, '7 d'],
  ])('given %d ms, when a person reads it, then it is "%s"', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

test.each(ERROR_CODES)(
  'given %s, when its help is printed, then each line is a sentence, or a command that a shell takes as it is',
  (code) => {
    const context = { worker: 'adam', project: 'shop', path: '/data', program: 'claude', session: 'drover-adam' };

    const lines = [...remediationOf({ code, context }), ...remediationOf({ code, context: {} })];

    for (const line of lines) expect(line).toMatch(/^[A-Z].*[.]$|^[a-z][^()“”`]*$/u);
    for (const line of lines) expect(line).not.toMatch(/, then /u);
  },
);
