/** Checks that answers reach the right request, and failures every request. */
import { expect, test } from 'vitest';

import { fasterClock, ScriptedPeer } from './support/doubles.ts';
import { eventually } from './support/rig.ts';
import { clock } from './support/test-host.ts';
import { ControlConnection } from '../src/control/connection.ts';
import { textOf } from '../src/commands/runner.ts';

const WAIT = { timeoutMs: 5_000 };

function connect(peer: ScriptedPeer, time = clock) {
  const notifications: string[] = [];
  const closed: string[] = [];
  const connection = new ControlConnection(peer.stream, {
    clock: time,
    secret: 'secret-0123456789',
    onNotification: (line) => void notifications.push(line),
    onClosed: (reason) => void closed.push(reason.code),
  });
  peer.say(ATTACHED);
  return { connection, notifications, closed };
}

function block(number: number, body: string, flags = 1): string {
  return `%begin 1 ${number} ${flags}\n${body === '' ? '' : `${body}\n`}%end 1 ${number} ${flags}\n`;
}

const ATTACHED = block(0, '', 0);

test('given a client that is not attached yet, when it is asked, then nothing is written until it is', async () => {
  const peer = new ScriptedPeer();
  const options = { clock, secret: 'secret-0123456789', onNotification: () => {}, onClosed: () => {} };
  const connection = new ControlConnection(peer.stream, options);
  const answer = connection.exec([[['a']]], WAIT);
  await Promise.resolve();

  const before = [...peer.written];
  peer.say(ATTACHED);
  await eventually(() => expect(peer.written).toHaveLength(1));
  peer.say(block(1, peer.sentinel(0)));

  expect(before).toEqual([]);
  expect(await answer).toEqual([]);
});

test('given commands that answer with more and fewer blocks, when sentinels come, then each request gets its own', async () => {
  const peer = new ScriptedPeer();
  const { connection, notifications } = connect(peer);
  const first = connection.exec([[['if-shell', '-F', '1', 'x']]], WAIT);
  const second = connection.exec([[['list-panes']]], WAIT);
  await eventually(() => expect(peer.written).toHaveLength(2));

  peer.say(block(1, 'not mine', 0) + block(2, '') + block(3, 'a') + '%message hi\n' + block(4, 'b'));
  peer.say(block(5, peer.sentinel(0)) + block(6, peer.sentinel(1)));

  expect((await first).map(textOf)).toEqual(['', 'a', 'b']);
  expect(await second).toEqual([]);
  expect(notifications).toEqual(['%message hi']);
});

test('given a request without an answer, when its deadline passes, then all requests fail and the connection is over', async () => {
  const peer = new ScriptedPeer();
  const { connection, closed } = connect(peer, fasterClock(100));

  const outcomes = await Promise.allSettled([
    connection.exec([[['a']]], WAIT),
    connection.exec([[['b']]], { timeoutMs: 60_000 }),
  ]);

  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(codes).toEqual(['timed-out', 'timed-out']);
  expect(closed).toEqual(['timed-out']);
  await expect(connection.exec([[['c']]], WAIT)).rejects.toMatchObject({ code: 'timed-out' });
});

test('given tmux says farewell, when a request waits, then it fails as connection-lost', async () => {
  const peer = new ScriptedPeer();
  const { connection, closed } = connect(peer);
  const waiting = connection.exec([[['a']]], WAIT);

  peer.say('%exit server exited\n');

  await expect(waiting).rejects.toMatchObject({ code: 'connection-lost' });
  expect(closed).toEqual(['connection-lost']);
});

test('given a thousand unanswered requests, when one more comes, then it is refused and nothing is written', async () => {
  const peer = new ScriptedPeer();
  const { connection } = connect(peer);
  const waiting = Array.from({ length: 1_000 }, () => connection.exec([[['a']]], WAIT));

  await expect(connection.exec([[['b']]], WAIT)).rejects.toMatchObject({ code: 'server-busy' });

  expect(peer.written).toHaveLength(1_000);
  await connection[Symbol.asyncDispose]();
  expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
});

test('given an empty chain, when it is to be sent, then it is a bug: an empty line would detach', async () => {
  const { connection } = connect(new ScriptedPeer());

  expect(() => connection.exec([[]], WAIT)).toThrow('an empty line would detach');
});
