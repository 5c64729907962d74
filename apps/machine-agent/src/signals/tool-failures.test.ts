/** Checks that failed tools are reported in the time of their readers. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { expect, onTestFinished, test } from 'vitest';
import { AgentDatabase, openDirectory } from '../store/database.ts';
import { Outbox } from '../store/outbox.ts';
import { ToolFailures } from './tool-failures.ts';

const NOW = 1_900_000_000_000;
const HOUR_MS = 3_600_000;
const WORKER = '11111111-1111-4111-8111-111111111111';

/** Report of a service that refuses everybody for a minute, as a hook on the machine wrote it. */
function failureAt(at: number): string {
  const retry = { kind: 'retry', attempt: 1, attemptsMax: 3, delayMs: 5_000, notBefore: at + 5_000, timeoutFactor: 1 };
  const words = {
    conversation: 'c',
    tool: 'Bash',
    name: 'curl',
    rule: 'r',
    evidence: 'e',
    signature: 's',
    operation: 'o',
  };
  const pauseAccount = { service: 'api.example.com', until: at + 60_000 };
  return `${JSON.stringify({ at, ...words, class: 'rate_limit', phase: null, action: retry, pauseAccount })}\n`;
}

/** Agent whose clock stands at `NOW`, and the file of failures that it reads. */
function open(): { readonly outbox: Outbox; readonly path: string; readonly failures: ToolFailures } {
  const directory = mkdtempSync(join(tmpdir(), 'drover-failures-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const db = new AgentDatabase(openDirectory(directory));
  onTestFinished(() => db[Symbol.dispose]());
  const outbox = new Outbox(db, { now: () => NOW, elapsed: () => NOW, after: () => () => {} });
  const failures = new ToolFailures(createLocalHost({ env: {} }), db, outbox);
  return { outbox, path: join(directory, 'failures.jsonl'), failures };
}

test.each([0, HOUR_MS, -HOUR_MS])(
  'given a machine whose clock is ahead by %d ms, when tools fail in two lives of a pane, then each has its life, and times are those of here',
  async (offsetMs) => {
    const { outbox, path, failures } = open();
    for (const at of [NOW - 120_000, NOW - 1_000]) appendFileSync(path, failureAt(at + offsetMs));

    await failures.tell({ workerId: WORKER, incarnation: 'i', openedAt: NOW - 60_000, offsetMs, path });

    const told = outbox.after(0).map(({ body }) => (body.kind === 'tool-failed' ? body : undefined));
    expect(told.map((one) => [one?.incarnation, one?.report.at])).toEqual([
      [null, NOW - 120_000],
      ['i', NOW - 1_000],
    ]);
    expect(told[1]?.report).toMatchObject({
      pauseAccount: { until: NOW + 59_000 },
      action: { notBefore: NOW + 4_000 },
    });
  },
);

test('given a machine whose clock says 9999, when its past is told, then no time is before 1970, which no coordinator reads', async () => {
  const { outbox, path, failures } = open();
  appendFileSync(path, failureAt(NOW));

  await failures.tell({ workerId: WORKER, incarnation: 'i', openedAt: NOW, offsetMs: 253_402_300_799_000 - NOW, path });

  const [told] = outbox.after(0);
  expect(told?.body).toMatchObject({ report: { at: 0, pauseAccount: { until: 0 } } });
});
