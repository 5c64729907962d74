/** Checks that a machine keeps to its coordinator, and stays known through a change of its key. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { invitationText } from '@drover/protocol';
import { expect, test } from 'vitest';
import { ScriptedCoordinator } from './support/scripted-coordinator.ts';
import { TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

test('given another coordinator at the same address, when the connection breaks, then the agent says what changed and signs nothing', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  await until('a connection', () => coordinator.isConnected);
  const expected = coordinator.gate.identity;

  coordinator.gate.keys = generateKeyPairSync('ed25519');
  coordinator.cut();
  const said = await until('the refusal', () => machine.logs.find((line) => line.includes('another coordinator')));

  expect(said).toContain(`${coordinator.gate.identity} answers, ${expected} is expected`);
  expect(said).toContain('"drover machine invite"');
  expect(coordinator.hellos).toBe(1);
});

test('given a stranger who names the identity and has not its key, when the agent comes, then it is not believed', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  coordinator.gate.isHonest = false;

  await machine.agent();
  await until('the refusal', () => machine.logs.find((line) => line.includes('cannot prove it')));

  expect(coordinator.asked).not.toContain('/agent/join');
  expect(coordinator.asked).not.toContain('/agent/hello');
});

test.each([
  ['of another coordinator', () => invitationText({ secret: 's', coordinator: 'A'.repeat(43) }), 'another coordinator'],
  ['that names no coordinator', () => 'uPbK5kFZ9yJ0s3v2', 'incomplete'],
  ['that lost its end', (whole: string) => whole.slice(0, -1), 'incomplete'],
])(
  'given a join token %s, when the agent starts with it, then its secret goes to nobody',
  async (_what, tokenOf, words) => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;

    await machine.agent({ joinToken: tokenOf(coordinator.token) });
    await until('the refusal', () => machine.logs.find((line) => line.includes(words)));

    expect(coordinator.asked).not.toContain('/agent/join');
  },
);

test('given a new token of another fleet, when the agent starts with it, then it belongs to that fleet from now on', async () => {
  await using machine = await TestMachine.start();
  const old = await machine.agent();
  await until('a hello', () => machine.coordinator.hellos === 1);
  await old[Symbol.asyncDispose]();
  await using other = await ScriptedCoordinator.start();

  const moved = await machine.agent({ coordinatorUrl: other.url, joinToken: other.token });
  await until('a hello', () => other.hellos === 1);
  await moved[Symbol.asyncDispose]();
  await machine.agent({ joinToken: undefined });
  await until('the refusal', () => machine.logs.find((line) => line.includes('another coordinator')));

  expect(machine.coordinator.hellos).toBe(1);
});

test('given a token of the fleet before this one, when the agent starts with it again, then it stays where it belongs', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = await machine.agent();
  await until('a hello', () => coordinator.hellos === 1);
  await first[Symbol.asyncDispose]();
  const before = coordinator.hellos;

  await machine.agent({ joinToken: invitationText({ secret: 's', coordinator: 'A'.repeat(43) }) });
  await until('a hello', () => coordinator.hellos > before);

  expect(coordinator.joins).toBe(1);
});

test('given a coordinator that wants a new key, when the answers that know it are lost, then the machine ends with the new key alone', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  await until('a connection', () => coordinator.isConnected);
  const [old, path] = [coordinator.gate.machineKey, join(machine.dir, 'data', 'machine-key')];
  const oldFile = readFileSync(`${path}.pem`, 'utf8');

  coordinator.gate.rotate = true;
  coordinator.broken.newKey = true;
  coordinator.cut();
  await until('three answers lost', () => coordinator.lost === 3);
  coordinator.broken.newKey = false;
  await until('a connection', () => coordinator.isConnected);

  expect(coordinator.gate.rotations).toBe(1);
  expect(coordinator.gate.machineKey).not.toBe(old);
  expect(existsSync(`${path}-next.pem`)).toBe(false);
  expect(readFileSync(`${path}.pem`, 'utf8')).not.toBe(oldFile);
  expect(statSync(`${path}.pem`).mode & 0o777).toBe(0o600);
});

test('given a change of the key whose answer was lost, when the agent dies before the next hello, then its next life is known', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = await machine.agent();
  await until('a connection', () => coordinator.isConnected);
  coordinator.gate.rotate = true;
  coordinator.broken.newKey = true;
  coordinator.cut();
  await until('an answer lost', () => coordinator.lost > 0);
  await first[Symbol.asyncDispose]();
  coordinator.broken.newKey = false;
  const before = coordinator.hellos;

  await machine.agent({ joinToken: undefined });
  await until('a hello', () => coordinator.hellos > before);

  expect(coordinator.joins).toBe(1);
});

test('given a machine that is revoked while it is connected, when it is told, then it says what to do and does not come back at once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const said: { message: string; retryInMs: unknown }[] = [];
  await machine.agent({ log: (_level, message, fields) => said.push({ message, retryInMs: fields?.['retryInMs'] }) });
  await until('a connection', () => coordinator.isConnected);
  const before = coordinator.asked.length;

  coordinator.revoke();
  const told = await until('the last word', () => said.find(({ message }) => message.includes('revoked')));

  expect(told.message).toContain('"drover machine invite"');
  expect(told.retryInMs).toBeGreaterThanOrEqual(30_000);
  expect(coordinator.asked).toHaveLength(before);
});
