/** Tests the report of a run. */
import type { RunView } from '@drover/api';
import { expect, test } from 'vitest';
import type { Page } from '../../program/answer.ts';
import { runReportText } from './report-text.ts';

const PAGE = { now: 3_600_000, terminal: { colours: false, columns: 200 } } as unknown as Page;
const ITEM = {
  name: 'build',
  status: 'failed',
  why: 'tries spent',
  attempt: 2,
  worker: 'adam',
  profile: 'claude',
  commit: null,
  summary: '',
  report: '',
  failures: [{ code: 'AGENT_INVALID_OUTPUT', problem: 'There is no file.' }],
  tokens: null,
};
const RUN: RunView = {
  id: '01900000-0000-7000-9000-0000000000aa',
  shortId: '000000aa',
  project: 'shop',
  flow: 'change',
  goal: 'Add a flag',
  status: 'failed',
  why: 'build failed',
  stage: null,
  by: 'mia',
  createdAt: 0,
  updatedAt: 1_800_000,
  endedAt: 1_800_000,
  stages: [{ name: 'build', kind: 'task', status: 'failed', why: 'tries spent', items: [ITEM], findings: [] }],
  questions: [],
  degradation: { level: 'failed', summary: 'The author is lost.', capabilities: [] },
  budget: {
    limit: { timeMs: 6_000_000, tokens: null, money: null },
    spent: { timeMs: 600_000, tokens: null, money: null },
  },
  merged: null,
  base: 'b',
  retryOf: null,
  seq: 9,
};

test('given a run that failed, when it is reported, then its failures, its use, lost messages and the way on are named', () => {
  const message = { id: RUN.id, at: 1, from: 'ada', to: 'bea', text: 'x', why: 'gone' };
  const messages = [
    { ...message, state: 'expired' as const },
    { ...message, state: 'delivered' as const, why: null },
  ];

  const text = runReportText({ run: RUN, messages }, PAGE);

  expect(text).toContain('build: AGENT_INVALID_OUTPUT: There is no file.');
  expect(text).toContain('Spent: 10 min of 100 min, tokens not told.');
  expect(text).toContain('Messages of its agents: 2, of which 1 did not arrive.');
  expect(text).toContain('Next: drover run retry 000000aa --dry-run');
});

test('given a run that finished without a failure, when it is reported, then nothing is left to do', () => {
  const stages = RUN.stages.map((stage) => ({
    ...stage,
    status: 'passed',
    items: [{ ...ITEM, status: 'passed', failures: [] }],
  }));
  const degradation = { level: 'full', summary: '', capabilities: ['review'] };
  const text = runReportText({ run: { ...RUN, status: 'finished', stages, degradation }, messages: [] }, PAGE);
  expect(text).toContain('No attempt failed.');
  expect(text).toContain('It is full; it can still: review.');
  expect(text).not.toContain('Next:');
});
