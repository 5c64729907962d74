/** Mail about questions: one mail for each call, several at once in one, and none for a card that only changed. */
import { expect, test } from 'vitest';
import { mailLane } from '../../src/mail/lane.ts';
import type { Mail, Mailer } from '../../src/context/mailer.ts';
import { Sender } from '../../src/sending/sender.ts';
import type { Context } from '../../src/context/context.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { respond } from '../../src/use-cases/escalations/respond.ts';
import { withPlaces } from '../support/calls.ts';
import { ANN, OPEN, open4 } from '../support/questions.ts';
import { asks, decided, inMemory } from '../support/scene.ts';

const MINUTE = 60_000;
const STEPS = [{ afterMs: 0, notify: ['email:ada@example.com'] }];

test('given a step that names an address, when a worker asks, then one mail has the question and the commands, and a comment sends none', async () => {
  await using scene = await mailed({});
  const { ctx, ask, round, sent } = scene;
  await ask(0);

  await round();
  const [question] = await listEscalations(ctx, OPEN, ANN);
  await respond(ctx, { id: question?.id ?? '', said: { kind: 'comment', text: 'I look' } }, ANN);
  await round();

  expect(sent).toMatchObject([{ to: 'ada@example.com', subject: expect.stringContaining('adam needs you') }]);
  expect(sent[0]?.text).toContain(`drover answer ${question?.shortId} --option retry`);
});

test('X5: given quiet hours, when several workers ask in them, then one mail comes at their end and lists all', async () => {
  // The clock of the tests begins at 00:16 on a Thursday in 1970.
  const quiet = { from: 0, to: 60, days: ['thu'], through: 'fatal' } as const;
  await using scene = await mailed({ quiet });
  const { ask, pass, round, sent } = scene;
  for (const worker of [0, 1, 2]) await ask(worker);
  await round();
  expect(sent).toEqual([]);

  await pass(60 * MINUTE);
  // Waits for others that were held back, too.
  await pass(3_000);
  await round();

  expect(sent).toMatchObject([{ subject: '[Drover] 3 questions wait for you' }]);
  expect(sent[0]?.text.match(/drover escalation show/gu)).toHaveLength(3);
});

test('given a server that refuses, when a mail is due, then it is tried again after a pause, and the reason is kept', async () => {
  await using scene = await mailed({});
  const { ctx, ask, pass, round, sent, fail } = scene;
  await ask(0);
  fail('554 no');
  await round();
  const [question] = await listEscalations(ctx, OPEN, ANN);
  expect(await ctx.store.listDeliveries(question?.id ?? '')).toMatchObject([
    { failures: 1, error: '554 no', shown: 0 },
  ]);

  fail(null);
  await round();
  expect(sent).toEqual([]);
  await pass(10_000);
  await round();

  expect(sent).toHaveLength(1);
});

test('X14: given words of an agent with control sequences and new lines, when they are mailed, then subject and text show them', async () => {
  await using scene = await mailed({});
  const { ask, round, sent } = scene;
  await ask(0, 'go on?\r\nBcc: eve@example.com\u001b[2J\u202e');

  await round();

  expect(sent[0]?.subject).toBe('[Drover] adam needs you: go on? Bcc: eve@example.com⟨U+001B⟩[2J⟨U+202E⟩');
});

test('X10: given a public address, when mail goes to the address of a person and to one of no person, then the link is in the first alone', async () => {
  await using scene = await mailed({ steps: [{ afterMs: 0, notify: ['person:ada', 'email:room@example.com'] }] });
  const { ctx, ask, round, sent, loopOf, nature } = scene;
  const ada = { id: '01900000-0000-7000-9000-00000000cccc', name: 'ada', role: 'responder', projectId: null } as const;
  await ctx.store.transaction(async (tx) => {
    await tx.insertPerson({ ...ada, createdAt: 1 });
    const mine = { channel: 'email', address: 'ada@example.com', personId: ada.id, projectId: null, createdAt: 1 };
    await tx.savePlace(mine);
  });
  await ask(0);

  await round();
  await ask(1);
  // The lease of the first replica has expired.
  nature.now += 150_000;
  await loopOf({ publicUrl: 'https://drover.example.com' }).round();

  const linkedTo = sent.map(({ to, text }) => [to, text.includes('https://drover.example.com/v1/actions?token=')]);
  expect(linkedTo.toSorted()).toEqual([
    ['ada@example.com', false],
    ['ada@example.com', true],
    ['room@example.com', false],
    ['room@example.com', false],
  ]);
});

test('given 80 people and a server that takes 1.5 s for each mail, when other replicas wait for the work all the while, then nobody gets a mail twice', async () => {
  const notify = Array.from({ length: 80 }, (_, at) => `email:person${at}@example.com`);
  await using scene = await mailed({ steps: [{ afterMs: 0, notify }] });
  const { ctx, ask, nature } = scene;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const clock = {
    ...ctx.clock,
    after: (ms: number, run: () => void) => {
      const timer = { at: nature.now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const pass = async (ms: number): Promise<void> => {
    nature.now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= nature.now)) {
      timers.delete(timer);
      timer.run();
    }
    await ctx.store.ping();
  };
  const got: string[] = [];
  const [slow, other] = [0, 1].map((replica) =>
    senderOf(
      { ...ctx, clock },
      {
        send: async ({ to }) => {
          got.push(to);
          await pass(1_500);
          if (replica === 0) await other?.round();
        },
      },
    ),
  );
  await ask(0);

  await slow?.round();

  expect(got).toHaveLength(80);
  expect(new Set(got).size).toBe(80);
});

test('given mails to nine people, when the server takes its time, then four are on their way at once, and no more', async () => {
  const notify = Array.from({ length: 9 }, (_, at) => `email:person${at}@example.com`);
  await using scene = await mailed({ steps: [{ afterMs: 0, notify }] });
  let [now, most] = [0, 0];
  const send = async (): Promise<void> => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
  };
  await scene.ask(0);

  await senderOf(scene.ctx, { send }).round();

  expect(most).toBe(4);
});

test('given a replica that cannot renew its lease, when it has more mails, then it begins none that could outlive the lease', async () => {
  const notify = Array.from({ length: 12 }, (_, at) => `email:person${at}@example.com`);
  await using scene = await mailed({ steps: [{ afterMs: 0, notify }] });
  const { ctx, ask, nature } = scene;
  let begun = 0;
  await ask(0);
  // No timer of this clock fires.
  const cut = senderOf(ctx, {
    send: () => {
      begun += 1;
      nature.now += 20_000;
      return Promise.resolve();
    },
  });

  await cut.round();

  // Four go at once, until a mail could outlive the lease.
  expect(begun).toBe(4);
});

function senderOf(ctx: Context, mailer: Mailer) {
  return new Sender(ctx, mailLane(ctx, mailer));
}

async function mailed(changes: Parameters<typeof withPlaces>[2]) {
  const scene = await withPlaces(inMemory, ['adam', 'bea', 'cleo'], { steps: STEPS, repeat: 0, ...changes });
  const { nature, workers } = scene;
  // A refused mail is a warning, which the context of the tests lets pass.
  const { ctx } = scene;
  const sent: Mail[] = [];
  let problem: string | null = null;
  const mailer = {
    send: (mail: Mail) => {
      if (problem !== null) return Promise.reject(new Error(problem));
      sent.push(mail);
      return Promise.resolve();
    },
  };
  const loop = senderOf(ctx, mailer);
  return {
    ...scene,
    /** Makes another sender that takes over, with these differences. */
    loopOf: (patch: Partial<typeof ctx>) => {
      nature.now += 120_000;
      return senderOf({ ...ctx, ...patch }, mailer);
    },
    sent,
    fail: (why: string | null): void => {
      problem = why;
    },
    round: () => loop.round(),
    ask: async (index: number, title?: string): Promise<void> => {
      const row = workers[index];
      const incident = nature.uuid();
      const asking = asks(incident);
      const record = title === undefined ? asking : { ...asking, question: { ...asking.question, title } };
      await decided(ctx, row?.id ?? '', { records: [record], patch: open4(incident) });
    },
  };
}
