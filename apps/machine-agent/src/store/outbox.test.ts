import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObservationBody } from '@drover/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { AgentDatabase, openDirectory } from './database.ts';
import { Outbox } from './outbox.ts';

const WORKER = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'drover-outbox-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Bytes of the buffer in these tests. */
const BYTES_MAX = 4_000_000;

function open(dir: string): { db: AgentDatabase; outbox: Outbox } {
  const db = new AgentDatabase(openDirectory(dir));
  onTestFinished(() => db[Symbol.dispose]());
  const clock = { now: () => 7, elapsed: () => 7, after: () => () => {} };
  return { db, outbox: new Outbox(db, clock, { bytesMax: BYTES_MAX }) };
}

function screen(workerId: string, fingerprint: string): ObservationBody {
  const state = { kind: 'starting' } as const;
  const reading = { at: 0, state, fingerprint, progress: '', rule: '' };
  return { kind: 'screen', workerId, incarnation: 'i', reading };
}

function exit(workerId: string): ObservationBody {
  const facts = { incarnation: 'i', status: 1, signal: null, lastLines: [], limit: null, at: 0 };
  return { kind: 'exit', workerId, exit: facts };
}

/** Adds to the buffer in a transaction that is rolled back. */
function takeBack({ db, outbox }: { db: AgentDatabase; outbox: Outbox }, body: ObservationBody): void {
  const adding = (): void =>
    db.transaction(() => {
      outbox.add(body);
      throw new Error('the disk is full');
    });
  expect(adding).toThrow('the disk is full');
}

test('given screens of two workers and an exit (O1, O3), when more screens come, then the newest of each and the exit stay', () => {
  const { outbox } = open(directory());

  for (const fingerprint of ['a', 'b']) outbox.add(screen(WORKER, fingerprint));
  outbox.add(exit(WORKER));
  outbox.add(screen(OTHER, 'c'));
  outbox.add(screen(WORKER, 'd'));

  const told = outbox.after(0).map(({ body }) => (body.kind === 'screen' ? body.reading.fingerprint : body.kind));
  expect(told).toEqual(['exit', 'c', 'd']);
});

test('given observations that were acknowledged, when the agent starts anew (O2), then no number is used again', () => {
  const dir = directory();
  const first = open(dir);
  first.outbox.add(exit(WORKER));
  const seq = first.outbox.after(0)[0]?.seq ?? 0;
  first.outbox.acknowledged(seq);
  first.db[Symbol.dispose]();

  const second = open(dir);
  second.outbox.add(exit(OTHER));

  expect(second.outbox.after(0)[0]?.seq).toBeGreaterThan(seq + 1_000);
});

test('given a buffer that is full (O1), when more comes, then screens make way and exits stay', () => {
  const { outbox } = open(directory());
  const line = 'x'.repeat(1_000_000);
  outbox.add(screen(OTHER, 'first'));

  for (let count = 0; count < 6; count += 1) {
    const facts = { incarnation: `${count}`, status: 1, signal: null, lastLines: [line], limit: null, at: 0 };
    outbox.add({ kind: 'exit', workerId: WORKER, exit: facts });
  }

  const kinds: string[] = [];
  for (let after = 0; ;) {
    const batch = outbox.after(after);
    if (batch.length === 0) break;
    kinds.push(...batch.map(({ body }) => body.kind));
    after = batch.at(-1)?.seq ?? after;
  }
  expect(kinds).toEqual(Array.from({ length: 6 }, () => 'exit'));
});

test('given an acknowledgement beyond what was told, when more is added (O1), then it is told', () => {
  const opened = open(directory());
  const { outbox } = opened;
  outbox.add(exit(WORKER));
  takeBack(opened, exit(WORKER));
  outbox.acknowledged(1_000_000_000);
  expect(outbox.hasAfter(0)).toBe(false);

  outbox.add(exit(OTHER));

  expect(outbox.hasAfter(0)).toBe(true);
  expect(outbox.after(0)).toMatchObject([{ body: { kind: 'exit', workerId: OTHER } }]);
  expect(outbox.after(outbox.after(0)[0]?.seq ?? 0)).toEqual([]);
});

test('given a buffer full of exits, when a screen comes, then it makes way itself, and there is nothing to say after the exits', () => {
  const { outbox } = open(directory());
  const facts = {
    incarnation: 'i',
    status: 1,
    signal: null,
    lastLines: Array.from({ length: 10 }, () => 'x'.repeat(250_000)),
    limit: null,
    at: 0,
  };
  for (const workerId of [WORKER, OTHER]) outbox.add({ kind: 'exit', workerId, exit: facts });

  outbox.add(screen(WORKER, 'too late'));

  expect(outbox.hasAfter(1)).toBe(true);
  expect(outbox.hasAfter(2)).toBe(false);
});

test('given an exit that was taken back with its transaction, when it is asked for news, then there is none before it is told again', () => {
  const opened = open(directory());
  const { outbox } = opened;

  takeBack(opened, exit(WORKER));

  expect(outbox.hasAfter(0)).toBe(false);
  outbox.add(exit(WORKER));
  expect(outbox.hasAfter(0)).toBe(true);
});
