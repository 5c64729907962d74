/**
 * Contract of every channel, against a scripted service: the same cases for all of them. X1: an acknowledged action is
 * stored. X2: others learn who won. X3: a press acts once. X4: an answer counts for its asking. X5: an asking pings
 * once. X8: every known card shows the newest version. X14: nothing that a pane prints alarms people or is read as
 * markup.
 */
import { describe, expect, test } from 'vitest';
import { testCard, waitFor } from '../src/testing/index.ts';
import { atWork, heard, PEERS } from './at-work.ts';

describe.each(PEERS)('%s', (_, start) => {
  test('X5: given a question, when it is asked, then its card has the words, the pane and a button for each option, and alarms once', async () => {
    await using bot = await atWork(start);

    const card = await bot.shown();

    expect(card.text).toContain('adam (shop on laptop): May it run rm?');
    expect(card.text).toContain('$ rm -rf build');
    expect(card.labels).toEqual(expect.arrayContaining(['Yes', ...(bot.peer.traits.forms ? ['No, tell it …'] : [])]));
    expect([card.address, bot.peer.pings()]).toEqual([bot.peer.address, 1]);
  });

  test('X8: given a card, when somebody answered elsewhere, then the same card says so, without buttons and without an alarm', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();

    bot.coordinator.show(
      {
        ...bot.coordinator.card,
        version: 2,
        status: 'resolved',
        resolution: { by: 'ben', label: 'Yes' },
        application: 'applied',
      },
      false,
    );

    await waitFor('the edit', () => bot.textOf(ref).includes('ben chose "Yes"'));
    expect(bot.peer.seen()).toMatchObject([{ ref, labels: [] }]);
    expect(bot.peer.pings()).toBe(1);
  });

  test('X1: given a press, when it is told that the answer counts, then it is stored, and the card shows it', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();

    const press = bot.peer.press(ref, 'Yes');

    await heard(bot, press);
    if (bot.peer.traits.tells) expect(press.told()).toBe('Your answer counts: "Yes".');
    expect(bot.coordinator.presses).toMatchObject([
      { subject: bot.peer.subject, button: { kind: 'answer', asked: 1, option: 0 } },
    ]);
    await waitFor('the edit', () => bot.textOf(ref).includes('ada chose "Yes"'));
  });

  test('X3: given a press that is delivered twice, when it acts, then once, and both are told the same', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();

    const press = bot.peer.press(ref, 'Yes');
    press.again();

    await heard(bot, press);
    await waitFor('both', () => bot.textOf(ref).includes('ada chose "Yes"'));
    expect(bot.coordinator.presses).toHaveLength(1);
    if (bot.peer.traits.tells) expect(press.told()).toBe('Your answer counts: "Yes".');
  });

  test('X1: given a coordinator that is away, and one whose answer is lost, when somebody presses, then it counts once, and the person is told after that', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    bot.coordinator.troubles.push('away', 'away', 'answer-lost');

    const press = bot.peer.press(ref, 'Yes');

    await waitFor('the press', () => bot.coordinator.presses.length > 0);
    await heard(bot, press);
    if (bot.peer.traits.tells) expect(press.told()).toBe('Your answer counts: "Yes".');
    expect(bot.coordinator.presses).toHaveLength(1);
  });

  test('X4, X5: given a question that was asked again, when the old card is pressed, then the present question is told, and the card shows it', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    const { labels } = bot.peer.seen()[0] ?? { labels: [] };
    const press = bot.peer.press(ref, labels[0] ?? '');
    bot.coordinator.show(
      { ...bot.coordinator.card, version: 3, asked: 2, title: 'May it push?', resolution: null, status: 'open' },
      true,
    );

    await heard(bot, press);
    await waitFor('the edit', () => bot.textOf(ref).includes('May it push?'));
    await waitFor('the second alarm', () => bot.peer.pings() === 2);
  });

  test('given an option that needs words, when it is pressed, then the bot asks for them, and they count', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();

    // A channel that cannot ask for a text shows no button for options that need one.
    if (!bot.peer.traits.forms) return expect(bot.peer.seen()[0]?.labels).not.toContain('No, tell it …');
    bot.peer.press(ref, 'No, tell it …');
    await waitFor('the form', () => bot.peer.isFormOpen());
    const words = bot.peer.sendWords('Use the other port');

    await waitFor('the answer', () => bot.coordinator.presses.length > 0);
    expect(bot.coordinator.presses).toMatchObject([{ text: 'Use the other port', button: { option: 1 } }]);
    await waitFor('the words', () => words.told());
  });

  test.each([
    [
      { kind: 'rate-limit', seconds: 3 },
      { retryAfterMs: 3_000, isFinal: false },
    ],
    [{ kind: 'server-error' }, { isFinal: false }],
    [{ kind: 'cut' }, { isFinal: false }],
    [{ kind: 'gone' }, { isFinal: true }],
  ] as const)(
    'given a service that answers a card with %o, then the bot reports it, and shows the card when it is asked again',
    async (fault, expected) => {
      await using bot = await atWork(start);
      bot.peer.fault(fault);
      bot.coordinator.show(testCard());

      const [report] = await waitFor('the report', () =>
        bot.coordinator.reports.length > 0 ? bot.coordinator.reports : null,
      );

      expect(report).toMatchObject({ kind: 'failed', ...expected });
      if (!expected.isFinal) await waitFor('the card', () => bot.peer.seen().length === 1);
    },
  );

  test('X8: given a card that was posted twice after a kill, when the first one is pressed, then it counts, and both show it', async () => {
    await using bot = await atWork(start);
    const first = await bot.shown();
    bot.coordinator.forget();
    await waitFor('the second report', () => bot.coordinator.reports.length === 2);
    const cards = bot.peer.seen();
    expect(cards).toHaveLength(bot.peer.traits.doubles ? 2 : 1);

    bot.peer.press(first.ref, 'Yes');

    await waitFor('both', () => cards.every(({ ref }) => bot.textOf(ref).includes('ada chose "Yes"')));
  });

  test('given an events connection that ends, when somebody presses after it, then the press counts', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    bot.peer.dropConnection();

    const press = bot.peer.press(ref, 'Yes');

    await heard(bot, press);
    expect(bot.coordinator.presses).toHaveLength(1);
  });

  test('given a wrong token, then the channel ends with words that say what to do, and without the token', async () => {
    await using bot = await atWork(start, (peer) => peer.wrongToken);

    await bot.over;

    const lines = bot.nature.lines.join('\n');
    expect(lines).toMatch(/is off: .*token/iu);
    expect(lines).toContain('Other channels continue');
    expect(lines).not.toContain('7000000001:wrong');
  });

  test('given a code and a command, when they are sent, then the coordinator gets them with who and where, and its words come back', async () => {
    await using bot = await atWork(start);
    await waitFor('the bot that listens', () => bot.peer.isHeard());

    bot.peer.command('link', '7K3QF-W8RXD');
    await waitFor('the link', () => bot.coordinator.said.length > 0);
    bot.peer.command('drover', 'status');
    await waitFor('the command', () => bot.coordinator.said.length > 1);

    const { subject, address } = bot.peer;
    expect(bot.coordinator.said[0]).toBe(`link ${subject} ${address} 7K3QF-W8RXD`);
    expect(bot.coordinator.said[1]).toMatch(new RegExp(`^command ${subject} status [0-9a-f-]{36}$`, 'u'));
    await waitFor('the words', () => bot.peer.answers().some((words) => words.includes('You said: status')));
  });

  test('given a review, when the button below it is pressed, then the work is accepted as it was shown', async () => {
    await using bot = await atWork(start);
    await waitFor('the bot that listens', () => bot.peer.isHeard());
    bot.peer.command('drover', 'review adam');
    await waitFor('the review', () => bot.peer.answers().some((words) => words.includes('You said: review adam')));
    // A service without buttons for answers accepts work by a text.
    if (!bot.peer.traits.forms)
      return expect(() => bot.peer.pressAnswer('Accept abcdef012')).toThrow('have no buttons');

    const press = bot.peer.pressAnswer('Accept abcdef012');

    await waitFor('the words', () => press.told());
    expect(press.told()).toBe('Noted.');
    expect(bot.coordinator.presses).toMatchObject([
      { button: { kind: 'accept', worker: 'adam', head: 'abcdef012345' } },
    ]);
  });

  test('X2, X3: given presses that come late and in another order, when they act, then each acts once in the order in which they come, and each is told what became of it', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    bot.peer.holdBack();

    const answer = bot.peer.press(ref, 'Yes');
    const more = bot.peer.seen()[0]?.labels.includes('I am looking') === true ? ['I am looking'] : [];
    const looks = more.map((label) => bot.peer.press(ref, label));
    answer.again();
    bot.peer.letGo();

    await waitFor('all of them', () => bot.coordinator.presses.length === 1 + looks.length);
    await waitFor('the edit', () => bot.textOf(ref).includes('ada chose "Yes"'));
    for (const press of [answer, ...looks]) if (bot.peer.traits.tells) await waitFor('the words', () => press.told());
    expect(bot.coordinator.presses.map(({ button }) => button.kind).toSorted()).toEqual(
      [...looks.map(() => 'ack'), 'answer'].toSorted(),
    );
    if (bot.peer.traits.tells) expect(answer.told()).toBe('Your answer counts: "Yes".');
  });

  test('X4: given a press that comes after the question was asked again, when it acts, then nothing is stored of it, and the present question is told', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    bot.peer.holdBack();
    const late = bot.peer.press(ref, 'Yes');
    bot.coordinator.show({ ...bot.coordinator.card, version: 2, asked: 2, title: 'May it push?' }, true);
    await waitFor('the edit', () => bot.textOf(ref).includes('May it push?'));

    bot.peer.letGo();

    await heard(bot, late);
    if (bot.peer.traits.tells) expect(late.told()).toBe('The screen changed; the question is now: May it push?');
    expect(bot.coordinator.card).toMatchObject({ status: 'open', resolution: null });
  });

  test('X2: given a question that somebody else has answered, when an old button is pressed, then that is told, and nothing changes', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();
    const press = bot.peer.press(ref, 'Yes');
    const resolution = { by: 'ben', label: 'No, tell it' };
    bot.coordinator.show({ ...bot.coordinator.card, version: 2, status: 'resolved', resolution }, false);

    await heard(bot, press);

    if (bot.peer.traits.tells) expect(press.told()).toBe('ben already chose "No, tell it".');
    await waitFor('the edit', () => bot.textOf(ref).includes('ben chose "No, tell it"'));
    expect(bot.coordinator.card.resolution).toEqual(resolution);
  });

  test('given another process that has the work of the channel, then this one ends listening, and listens again when it has the work', async () => {
    await using bot = await atWork(start);
    const { ref } = await bot.shown();

    bot.coordinator.isTaken = true;
    bot.coordinator.wake();
    // The end of a poller that polls now and then cannot be observed.
    if (bot.peer.traits.tells) await waitFor('the end of listening', () => !bot.peer.isHeard());
    bot.coordinator.isTaken = false;
    bot.coordinator.wake();
    await waitFor('the bot that listens', () => bot.peer.isHeard());
    const press = bot.peer.press(ref, 'Yes');

    await heard(bot, press);
    expect(bot.coordinator.presses).toHaveLength(1);
  });
});
