/** Checks which ways to a host are read: they become arguments of ssh, so nothing in them may pass for an option. */
import { expect, test } from 'vitest';
import { sshConnection } from './ssh.ts';

test.each([
  '-oProxyCommand=touch /tmp/x',
  'ada@-oProxyCommand=x',
  'a b',
  'ada@host;reboot',
  'ada@$(id)',
  'host\nHost x',
  'a@b@c',
  '',
])('given the destination %j, when it is read, then it is refused', (destination) => {
  expect(sshConnection.safeParse({ destination }).success).toBe(false);
});

test.each([
  { jump: '-oProxyCommand=x' },
  { jump: 'a,-b' },
  { identity: '-i' },
  { identity: 'id_rsa' },
  { identity: '/a\n/b' },
  { port: 0 },
])('given the way %j, when it is read, then it is refused', (way) => {
  expect(sshConnection.safeParse({ destination: 'ada@host', ...way }).success).toBe(false);
});

test('given usual ways, when they are read, then they are taken', () => {
  const way = {
    destination: 'ada@build-3.example.com',
    port: 2_222,
    identity: '~/.ssh/build',
    jump: 'j1,bob@[::1]:22',
  };

  expect(sshConnection.parse(way)).toEqual({ ...way, carrier: null });
  expect(sshConnection.safeParse({ destination: 'ada@fe80::1' }).success).toBe(true);
});
