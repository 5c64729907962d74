/** The page of `drover report` says how much is over, and how each class of failed tools ended. */
import type { ReportView } from '@drover/api';
import { expect, test } from 'vitest';
import type { Terminal } from '../../terminal/terminal.ts';
import { reportText } from './report-text.ts';

const REPORT: ReportView = {
  worker: null,
  since: 0,
  now: 24 * 3_600_000,
  errors: [],
  inAll: { errors: 0, over: 0 },
  tools: [],
  incidents: { total: 0, open: 0, recovered: 0, escalated: 0, resolved: 0, cancelled: 0, recoveryRate: null },
  recoveries: [],
  timeToDetectMs: null,
  timeToRecoverMs: null,
  retriesBeforeSuccess: [],
  escalations: { total: 0, open: 0, resolved: 0, expired: 0, cancelled: 0 },
  cost: {
    inAll: { tokens: null, cachedTokens: null, dollars: null, moreTokens: false, moreDollars: false, workedMs: 0 },
    otherTasks: 0,
    tasks: [],
    workers: [],
    projects: [],
    days: [],
  },
  suggestions: [],
  references: [],
};

const TERMINAL = { colours: false, columns: 120 } as Terminal;

test('given failed tools, when the report is printed, then it sums up and names what was done and how it ended', () => {
  const zero = { retried: 0, filed: 0, asked: 0, logged: 0, recovered: 0, answered: 0, calledOff: 0 };
  const tools = [
    { ...zero, class: 'rate_limit', count: 3, retried: 2, asked: 1, recovered: 2 },
    { ...zero, class: 'unknown', count: 1, logged: 1, calledOff: 1 },
  ];

  const text = reportText(
    { ...REPORT, inAll: { errors: 4, over: 3 }, tools, escalations: { ...REPORT.escalations, total: 1, open: 1 } },
    { terminal: TERMINAL },
  );

  const lines = text.split('\n').map((line) => line.trim().replaceAll(/ {2,}/gu, ' | '));
  expect(lines).toContain('4 errors | 3 over (75 %) | 1 escalation');
  expect(lines).toContain('rate limit | 3 times | 2 told to try again, 1 asked about | 2 recovered, 1 open');
  expect(lines).toContain('unknown | once | 1 only logged | 1 called off');
});

test('given nothing, when the report is printed, then it says that nothing went wrong', () => {
  expect(reportText(REPORT, { terminal: TERMINAL })).toBe(
    'Recovery and cost of all workers, in the last 24h\n\nNothing went wrong.',
  );
});

test('given work of two programs, when the report is printed, then it tells what each cost, and says what is unknown', () => {
  const told = {
    tokens: 1_200,
    cachedTokens: 30,
    dollars: 0.5,
    moreTokens: false,
    moreDollars: false,
    workedMs: 120_000,
  };
  const silent = {
    tokens: null,
    cachedTokens: null,
    dollars: null,
    moreTokens: true,
    moreDollars: true,
    workedMs: 60_000,
  };
  const cost = {
    inAll: { ...told, moreTokens: true, moreDollars: true, workedMs: 180_000 },
    otherTasks: 2,
    tasks: [
      { ...told, task: 'a', worker: 'adam', prompt: 'Add a flag' },
      { ...silent, task: 'b', worker: 'pia', prompt: null },
    ],
    workers: [
      { ...told, worker: 'adam' },
      { ...silent, worker: 'pia' },
    ],
    projects: [{ ...told, project: 'shop' }],
    days: [
      { ...told, day: 1, date: '2026-11-29' },
      { ...told, day: 0, date: '2026-11-28' },
    ],
  };

  const text = reportText({ ...REPORT, cost }, { terminal: TERMINAL });

  const lines = text.split('\n').map((line) => line.trim().replaceAll(/ {2,}/gu, ' | '));
  expect(lines).toContain('in all | at least 1200 tokens and 30 cached | at least $0.50 | 3m at work');
  expect(lines).toContain('worker pia | tokens unknown | dollars unknown | 1m at work');
  expect(lines).toContain('task of adam | 1200 tokens and 30 cached | $0.50 | 2m at work | Add a flag');
  expect(lines).toContain('task of pia | tokens unknown | dollars unknown | 1m at work | b');
  expect(lines).toContain('2 other tasks | of less cost');
  expect(lines).toContain('day of 2026-11-29 | 1200 tokens and 30 cached | $0.50 | 2m at work');
  expect(text).not.toContain('project shop');
});
