/** Each event is counted once, after its commit, and under labels to which no outsider can add. */
import { readFileSync } from 'node:fs';
import { newWorker } from '@drover/core';
import type { Decision, DecisionRecord, RuleName } from '@drover/core';
import { expect, test } from 'vitest';
import { createCounters } from './count.ts';
import { createPage } from './gauges.ts';
import { createMetrics } from './metrics.ts';

function decisionWith(
  records: readonly DecisionRecord[],
  rules: readonly RuleName[] = ['answer:Yes, by all means'],
): Decision {
  const consequences = { machine: null, profile: null, account: null, opened: null, starts: false, checkout: null };
  return {
    kind: 'decided',
    worker: newWorker(),
    commands: [],
    records,
    reply: { kind: 'accepted' },
    rules,
    consequences,
  };
}

test('given an incident that is recovered, when it is counted, then attempts and times are there', async () => {
  const metrics = createMetrics();
  const recovered = {
    kind: 'recovered',
    incident: 'i',
    code: 'AGENT_CRASHED',
    attempts: 2,
    level: 1,
    sinceMs: 2_000,
  } as const;

  createCounters(metrics).decided({
    before: newWorker(),
    event: { kind: 'up-requested' },
    decision: decisionWith([recovered]),
    now: 5,
    seenAt: null,
  });

  const page = await metrics.registry.metrics();
  expect(page).toContain('drover_recoveries_total{code="AGENT_CRASHED",level="1",outcome="recovered"} 1');
  expect(page).toContain('drover_retries_before_success_sum{code="AGENT_CRASHED"} 2');
  expect(page).toContain('drover_recover_seconds_sum{code="AGENT_CRASHED"} 2');
});

test('given failed tools, when they are counted, then class and way are labels', async () => {
  const metrics = createMetrics();
  const failed = {
    kind: 'error',
    incident: null,
    code: 'TOOL_FAILED',
    message: 'npm failed (timeout)',
    details: null,
    component: 'tool:Bash',
    context: { toolClass: 'timeout' },
    retryCount: 0,
    strategy: 'retry',
    durationMs: null,
  } as const;
  const records = [failed, { ...failed, strategy: 'skip' } as const, { ...failed, context: {} }];

  createCounters(metrics).decided({
    before: newWorker(),
    event: { kind: 'up-requested' },
    decision: decisionWith(records),
    now: 5,
    seenAt: null,
  });

  const page = await metrics.registry.metrics();
  expect(page.match(/^drover_tool_failures_total\{.*$/gmu)).toEqual([
    'drover_tool_failures_total{class="timeout",way="retried"} 1',
    'drover_tool_failures_total{class="timeout",way="filed"} 1',
  ]);
});

test('given a rule with words of a screen, when it is counted, then they are no label', async () => {
  const metrics = createMetrics();

  createCounters(metrics).decided({
    before: newWorker(),
    event: { kind: 'up-requested' },
    decision: decisionWith([]),
    now: 5,
    seenAt: null,
  });

  const page = await metrics.registry.metrics();
  expect(page).toContain('drover_decisions_total{event="up-requested",rule="answer"} 1');
  expect(page).not.toContain('by all means');
});

test('given a page that was just read, when it is asked for again, then the store is not', async () => {
  let reads = 0;
  let now = 0;
  const store = {
    countWorkers: () => {
      reads += 1;
      return Promise.resolve(new Map([['idle', 7]] as const));
    },
    listMachines: () => Promise.resolve([]),
    nextDueAt: () => Promise.resolve(now - 3_000),
  };
  const pool = { totalCount: 4, idleCount: 1, waitingCount: 2 };
  const page = createPage(createMetrics(), { store, clock: { now: () => now }, pool, leases: undefined });

  const [first] = [await page(), await page()];
  now = 5_000;
  await page();

  expect(reads).toBe(2);
  expect(first).toContain('drover_database_connections{state="busy"} 3');
  expect(first).toContain('drover_workers{status="idle"} 7');
  expect(first).toContain('drover_workers{status="error"} 0');
  expect(first).toContain('drover_due_work_overdue_seconds 3');
});

test('given every metric, when its page is read, then it names each with its labels, and no other', async () => {
  const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
  const known = await createMetrics().registry.getMetricsAsJSON();

  const told = [...page.matchAll(/^\| `(drover_\w+)`/gmu)].map(([, name]) => name);

  expect(told.toSorted()).toEqual(known.map(({ name }) => name).toSorted());
});
