// Does the checker of gateways see two that serve one host, and one that acts after it was replaced? Each is broken on purpose here.
import { MemoryDatabase } from '@drover/store/testing';
import type { SshMachine } from '@drover/store';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { GatewayChecks } from './gateways.ts';

const NOW = 1_000_000;
const ONE = { id: 'g0', name: 'g0', until: NOW + 60_000 };
const OTHER = { id: 'g1', name: 'g1', until: NOW + 60_000 };

test('given a lease that is over, when another gateway takes the host under a higher epoch, then every promise is kept', () => {
  expect(broken({ gateway: { ...ONE, until: NOW - 1 }, epoch: 1 }, { gateway: OTHER, epoch: 2 })).toBeNull();
});

test.each<[string, Partial<SshMachine>, Partial<SshMachine>, string]>([
  ['a lease', { gateway: ONE, epoch: 1 }, { gateway: OTHER, epoch: 2 }, 'g0 has its lease'],
  ['an epoch', { gateway: null, epoch: 2 }, { gateway: OTHER, epoch: 1 }, 'its epoch fell from 2 to 1'],
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
  for (const ssh of [was, is]) {
    database.machines.set('m', { id: 'm', name: 'm1', ssh } as never);
    checks.committed();
  }
  return tally.violation;
}
