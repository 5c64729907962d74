import type { CommandEnvelope } from '@drover/protocol';
import { expect, test } from 'vitest';
import { MemoryDisk } from '../testing/memory-disk.ts';
import { Journal, placeOf } from './journal.ts';
import { Outbox } from './outbox.ts';

const WORKER = '11111111-1111-4111-8111-111111111111';

function id(count: number): string {
  return `33333333-3333-4333-8333-${String(count).padStart(12, '0')}`;
}

function commandOf(count: number, what: CommandEnvelope['body']): CommandEnvelope {
  const project = {
    id: id(0),
    root: '/p',
    source: '/s',
    defaultBranch: 'main',
    copyFiles: [],
    validate: [],
    validateFrom: 'config' as const,
  };
  const settings = { workerId: WORKER, name: 'w', profile: 'claude', model: null, skipPermissions: false };
  return {
    id: id(count),
    epoch: 1,
    timeoutMs: 1_000,
    settings: {
      ...settings,
      allowedTools: [],
      sessionWidth: 80,
      sessionHeight: 24,
      env: {},
      project: {
        ...project,
        keep: [],
        trust: {},
        setup: [],
        workerSetup: [],
        validateTimeoutMs: 1,
        runHooks: false,
        branchPrefix: 'drover',
        agentPush: false,
        follow: 'nothing',
        publish: 'main',
        openRequest: [],
      },
    },
    body: what,
  };
}

function journalOn(disk: MemoryDisk): Journal {
  const db = disk.open();
  return new Journal(db, new Outbox(db, { now: () => 7, elapsed: () => 7, after: () => () => {} }));
}

test('given an old command and many queries, when they are done, then the command is still known', () => {
  const journal = journalOn(new MemoryDisk());
  const close = commandOf(1, { kind: 'command', seq: 1, command: { kind: 'close' } });
  journal.receive(close);
  journal.finish(placeOf(close), { kind: 'closed' });

  for (let count = 2; count < 300; count += 1) {
    const question = commandOf(count, { kind: 'query', query: { kind: 'read-screen' } });
    journal.receive(question);
    journal.finish(placeOf(question), { kind: 'pane', text: '' });
  }

  expect(journal.bySeq(WORKER, 1)?.result).toEqual({ kind: 'closed' });
});

test('given more commands than are kept, when they are done, then the oldest make room and the newest stay', () => {
  const journal = journalOn(new MemoryDisk());

  for (let seq = 1; seq <= 320; seq += 1) {
    const close = commandOf(seq, { kind: 'command', seq, command: { kind: 'close' } });
    journal.receive(close);
    journal.finish(placeOf(close), { kind: 'closed' });
  }

  expect(journal.oldestSeq(WORKER)).toBeGreaterThan(200);
  expect(journal.bySeq(WORKER, 221)).toBeDefined();
});

test('given a text and a reading after it, when the delivery before is asked for, then it is that text', () => {
  const journal = journalOn(new MemoryDisk());
  const text = { incarnation: 'i', text: 'do it', textId: 't', method: 'profile', settleMs: 0 } as const;
  const how = { mayQueue: false, clearFirst: false, enterOnly: false };
  const deliver = commandOf(1, { kind: 'command', seq: 1, command: { kind: 'deliver', ...text, ...how } });
  const observe = { kind: 'observe', base: null, delivery: 1 } as const;

  for (const command of [deliver, commandOf(2, { kind: 'command', seq: 2, command: observe })]) {
    journal.receive(command);
    journal.finish(placeOf(command), { kind: 'unknown', why: '' });
  }

  expect(journal.deliveryBefore(WORKER, 3)?.command.id).toBe(deliver.id);
});

test('given a command that a newer build began, when an older one opens the journal, then it still tells how that ended', () => {
  const disk = new MemoryDisk();
  const newer = { kind: 'command', seq: 3, command: { kind: 'teleport' } } as unknown as CommandEnvelope['body'];
  journalOn(disk).receive(commandOf(3, newer));
  const db = disk.open();
  const outbox = new Outbox(db, { now: () => 7, elapsed: () => 7, after: () => () => {} });
  const journal = new Journal(db, outbox);

  const [place] = journal.unfinished();
  if (place !== undefined) journal.finish(place, { kind: 'unknown', why: 'it ended' });

  const result = { kind: 'unknown', why: 'it ended' };
  expect([...outbox.after(0)].map(({ body }) => body)).toEqual([
    { kind: 'result', workerId: WORKER, commandId: id(3), seq: 3, result },
  ]);
  expect(journal.bySeq(WORKER, 3)).toEqual({ state: 'done', notes: null, result });
});

test('given an agent that ended within a transaction, when the next one opens the disk, then nothing of it is there', () => {
  const disk = new MemoryDisk();
  const db = disk.open();
  db.prepare('BEGIN IMMEDIATE').run();
  db.setFact('half', 'done');
  db[Symbol.dispose]();

  const next = disk.open();

  expect(next.maybeFact('half')).toBeUndefined();
  expect(() => db.maybeFact('half')).toThrow(/closed its database/);
});
