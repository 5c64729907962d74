/** Limits of a hostile pane, a forged press and a failing service, in any channel. X8, X14. */
import { deliveryReport } from '@drover/protocol/channels';
import { describe, expect, test } from 'vitest';
import { testCard, waitFor } from '../src/testing/index.ts';
import { atWork, heard, PEERS } from './at-work.ts';

describe.each(PEERS)('%s', (_, start) => {
  test('X14: given a pane that prints mentions, when its question is shown, then the card mentions no person', async () => {
    await using bot = await atWork(start);

    const card = await bot.shown({
      title: '@everyone <!channel> @ada',
      pane: ['@here'],
      options: [{ label: '@all', needsText: false }],
    });

    expect(card.text + card.labels.join(' ')).not.toMatch(/@|<!channel>/u);
  });

  test('X14: given a card that is as large as one can be, and full of markup, when it is shown, then the service takes it, and people read it as it stands', async () => {
    await using bot = await atWork(start);
    const markup =
      '*b* _i_ ~s~ ||x|| `c` ```block``` # > <b>x</b> <http://x.example|y> [z](http://x.example) &amp; \\ ';
    const long = (max: number): string =>
      markup
        .repeat(Math.ceil(max / markup.length))
        .slice(0, max)
        .trimEnd();

    const card = await bot.shown({
      title: markup.trim(),
      worker: long(200),
      project: long(200),
      machine: long(200),
      body: long(1_000),
      pane: Array.from({ length: 12 }, () => long(100)),
      options: Array.from({ length: 50 }, (_, index) => ({ label: `${index} ${long(150)}`, needsText: false })),
    });

    expect(card.text).toContain(long(40));
    expect(card.text).toContain('It waits for an answer. #00000001');
    expect(card.labels[0]).toContain('0 *b* _i_');
    expect(bot.coordinator.reports).toMatchObject([{ kind: 'shown' }]);
  });

  test('given presses that somebody made up, when they come, then none reaches the coordinator, and the next true one counts', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    const forged = [
      '',
      'a',
      'a.AAAA.1.0',
      'a.AZAAAAAAcACQAAAAAAAAAQ.0.0',
      'a.AZAAAAAAcACQAAAAAAAAAQ.1.-1',
      'm..adam',
      '{"kind":"answer"}',
      'x'.repeat(60),
    ];
    // A press needs its seal too if everybody can send any payload.
    if (!bot.peer.traits.tells) forged.push('a.AZAAAAAAcACQAAAAAAAAAQ.1.0', 'a.AZAAAAAAcACQAAAAAAAAAQ.1.0 AAAA');

    for (const payload of forged) bot.peer.forge(ref, payload);
    const press = bot.peer.press(ref, 'Yes');

    await heard(bot, press);
    expect(bot.coordinator.presses).toMatchObject([{ button: { option: 0 } }]);
  });

  test.each([
    [1e15, 3_600_000],
    [0.25, 250],
    [-7, 0],
  ])(
    'X6: given a service that wants to be asked again after %d s, when it refuses a card, then the coordinator can read the report, and the card is shown',
    async (seconds, retryAfterMs) => {
      await using bot = await atWork(start);
      bot.peer.fault({ kind: 'rate-limit', seconds });
      bot.coordinator.show(testCard());

      await waitFor('the card', () => bot.peer.seen().length === 1);

      const [refused] = bot.coordinator.reports;
      expect(deliveryReport.parse(refused)).toMatchObject({ kind: 'failed', retryAfterMs });
    },
  );

  test('X8: given a service that is away, when it comes back, then the card is shown, and a press counts', async () => {
    await using bot = await atWork(start);
    bot.peer.goAway(true);
    bot.coordinator.show(testCard());
    await waitFor('a failure', () => bot.coordinator.reports.some(({ kind }) => kind === 'failed'));

    bot.peer.goAway(false);
    const { ref } = await waitFor('the card', () => bot.peer.seen()[0]);
    await waitFor('the bot that listens', () => bot.peer.isHeard());
    await waitFor('the report', () => bot.coordinator.reports.some(({ kind }) => kind === 'shown'));
    const press = bot.peer.press(bot.peer.seen().at(-1)?.ref ?? ref, 'Yes');

    await heard(bot, press);
    expect(bot.coordinator.presses).toHaveLength(1);
  });
});
