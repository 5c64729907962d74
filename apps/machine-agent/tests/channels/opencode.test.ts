/** Checks that the second client of OpenCode keeps the contract of channels. */
import { expect, test } from 'vitest';
import { channelContract, deliver } from './contract.ts';
import { TIMES } from '../../src/testing/channels/fast-clock.ts';
import { ScriptedOpenCode } from '../../src/testing/channels/scripted-opencode.ts';

channelContract((times) => ScriptedOpenCode.start(times), ['Allow once', 'Reject']);

test('given the password of another worker, when a text is to be delivered, then the program takes nothing', async () => {
  await using peer = await ScriptedOpenCode.start(TIMES);
  using channel = peer.channel('another');

  expect(await deliver(channel, 'whose?')).toMatchObject({ kind: 'closed' });
  expect(peer.taken()).toEqual([]);
});

test('given a connection that breaks off with a text, when the session lacks the text, then its fate is unknown, for the server lives', async () => {
  await using peer = await ScriptedOpenCode.start(TIMES);
  using channel = peer.channel();
  peer.type('before');
  peer.fates('die-before');

  expect(await deliver(channel, 'the text')).toMatchObject({ kind: 'unknown' });
});
