/** A machine that an operator revokes is refused at once, its work is left alone, and it can come back. */
import { generateKeyPairSync } from 'node:crypto';
import type { CommandEnvelope } from '@drover/protocol';
import { expect, test } from 'vitest';
import { call, newId, replica, scene, screen, until, workers } from '../support/coordinator.ts';
import { ScriptedMachine } from '../support/scripted-machine.ts';
import { waitFor } from '../support/wait-for.ts';

interface SeenMachine {
  readonly name: string;
  readonly state: string;
  readonly rotateSince: number | null;
  readonly dialledUrl: string | null;
}

test.concurrent('given a connected machine, when it is revoked at another replica, then its connection ends with a word that says why', async () => {
  await using given = await scene();
  const { machine } = given;
  await using other = await replica(given.databaseUrl, { token: null });

  await call(other.url, 'machines.revoke', { name: 'test-machine' });
  await waitFor(() => machine.closed !== null);

  expect(machine.closed).toEqual({ code: 4003, reason: 'this machine was revoked' });
  expect(machine.lastWord).toBe('revoked');
  await expect(machine.hello()).rejects.toThrow(/403.*machine-revoked.*drover machine invite/);
  expect(await machinesOf(other.url)).toMatchObject([{ state: 'revoked', dialledUrl: given.coordinator.url }]);
});

test.concurrent('given a machine that waits in a long poll, when it is revoked, then the poll ends and says why', async () => {
  await using given = await scene();
  given.machine.cut();
  await given.machine.hello();

  const polling = given.machine.poll(25);
  await call(given.coordinator.url, 'machines.revoke', { name: 'test-machine' });

  expect(await polling).toMatchObject({ registered: false, reason: 'revoked', commands: [] });
  expect(await given.machine.poll(0)).toMatchObject({ registered: false });
});

test.concurrent('given a revoked machine whose connection is still open, when it reports or waits for commands, then neither passes', async () => {
  await using given = await scene();
  const { coordinator, machine } = given;
  const { url } = coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');

  await call(url, 'machines.revoke', { name: 'test-machine' });
  const before = machine.commands.length;
  await call(url, 'workers.nuke', { requestId: newId(), name: 'adam', force: false });
  machine.observe(screen(id, 'processing'));
  await waitFor(() => machine.closed !== null);

  expect(machine.storedThrough).toBeLessThan(machine.observations.length);
  expect(machine.commands).toHaveLength(before);
  expect((await workers(url))[0]).toMatchObject({ status: 'idle', machineState: 'revoked' });
  expect(JSON.stringify(await call(url, 'workers.why', { name: 'adam', limit: 1 }))).toContain(
    'is revoked: Drover cannot see or control it',
  );
});

test.concurrent('given a revoked machine, when work is given, then it goes to none of its workers and no new one goes there; a token of since lets it in again, one of before does not', async () => {
  await using given = await scene();
  const { coordinator, machine } = given;
  const { url } = coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const machineId = machine.machineId;
  const before = await coordinator.invite();
  await call(url, 'machines.revoke', { name: 'test-machine' });

  await expect(call(url, 'workers.start', { requestId: newId(), prompt: 'work' })).rejects.toThrow('no-idle-worker');
  await expect(call(url, 'workers.add', { requestId: newId(), name: 'bea' })).rejects.toThrow('no-machine');
  await expect(call(url, 'machines.rotate', { name: 'test-machine' })).rejects.toThrow(/revoked.*invite/);
  await expect(machine.join(before)).rejects.toThrow('bad-token');
  await machine.join(await coordinator.invite());
  const { workers } = await machine.hello();

  expect(machine.machineId).toBe(machineId);
  expect(workers).toMatchObject([{ name: 'adam' }]);
  expect(await machinesOf(url)).toMatchObject([{ state: 'connected' }]);
});

test.concurrent('given a machine with a worker, when it is removed, then only by force, and what is on the machine is left alone', async () => {
  await using given = await scene();
  const { coordinator, machine } = given;
  const { url } = coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const remove = (force: boolean): Promise<unknown> => call(url, 'machines.remove', { name: 'test-machine', force });

  await expect(remove(false)).rejects.toThrow(/has-workers.*adam.*--force/);
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'tidy up' });
  const withTask = /has-workers.*With a task: adam\. Move them with "drover machine drain test-machine"/;
  await expect(remove(false)).rejects.toThrow(withTask);
  await until(url, 'adam', 'needs_review');
  // The last that is sent for a finished task.
  await waitFor(() => machine.commands.some(savesStage));
  const before = machine.commands.length;
  const removed = await remove(true);
  await waitFor(() => machine.closed !== null);

  expect(removed).toMatchObject({ workers: ['adam'] });
  expect(machine.closed).toMatchObject({ code: 4004 });
  expect(machine.commands).toHaveLength(before);
  expect(await workers(url)).toEqual([]);
  expect(await machinesOf(url)).toEqual([]);
  await expect(machine.hello()).rejects.toThrow('unknown-machine');
  const history = JSON.stringify(await call(url, 'events', { waitMs: 0, limit: 10 }));
  expect(history).toContain('its machine was removed from the fleet');
  await machine.join(await coordinator.invite());
  expect((await machine.hello()).workers).toEqual([]);
});

test.concurrent('given a machine that shall make a new key, when it comes with one, then it is known by that alone, with a new access token', async () => {
  await using given = await scene();
  const { coordinator, machine } = given;
  const { url } = coordinator;
  const next = generateKeyPairSync('ed25519');
  const oldToken = machine.accessToken;

  await call(url, 'machines.rotate', { name: 'test-machine' });
  await waitFor(() => machine.closed !== null);
  const waiting = await machinesOf(url);
  const asked = await machine.hello();
  await machine.hello({ next });

  expect(machine.closed).toMatchObject({ code: 4005 });
  expect(waiting).toMatchObject([{ rotateSince: expect.any(Number) }]);
  expect(asked.rotate).toBe(true);
  expect(machine.accessToken).not.toBe(oldToken);
  expect(await machinesOf(url)).toMatchObject([{ rotateSince: null }]);
  await expect(machine.hello()).rejects.toThrow('unknown-machine');
  expect(await machine.hello({ key: next.privateKey })).toMatchObject({ rotate: false });
});

test.concurrent('given a name that no machine has, when the machine is revoked, rotated or removed, then the answer names those that there are', async () => {
  await using given = await scene();

  for (const path of ['machines.revoke', 'machines.rotate', 'machines.remove']) {
    const asking = call(given.coordinator.url, path, { name: 'nobody', force: false });
    await expect(asking).rejects.toThrow(/There is no machine "nobody"; there are: test-machine/);
  }
});

test.concurrent('given two replicas, when a machine is challenged by one and says hello to the other, then it is let in', async () => {
  await using given = await scene();
  await using other = await replica(given.databaseUrl, { token: null });
  const machine = new ScriptedMachine(other.url);
  await machine.join(await given.coordinator.invite(), 'second');

  const challenge = await machine.challenge();
  const request = await machine.helloRequest({ given: challenge });
  const answer = await fetch(`${given.coordinator.url}/agent/hello`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

  expect(machine.greeted(await answer.json()).epoch).toBe(1);
});

async function machinesOf(url: string): Promise<readonly SeenMachine[]> {
  return (await call(url, 'machines.list')) as readonly SeenMachine[];
}

function savesStage({ body }: CommandEnvelope): boolean {
  return body.kind === 'command' && body.command.kind === 'checkpoint' && body.command.type === 'stage_complete';
}
