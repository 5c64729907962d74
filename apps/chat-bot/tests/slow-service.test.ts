/** A bot with a slow chat service polls for work all the while, so it keeps its lease, and shows each card once. */
import type { Delivery, DeliveryReport, WorkAnswer } from '@drover/protocol/channels';
import { expect, test } from 'vitest';
import type { Channel, Shown } from '../src/channel.ts';
import type { Coordinator } from '../src/coordinator/client.ts';
import { runChannel } from '../src/run-channel.ts';
import { CoordinatorDouble, testCard, testNature, waitFor } from '../src/testing/index.ts';

const FAILED: Shown = { kind: 'failed', error: 'slow down', retryAfterMs: 60_000, isFinal: false };

const CARD: Shown = { kind: 'shown', ref: 'card' };

function deliveryOf(number: number, address: string): Delivery {
  const escalation = `01900000-0000-7000-9000-${String(number).padStart(12, '0')}`;
  return { address, ref: null, ping: true, pings: 1, card: testCard({ escalation }) };
}

/** Runs a bot with this service; each call for work is answered with the next of `given`, then it waits. */
async function serving(given: readonly WorkAnswer[], show: (delivery: Delivery) => Promise<Shown>) {
  const nature = testNature();
  const stop = new AbortController();
  const [answers, reports] = [[...given], [] as DeliveryReport[]];
  let calls = 0;
  const double = new CoordinatorDouble('7');
  const coordinator: Coordinator = {
    ...double,
    press: (request) => double.press(request),
    link: (request) => double.link(request),
    command: (request) => double.command(request),
    move: (request) => double.move(request),
    release: () => Promise.resolve(),
    report: (_escalation, report) => Promise.resolve(void reports.push(report)),
    work: async (_waitSecs, signal) => {
      calls += 1;
      const answer = answers.shift();
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
      return { kind: 'work', deliveries: [] };
    },
  };
  const channel: Channel = {
    name: 'slack',
    show,
    listen: (_desk, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  };
  const over = runChannel(nature, { channel, coordinator, holder: 'process-1' }, stop.signal);
  return {
    reports,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await over;
    },
  };
}

test('given a card that takes long, when it is given again meanwhile, then the bot asks for work all the while and shows it once', async () => {
  const slow = Promise.withResolvers<Shown>();
  const shown: string[] = [];
  const again: WorkAnswer = { kind: 'work', deliveries: [deliveryOf(1, '7')] };
  await using bot = await serving([again, again, again], ({ address }) => {
    shown.push(address);
    return slow.promise;
  });

  await waitFor('three calls for work beside the card', () => bot.calls() > 3).finally(() => slow.resolve(CARD));
  await waitFor('its report', () => bot.reports.length > 0);

  expect(shown).toEqual(['7']);
  expect(bot.reports).toMatchObject([{ kind: 'shown', ref: 'card' }]);
});

test('given a service that wants a pause of one chat, when more is due there and elsewhere, then the other chat goes on and this one waits', async () => {
  const shown: string[] = [];
  const numbers = Array.from({ length: 8 }, (_, at) => at + 1);
  const deliveries = [...numbers.map((number) => deliveryOf(number, 'busy')), deliveryOf(9, 'other')];
  await using bot = await serving([{ kind: 'work', deliveries }], ({ address }) => {
    shown.push(address);
    return Promise.resolve(address === 'busy' ? FAILED : CARD);
  });

  await waitFor('the other chat', () => bot.reports.some(({ kind }) => kind === 'shown'));
  await new Promise(setImmediate);

  // Five cards were in progress at that time.
  expect(shown.filter((address) => address === 'busy')).toHaveLength(5);
});

test('given cards that wait, when another process has the work, then none of them begins', async () => {
  const slow = Promise.withResolvers<Shown>();
  let shown = 0;
  const deliveries = Array.from({ length: 9 }, (_, at) => deliveryOf(at + 1, '7'));
  await using bot = await serving([{ kind: 'work', deliveries }, { kind: 'stand-by' }], () => {
    shown += 1;
    return slow.promise;
  });

  await waitFor('the call behind the word that it stands by', () => bot.calls() > 2).finally(() => slow.resolve(CARD));
  await waitFor('the reports', () => bot.reports.length === 5);

  expect(shown).toBe(5);
});

test('given a card that waits for its turn, when it is given again without an alarm, then it is shown as it is by then', async () => {
  const slow = Promise.withResolvers<Shown>();
  const shown: Delivery[] = [];
  // Five cards are shown at once.
  const first = [1, 2, 3, 4, 5].map((number) => deliveryOf(number, String(number)));
  const [old, newer] = [deliveryOf(6, '6'), { ...deliveryOf(6, '6'), ping: false }];
  const given = [[...first, old], [newer]].map((deliveries): WorkAnswer => ({ kind: 'work', deliveries }));
  await using bot = await serving(given, (delivery) => {
    shown.push(delivery);
    return slow.promise;
  });

  await waitFor('both answers', () => bot.calls() > 2).finally(() => slow.resolve(CARD));
  await waitFor('six reports', () => bot.reports.length === 6);

  expect(shown.filter(({ address }) => address === '6')).toEqual([newer]);
});
