// Checks that the checker of gateways sees two that serve one host, and one that acts after it was replaced. Each is broken on purpose
// here.
import { MemoryDatabase } from '@drover/store/testing';
import type { SshMachine } from '@drover/store';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { GatewayChecks } from './gateways.ts';

const NOW = 1_000_000;
const ONE = { id: 'g0', name: 'g0', until: NOW + 60_000 };
const OTHER = { id: 'g1', name: 'g1', until: NOW + 60_000 };
const REVOKED = { id: 'g2', name: 'g2', until: NOW + 60_000 };

const PLAIN: Partial<SshMachine> = { gateway: null, epoch: 1, pinned: [], onlyGateway: null };

test('given a lease that is over, when another gateway takes the host under a higher epoch, then every promise is kept', () => {
  expect(broken({ gateway: { ...ONE, until: NOW - 1 }, epoch: 1 }, { gateway: OTHER, epoch: 2 })).toBeNull();
});

test.each<[string, Partial<SshMachine>, Partial<SshMachine>, string]>([
  ['a lease', { gateway: ONE, epoch: 1 }, { gateway: OTHER, epoch: 2 }, 'g0 has its lease'],
  ['an epoch', { gateway: null, epoch: 2 }, { gateway: OTHER, epoch: 1 }, 'its epoch fell from 2 to 1'],
  [
    'a gateway that alone may serve it',
    { gateway: null, epoch: 1, onlyGateway: ONE },
    { gateway: OTHER, epoch: 2, onlyGateway: ONE },
    'and is for g0 alone',
  ],
  ['no gateway', { gateway: null, epoch: 1 }, { gateway: REVOKED, epoch: 2 }, 'which is revoked'],
  ['a key', { gateway: null, pinned: ['k 1'] }, { gateway: null, pinned: ['k 1', 'k 2'] }, 'k 2 is pinned, which no'],
  ['no lease', { gateway: null, epoch: 2 }, { gateway: OTHER, epoch: 2 }, 'as by the gateway before'],
])('given %s, when another gateway takes the host all the same, then the promise counts as broken', (...given) => {
  const [, was, is, said] = given;

  expect(broken(was, is)).toContain(said);
});

test('given a host to which another gateway came, when the one before acts there, then the promise counts as broken', () => {
  const { checks, tally } = watched();
  checks.claimed('m1', 1);
  checks.actedBy('m1', 1);
  checks.claimed('m1', 2);
  expect(tally.violation).toBeNull();

  checks.actedBy('m1', 1);

  expect(tally.violation).toContain('epoch 1 acts, and one with 2 was here');
});

test('given a key that a person has confirmed, when it is pinned and a gateway logs in, then every promise is kept; by another key it is not', () => {
  const { checks, database, tally } = watched();
  const pin = (...pinned: string[]): void => {
    database.machines.set('m', { id: 'm', name: 'm1', ssh: { ...PLAIN, pinned } } as never);
    checks.committed();
  };
  pin('k 1');
  checks.confirms('m1', 'k 2');
  pin('k 2');
  checks.loggedIn('m1', 'k 2');
  expect(tally.violation).toBeNull();

  checks.loggedIn('m1', 'k 3');

  expect(tally.violation).toContain('logs in where k 3 is shown');
});

test('given the end of a program, when it is decided on again, then the promise counts as broken', () => {
  const { checks, tally } = watched();
  const exit = { incarnation: '1.1.%1.1', status: 1, signal: null, lastLines: [], limit: null, at: 0 };
  const row = { event: { kind: 'pane-exited', exit } as never, rules: ['exit:crash'] as never, workerName: 'w' };
  checks.checkExit(row);
  expect(tally.violation).toBeNull();

  checks.checkExit(row);

  expect(tally.violation).toContain('decided on twice');
});

function watched() {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  return { database, tally, checks: new GatewayChecks({ database, tally, now: () => NOW }) };
}

function broken(was: Partial<SshMachine>, is: Partial<SshMachine>): string | null {
  const { checks, database, tally } = watched();
  database.machines.set('g2', { id: 'g2', name: 'g2', ssh: null, revokedAt: 1 } as never);
  for (const ssh of [was, is]) {
    database.machines.set('m', { id: 'm', name: 'm1', ssh: { ...PLAIN, ...ssh } } as never);
    checks.committed();
  }
  return tally.violation;
}
