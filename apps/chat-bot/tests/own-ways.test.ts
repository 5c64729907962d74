/** Behaviour of single services, and the bot's reaction to it. No special behaviour loses a press: X1. */
import { expect, test } from 'vitest';
import { ntfyChannel } from '../src/channels/ntfy/ntfy.ts';
import { channelsOf } from '../src/bot.ts';
import { systemHttp } from '../src/http-adapter.ts';
import { runChannel } from '../src/run-channel.ts';
import { startHttpPeer } from '../src/testing/http-peer.ts';
import {
  CoordinatorDouble,
  startDiscordPeer,
  startNtfyPeer,
  startSlackPeer,
  startTelegramPeer,
  testCard,
  testNature,
  waitFor,
} from '../src/testing/index.ts';
import { atWork } from './at-work.ts';

test('X1: given a connection that Slack wants to end, then the next one is open before it ends, and a press counts', async () => {
  await using bot = await atWork(startSlackPeer);
  const { peer, coordinator, nature } = bot;
  const card = await bot.shown();
  await waitFor('a connection', () => peer.connections() === 1);

  peer.refreshConnection();
  await waitFor('the next one', () => peer.connections() === 2);
  peer.dropOldConnection();
  const press = peer.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
  expect(nature.lines).toEqual([]);
});

test('X1: given another program that polls Telegram with the same token, then the log says so once, and what was pressed meanwhile counts when that ends', async () => {
  await using bot = await atWork(startTelegramPeer);
  const { peer, coordinator, nature } = bot;
  const card = await bot.shown();

  const rival = peer.rival();
  await waitFor('the warning', () => nature.lines.length > 0);
  const press = peer.press(card.ref, 'Yes');
  rival.end();
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
  expect(nature.lines.filter((line) => line.includes('another program polls with this token'))).toHaveLength(1);
});

test('X1: given a connection to Discord that is half open, when somebody presses, then the bot notices, goes on with its session, and the press counts', async () => {
  await using bot = await atWork(startDiscordPeer);
  const { peer, coordinator } = bot;
  const card = await bot.shown();

  peer.fallSilent();
  const press = peer.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
});

test('X3: given an ntfy bot that starts again, when it reads the presses of the last hours, then each has the key that it had; a new press has another', async () => {
  await using first = await atWork(startNtfyPeer);
  const card = await first.shown();
  first.peer.press(card.ref, 'I am looking');
  first.peer.press(card.ref, 'I am looking');
  await waitFor('both presses', () => first.coordinator.presses.length === 2);

  const again = new CoordinatorDouble(first.peer.address);
  const stop = new AbortController();
  const [channel] = channelsOf(first.nature, first.peer.options);
  const over = runChannel(
    first.nature,
    { channel: channel ?? expect.unreachable('ntfy is configured'), coordinator: again, holder: 'process-2' },
    stop.signal,
  );
  await waitFor('the same presses', () => again.presses.length === 2);
  stop.abort();
  await over;

  const [keys, keysAgain] = [first.coordinator.presses, again.presses].map((all) => all.map(({ key }) => key));
  expect(keysAgain).toEqual(keys);
  expect(new Set(keys).size).toBe(2);
});

test.each([true, false])(
  'X8: given a Telegram group that becomes a supergroup (told by a message: %s), when a question changes, then its card is shown there, once and without a new alarm',
  async (isSaid) => {
    await using bot = await atWork(startTelegramPeer);
    const { peer, coordinator } = bot;
    await bot.shown();
    const before = peer.pings();
    peer.migrate(-100_4711, isSaid);

    coordinator.show(testCard({ version: 2, title: 'May it run rm now?' }), false);
    await waitFor('its card', () => peer.seen().some(({ address }) => address === '-1004711'));
    await waitFor('its report', () => coordinator.reports.filter(({ kind }) => kind === 'shown').length === 2);

    expect(peer.seen().filter(({ address }) => address === '-1004711')).toHaveLength(1);
    expect(coordinator.said[0]).toBe('move 7 -1004711');
    expect(coordinator.reports.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(peer.pings()).toBe(before);
  },
);

test('given a Telegram group with two bots, when a command names one of them, then the other one stays silent', async () => {
  await using bot = await atWork(startTelegramPeer);
  const { peer, coordinator } = bot;
  await waitFor('the bot that listens', () => peer.isHeard());

  peer.sayInGroup('/drover@other_bot status');
  peer.sayInGroup('/link@other_bot abcd');
  peer.sayInGroup('/drover@scripted_bot queue');
  peer.sayInGroup('/drover help');
  await waitFor('both answers', () => peer.answers().length === 2);

  expect(coordinator.said).toEqual([
    expect.stringMatching(/^command 7 queue /u),
    expect.stringMatching(/^command 7 help /u),
  ]);
});

test('given a question that is longer than a card, when it is shown, then the card says where the whole of it is', async () => {
  await using bot = await atWork(startTelegramPeer);

  const { text } = await bot.shown({
    isCut: true,
    title: 't'.repeat(400),
    body: 'b'.repeat(1_000),
    worker: 'w'.repeat(200),
    project: 'p'.repeat(200),
    machine: 'm'.repeat(200),
    pane: Array.from({ length: 12 }, () => 'x'.repeat(100)),
  });

  expect(text).toContain('see all of it with: drover escalation show 00000001');
  expect(text).toContain('It waits for an answer. #00000001');
});

test.each([
  ['wants a beat without a pause', 0],
  ['does not greet a connection', null],
])(
  'given a Discord that %s, when the bot connects, then the connection ends, and the next one serves',
  async (_, ms) => {
    await using bot = await atWork(startDiscordPeer);
    const { peer, coordinator } = bot;
    await waitFor('the bot that listens', () => peer.isHeard());
    const before = peer.connections();
    peer.beatEvery(ms);
    peer.dropConnection();
    await waitFor('the next connection', () => peer.connections() > before);
    peer.beatEvery(41_250);

    const card = await bot.shown();
    const press = peer.press(card.ref, 'Yes');
    await waitFor('the words', () => press.told());

    expect(coordinator.presses).toHaveLength(1);
  },
);

test('given an answer without an end, when it is read, then the call fails', async () => {
  await using peer = await startHttpPeer(() => ({ status: 200, json: 'x'.repeat(5_000_000), isText: true }));

  await expect(systemHttp(peer.url, { method: 'GET', timeoutMs: 10_000 })).rejects.toThrow('more than 4194304 bytes');
});

test('given a link beside a card, when ntfy shows it, then a touch opens it, and it has a button as soon as an answer has none', async () => {
  const { published, show } = shownByNtfy();

  await show(['a', 'b'], {});
  await show(['a', 'b'], { link: LINK });
  await show(['a', 'b', 'c', 'd'], { link: LINK });
  await show(['a', 'words'], { link: LINK });

  const shown = published.map(({ notice }) => notice);
  expect(shown.map(({ click, actions }) => [click, actions.map(({ label }) => label)])).toEqual([
    [undefined, ['a', 'b']],
    [LINK, ['a', 'b', 'All answers']],
    [LINK, ['a', 'b', 'All answers']],
    [LINK, ['a', 'All answers']],
  ]);
  expect(shown[3]?.actions[1]?.url).toBe(LINK);
});

test('X14: given an ntfy that wants an access token, when a card is shown, then no notice holds the token', async () => {
  const { published, show } = shownByNtfy();

  await show(['a', 'b'], {});
  await show(['a', 'b'], { link: LINK, optionIds: ['a-id', 'b-id'] });

  expect(published.map(({ headers }) => headers)).toEqual([
    { authorization: `Bearer ${NTFY_TOKEN}` },
    { authorization: `Bearer ${NTFY_TOKEN}` },
  ]);
  expect(published.map(({ notice }) => notice.actions.length)).toEqual([2, 3]);
  expect(JSON.stringify(published.map(({ notice }) => notice))).not.toContain(NTFY_TOKEN);
});

test('given a link beside a card, when ntfy shows it, then each answer button sends the link and its option to the coordinator', async () => {
  const { published, show } = shownByNtfy();

  await show(['a', 'words', 'c'], { link: LINK, optionIds: ['a-id', 'words-id', 'c-id'] });

  expect(published[0]?.notice.actions).toEqual([
    ...[
      ['a', 'a-id'],
      ['c', 'c-id'],
    ].map(([label, option]) => ({
      action: 'http',
      label,
      method: 'POST',
      url: 'https://drover.example.com/v1/actions',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: 'sealed_1', option }),
    })),
    { action: 'view', label: 'All answers', url: LINK },
  ]);
});

const LINK = 'https://drover.example.com/v1/actions?token=sealed_1';
const NTFY_TOKEN = 'tk_of_the_owner';

interface Published {
  readonly headers: unknown;
  readonly notice: {
    readonly click?: string;
    readonly actions: readonly { readonly label: string; readonly url: string }[];
  };
}

/** An ntfy that accepts everything. */
function shownByNtfy() {
  const published: Published[] = [];
  const nature = {
    ...testNature(),
    http: (_url: string, { body, headers }: { readonly body?: string; readonly headers?: unknown }) => {
      published.push({ headers, notice: JSON.parse(String(body)) as Published['notice'] });
      return Promise.resolve({ status: 200, text: '', headers: new Headers() });
    },
  };
  const channel = ntfyChannel(nature, { url: 'http://ntfy', topic: 'mine', token: NTFY_TOKEN });
  const show = (options: readonly string[], patch: object) => {
    const card = testCard({
      status: 'acked',
      options: options.map((label) => ({ label, needsText: label === 'words' })),
    });
    const delivery = { address: 'mine', ref: null, ping: true, pings: 1, card, ...patch };
    return channel.show(delivery, new AbortController().signal);
  };
  return { published, show };
}
