/** Addresses by which a machine may reach its coordinator; an attacker between them gains nothing. */
import { expect, test } from 'vitest';
import { codeOf, joined, QUESTION } from '../testing/challenged-machine.ts';
import { challenge } from './enrol.ts';

const HOSTS = { listened: '10.0.0.5', allowed: ['drover.example.com'] };

test.each([
  ['https://drover.example.com', 'ok'],
  ['https://drover.example.com/', 'ok'],
  ['https://DROVER.example.com:443/', 'ok'],
  ['http://127.0.0.1:4680', 'ok'],
  ['http://10.0.0.5:4680', 'ok'],
  ['ftp://drover.example.com', 'other-url'],
  ['https://drover.example.com@evil.org', 'other-url'],
  ['http://10.0.0.6:4680', 'other-url'],
  ['https://drover.example.com.evil.org', 'other-url'],
  ['not an address', 'other-url'],
])('given a list of hosts, when a machine dialled %s, then the answer is %s', async (url, code) => {
  const machine = await joined({ hosts: HOSTS });

  const answer = await challenge(machine.ctx, { ...QUESTION, machineId: machine.id, url });

  expect(codeOf(answer)).toBe(code);
});

test('given a man between who relays under another address, when that is not on the list, then he gets neither challenge nor hello through', async () => {
  const machine = await joined({ hosts: HOSTS });
  // The stranger asks for the coordinator's own address and forwards the answer to the machine, which dialled the stranger's.
  const given = await machine.challenge();

  const answer = await machine.hello({ given, url: 'https://evil.example.org' });

  expect(codeOf(answer)).toBe('other-url');
});

test('given no list of hosts, when a machine says hello, then the address that it dialled is recorded', async () => {
  const machine = await joined({ hosts: { listened: '127.0.0.1', allowed: [] } });

  await machine.hello({ url: 'https://by-another-way.example.com' });

  const [row] = await machine.ctx.store.listMachines();
  expect(row?.dialledUrl).toBe('https://by-another-way.example.com');
});
