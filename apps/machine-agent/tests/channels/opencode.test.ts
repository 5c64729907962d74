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

test('given a long conversation, when a text is delivered, then only its newest messages are read', async () => {
  await using peer = await ScriptedOpenCode.start(1);
  using channel = peer.channel();
  for (let at = 0; at < 90; at += 1) peer.type(`text ${at}`);

  expect(await deliver(channel, 'the text')).toMatchObject({ kind: 'taken' });

  expect(peer.served()).toBeLessThan(10);
});

test.each([
  ['a few', 10, true],
  ['a hundred', 100, false],
])(
  'given %s messages that came after a text, when Drover looks for it after a crash, then it finds it or sends nothing',
  async (_, later, isFound) => {
    await using peer = await ScriptedOpenCode.start(1);
    using channel = peer.channel();
    peer.type('before');
    const earlier = await channel.place('t');
    peer.type('the text');
    for (let at = 0; at < later; at += 1) peer.type(`later ${at}`);

    const receipt = await deliver(channel, 'the text', { earlier });

    expect(receipt).toMatchObject({ kind: isFound ? 'taken' : 'closed' });
    expect(peer.taken()).toHaveLength(later + 2);
  },
);
