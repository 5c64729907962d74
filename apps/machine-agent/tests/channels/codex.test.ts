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
