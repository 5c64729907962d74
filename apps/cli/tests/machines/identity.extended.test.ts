/** Tests that a machine survives a change of its key, and goes when it must: real coordinators, a real database and a real agent. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, systemClock as hostClock } from '@drover/base';
import type { Coordinator } from '@drover/coordinator';
import { replica } from '@drover/coordinator/testing';
import { startMachineAgent } from '@drover/machine-agent';
import type { MachineAgent } from '@drover/machine-agent';
import { createLocalHost } from '@drover/host';
import { openTestDatabase } from '@drover/store/testing';
import { endServers } from '@drover/tmux';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/calls.ts';
import type { Client } from '../../src/client/calls.ts';
import { askOverHttp } from '../../src/client/http-adapter.ts';

const TOKEN = 'identity-test-token-of-more-than-twenty-characters';

test('given two replicas and a way that loses answers, when the key is changed, then the machine is known by the new one everywhere', async () => {
  await using fleet = await fleetOf(2);
  await using way = await wayTo(fleet.replicas, { lose: 3 });
  await using agent = await fleet.agent(way.url);
  await until('a connected machine', async () => (await fleet.machine())?.state === 'connected');
  const before = await agent.key();

  await fleet.client.machines.rotate.mutate({ name: 'laptop' });
  await until('the new key', async () => (await fleet.machine())?.rotateSince === null && way.lost() === 3);
  await until('the machine to know it', async () => (await agent.key()) !== before);
  const { epoch } = (await fleet.machine()) ?? { epoch: 0 };
  await agent.restart(fleet.replicas[1]?.url ?? '');
  await until('a hello with the new key', async () => ((await fleet.machine())?.epoch ?? 0) > epoch);

  expect(await fleet.client.machines.list.query()).toMatchObject([{ state: 'connected', rotateSince: null }]);
});

test('given a connected agent, when its machine is revoked, then it says what to do; when it is invited again, it is back', async () => {
  await using fleet = await fleetOf(1);
  const url = fleet.replicas[0]?.url ?? '';
  await using agent = await fleet.agent(url);
  await until('a connected machine', async () => (await fleet.machine())?.state === 'connected');
  const { id } = (await fleet.machine()) ?? { id: '' };

  await fleet.client.machines.revoke.mutate({ name: 'laptop' });
  await until('the last word', async () => agent.logs.some((line) => /was revoked.*drover machine invite/.test(line)));
  await agent.restart(url, (await fleet.client.machines.invite.mutate({ ttlMs: 60_000 })).token);
  await until('the machine to be back', async () => (await fleet.machine())?.state === 'connected');

  expect((await fleet.machine())?.id).toBe(id);
});

test('given another fleet at the address of the first, when the agent comes, then it refuses it and stays with its own', async () => {
  await using fleet = await fleetOf(1);
  await using other = await fleetOf(1);
  const targets = [...fleet.replicas];
  await using way = await wayTo(targets, { lose: 0 });
  await using agent = await fleet.agent(way.url);
  await until('a connected machine', async () => (await fleet.machine())?.state === 'connected');

  targets.splice(0, 1, ...other.replicas);
  way.cut();
  await until('the refusal', async () =>
    agent.logs.some((line) => line.includes('is another coordinator than the one')),
  );
  const { epoch } = (await fleet.machine()) ?? { epoch: 0 };
  targets.splice(0, 1, ...fleet.replicas);
  way.cut();
  await until('its own again', async () => ((await fleet.machine())?.epoch ?? 0) > epoch);

  expect(await other.client.machines.list.query()).toEqual([]);
});

/** Starts replicas on a database of their own, and people who talk to the first. */
async function fleetOf(count: number) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase());
  const replicas: Coordinator[] = [];
  for (let i = 0; i < count; i += 1) replicas.push(stack.use(await replicaOn(database.connectionString, i === 0)));
  const client: Client = createClient({
    url: replicas[0]?.url ?? '',
    token: TOKEN,
    http: askOverHttp,
    timeoutMs: 20_000,
    pause: (ms) => new Promise((resolve) => systemClock.after(ms, resolve)),
  });
  const owned = stack.move();
  return {
    replicas,
    client,
    machine: async () => (await client.machines.list.query())[0],
    agent: async (url: string) => agentOf(url, (await client.machines.invite.mutate({ ttlMs: 60_000 })).token),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function replicaOn(url: string, isFirst: boolean): Promise<Coordinator> {
  return replica(url, { project: null, token: isFirst ? { name: 'test', secret: TOKEN } : null });
}

/** Makes an agent with directories of its own, which can be started again. */
async function agentOf(url: string, token: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'drover-identity-'));
  const logs: string[] = [];
  const start = (at: string, joinToken?: string): Promise<MachineAgent> =>
    startMachineAgent({
      coordinatorUrl: at,
      joinToken,
      dataDir: path.join(directory, 'data'),
      runtimeDir: path.join(directory, 'run'),
      machineName: 'laptop',
      places: { workspace: path.join(directory, 'workspace'), roots: {} },
      profiles: {},
      env: { PATH: process.env['PATH'] },
      home: directory,
      version: 'test',
      log: (_level, message) => logs.push(message),
      clock: {
        now: () => systemClock.now(),
        elapsed: () => systemClock.elapsed(),
        after: (ms, run) => systemClock.after(ms, run),
      },
      ids: randomUUID,
      random: () => 0.2,
      signal: new AbortController().signal,
    });
  let running = await start(url, token);
  return {
    logs,
    key: () => readFile(path.join(directory, 'data', 'machine-key.pem'), 'utf8'),
    restart: async (at: string, joinToken?: string) => {
      await running[Symbol.asyncDispose]();
      running = await start(at, joinToken);
    },
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await endServers({ host: createLocalHost({ env: process.env }), clock: hostClock }, path.join(directory, 'run'));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a proxy that sends each request to the next target, lets no WebSocket through, and loses answers to hellos with a new key. */
async function wayTo(targets: readonly Coordinator[], { lose }: { lose: number }) {
  let [turn, lost] = [0, 0];
  const server = createServer((request, response) => {
    const target = targets[turn % targets.length];
    turn += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
      const to = `${target?.url}${request.url}`;
      const pass = async (): Promise<void> => {
        const answer = await fetch(to, { method: 'POST', headers, body, signal: gone.signal });
        const text = await answer.text();
        if (request.url === '/agent/hello' && lost < lose && (JSON.parse(body) as { next: unknown }).next !== null) {
          lost += 1;
          response.destroy();
        } else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      };
      pass().catch(() => response.destroy());
    });
  });
  server.on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    /** Ends open connections, such as a long poll to the previous target, which is held for 25 s. */
    cut: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 60_000, interval: 50, message: what }).toBe(true);
}
