/** Checks that the second client of Codex keeps the contract of channels. */
import { expect, test } from 'vitest';
import { channelContract, deliver } from './contract.ts';
import { TIMES } from '../../src/testing/channels/fast-clock.ts';
import { ScriptedCodex } from '../../src/testing/channels/scripted-codex.ts';

channelContract((times) => ScriptedCodex.start(times), ['Yes, proceed', 'No, and tell Codex what to do differently']);

test('given a server that dies with a text and is started again, when the conversation lacks the text, then it may be typed', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();
  peer.type('before');
  peer.fates('die-before');

  expect(await deliver(channel, 'the text')).toMatchObject({ kind: 'closed' });
});

test('given a server that is started again before a text is sent, when it is sent, then it goes to no server that nobody noted', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();
  peer.type('before');
  const to = await channel.place('t');

  await expect(channel.send({ ...to, server: 'of before' }, 'the text')).rejects.toThrow('started again');
  expect(peer.taken()).toEqual(['before']);
});

test('given a Codex that keeps a conversation of its own loaded after each turn, when texts are delivered, then each of these is read at most once', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();

  for (const isTold of [false, true, false]) {
    expect(await deliver(channel, 'go on')).toMatchObject({ kind: 'taken' });
    peer.ownThread({ isTold });
  }
  expect(await deliver(channel, 'go on')).toMatchObject({ kind: 'taken' });

  const own = peer.asked().filter((asked) => asked.startsWith('thread/read title'));
  expect(own).toEqual(['thread/read title', 'thread/read title-1', 'thread/read title-3']);
});

test('given a Codex that has kept a conversation for each of a thousand turns, when a text is delivered, then it is taken', async () => {
  await using peer = await ScriptedCodex.start(1);
  using channel = peer.channel();
  for (let turn = 0; turn < 1_000; turn += 1) peer.ownThread({ isTold: false });

  expect(await deliver(channel, 'go on')).toMatchObject({ kind: 'taken' });
});

test('given a Codex that has told of a text, when it was sent, then it counts as taken without a look through the conversation, and other words do not', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();
  await deliver(channel, 'one');
  const pages = (): number => peer.asked().filter((asked) => asked.startsWith('thread/items/list')).length;
  const before = pages();

  expect(await deliver(channel, 'two', { textId: 'two' })).toMatchObject({ kind: 'taken' });

  expect(pages()).toBe(before);
  await expect(channel.holds({ thread: 'thread-1', id: 'drover-two', isBusy: false }, 'three')).rejects.toThrow(
    'with other words',
  );
});

test('given a conversation that a person began in the same directory, when Codex then begins one of its own, then a text goes to the one on the screen', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();
  await deliver(channel, 'one');
  peer.next();
  peer.ownThread({ isTold: true });

  expect(await channel.place('t')).toMatchObject({ thread: 'thread-2' });
});

test('given a command that goes on after the turn, when the state is asked for, then there is work in the background until it is over', async () => {
  await using peer = await ScriptedCodex.start(TIMES);
  using channel = peer.channel();
  peer.type('one');
  const seen: (string | undefined)[] = [];
  const observe = async (): Promise<void> => void seen.push((await channel.state())?.status);

  peer.leaves('sleep 30');
  peer.begin();
  await observe();
  peer.end();
  await expect.poll(async () => (await channel.state())?.status).not.toBe('busy');
  await observe();
  peer.leaves(null);
  await observe();

  expect(seen).toEqual(['busy', 'background', 'idle']);
});
