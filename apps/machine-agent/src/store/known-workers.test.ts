// Checks that what is kept for a worker, or for a name, does not stay for ever.
import { expect, test } from 'vitest';
import { MemoryDisk } from '../testing/memory-disk.ts';
import { Journal } from './journal.ts';
import { failuresTold, KnownWorkers } from './known-workers.ts';
import { Outbox } from './outbox.ts';

test('given a worker whose failed tools were reported, when it is removed, then nothing of it is kept', () => {
  const db = new MemoryDisk().open();
  const workers = new KnownWorkers(db);
  workers.rememberIncarnation('i', { workerId: 'w', conversation: 'c', openedAt: 1 });
  db.setFact(failuresTold('w'), '12');
  db.setFact(failuresTold('other'), '7');

  workers.forgetWorker('w');

  expect(workers.incarnationOf('i')).toBeUndefined();
  expect(db.maybeFact(failuresTold('w'))).toBeUndefined();
  expect(db.maybeFact(failuresTold('other'))).toBe('7');
});

test('given a worker that was removed, when a thousand commands have come since, then its own are forgotten and no others', () => {
  const db = new MemoryDisk().open();
  const workers = new KnownWorkers(db);
  const journal = new Journal(db, new Outbox(db, { now: () => 7, elapsed: () => 7, after: () => () => {} }));
  db.prepare("INSERT INTO settings (worker, body) VALUES ('stays', '{}')").run();
  const conclude = (workerId: string, count: number): void =>
    journal.conclude(
      { id: `command-${count}`, workerId, seq: 1 },
      { kind: 'failed', code: 'gone', message: 'It is gone', retry: false },
    );
  conclude('removed', 1);
  conclude('stays', 2);
  for (let count = 3; count <= 1_000; count += 1) conclude(`later-${count}`, count);

  workers.forgetWorker('removed');
  const early = journal.newestSeq('removed');
  conclude('later', 1_001);
  conclude('later', 1_002);
  workers.forgetWorker('another');

  expect(early).toBe(1);
  expect(['removed', 'stays', 'later-3'].map((worker) => journal.newestSeq(worker))).toEqual([0, 1, 1]);
});

test('given more names of conversations than are kept, when another comes, then the oldest is forgotten', () => {
  const workers = new KnownWorkers(new MemoryDisk().open());

  for (let count = 1; count <= 5_001; count += 1) workers.nameConversation(`wanted-${count}`, `actual-${count}`);

  expect(workers.conversationNamed('wanted-1')).toBe('wanted-1');
  expect(workers.conversationNamed('wanted-2')).toBe('actual-2');
  expect(workers.conversationNamed('wanted-5001')).toBe('actual-5001');
});
