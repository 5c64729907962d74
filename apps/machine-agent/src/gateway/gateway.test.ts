/** Checks that a gateway takes, serves and leaves machines as its coordinator says, and reports their state at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { gatewayRequest } from '@drover/protocol';
import type { GatewayAnswer, GatewayRequest, HostState, ServedMachine } from '@drover/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptedGate } from '../../tests/support/scripted-gate.ts';
import { until } from '../../tests/support/until.ts';
import { loadMachineKeys } from '../identity/machine-key.ts';
import { AgentDatabase, openDirectory } from '../store/database.ts';
import type { Post } from '../sync/http-adapter.ts';
import { Gateway } from './gateway.ts';

const URL = 'http://coordinator';
const FAR = randomUUID();

function machine(epoch: number): ServedMachine {
  const connection = { destination: 'far', port: null, identity: null, jump: null, carrier: null };
  return { machineId: FAR, name: 'far', epoch, connection, pinned: ['ssh-ed25519 AAAA'], hostId: null };
}

/** Milliseconds that the coordinator has to hear that a gateway leaves. */
const LEAVE_MS = 2_000;

/** Gateway, and a coordinator that answers as a test says. */
function started() {
  /** Limits of the last message, which a test may let pass. */
  const limits: (() => void)[] = [];
  const heard: GatewayRequest[] = [];
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  const stop = new AbortController();
  const gate = new ScriptedGate();
  const asked: GatewayRequest[] = [];
  /** Actions on hosts, in order. */
  const done: string[] = [];
  const states = new Map<number, { now: HostState; tell: () => void }>();
  const now: { answer: Pick<GatewayAnswer, 'serve' | 'free'>; fails: boolean; closing: Promise<void> } = {
    answer: { serve: [], free: [] },
    fails: false,
    closing: Promise.resolve(),
  };
  let changed = Promise.withResolvers<void>();
  const post: Post = async (url, { body, signal }) => {
    const { pathname } = new globalThis.URL(url);
    if (pathname === '/agent/gateway') {
      asked.push(body as GatewayRequest);
      // A network takes its time: without a pause nothing else would ever run.
      await new Promise((resolve) => setImmediate(resolve));
      if (now.fails || signal.aborted) throw new Error('no network');
      const held = Promise.withResolvers<void>();
      held.promise.catch(() => {});
      signal.addEventListener('abort', () => held.reject(new Error('given up')));
      const { revision, take, leaving } = body as GatewayRequest;
      // Waits like the real coordinator while there is no news for the gateway.
      const isHeld = (): boolean =>
        revision === JSON.stringify(now.answer.serve) && now.answer.free.length + take.length === 0 && !leaving;
      while (isHeld()) await Promise.race([changed.promise, held.promise]);
      heard.push(body as GatewayRequest);
      const answer = { ...now.answer, revision: JSON.stringify(now.answer.serve), intervalMs: 1_000 };
      return { status: 200, text: JSON.stringify(answer) };
    }
    if (pathname === '/agent/join' || pathname === '/agent/challenge') {
      const { status, answer } = pathname === '/agent/join' ? gate.join(body) : gate.challenge(body);
      return { status, text: JSON.stringify(answer) };
    }
    const refusal = gate.hello(body, URL);
    if (refusal !== null) return { status: refusal.status, text: JSON.stringify(refusal.answer) };
    const token = { accessToken: 't', expiresAt: 900_000, serverTime: 0, epoch: 1, workers: [], lacks: [] };
    const known = { publicKey: gate.machineKey, rotate: false, profiles: { revision: 0, documents: [] } };
    return { status: 200, text: JSON.stringify({ ...token, ...known }) };
  };
  const db = new AgentDatabase(openDirectory(directory));
  const facts = { hostname: 'h', platform: 'p', tmux: '3', git: '2', node: '24', zone: 'UTC' };
  const gateway = new Gateway({
    urls: [URL],
    identity: {
      db,
      keys: loadMachineKeys(directory),
      machineName: 'north',
      joinToken: gate.token,
      agentEpoch: randomUUID(),
      version: '0',
      facts: () => Promise.resolve(facts),
      places: null,
      salt: randomUUID,
      log: () => {},
    },
    post,
    clock: {
      ...systemClock,
      after(delayMs, run) {
        if (delayMs === LEAVE_MS) limits.push(run);
        return systemClock.after(delayMs, run);
      },
    },
    random: () => 0,
    log: () => {},
    signal: stop.signal,
    keyFor: (id) => Buffer.from(`key for ${id}`).toString('base64'),
    serve(served, onNews) {
      const { epoch } = served;
      done.push(`serve under ${epoch}`);
      const state = { now: { kind: 'connecting' } as HostState, tell: onNews };
      states.set(epoch, state);
      return {
        machine: served,
        get state() {
          return state.now;
        },
        findings: [],
        async [Symbol.asyncDispose]() {
          done.push(`leave ${epoch}`);
          await now.closing;
          done.push(`left ${epoch}`);
        },
      };
    },
  });
  const ended = gateway.run();
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  onTestFinished(async () => {
    await end();
    db[Symbol.dispose]();
    rmSync(directory, { recursive: true });
  });
  return {
    asked,
    heard,
    limits,
    done,
    now,
    end,
    /** Changes the coordinator's answer. */
    says(answer: Partial<typeof now.answer>) {
      now.answer = { ...now.answer, ...answer };
      changed.resolve();
      changed = Promise.withResolvers();
    },
    /** Changes the state of the host that is served under an epoch. */
    becomes(epoch: number, state: HostState) {
      const host = states.get(epoch);
      if (host === undefined) throw new Error(`Nothing is served under ${epoch}`);
      host.now = state;
      host.tell();
    },
  };
}

const CONNECTED: HostState = { kind: 'connected', hostId: 'h', keys: [] };

test('given a machine that is free, when a gateway hears of it, then it asks for it with a key for that machine alone, serves it, and says at once how it is', async () => {
  const { asked, done, says, becomes } = started();
  says({ free: [FAR] });
  const taking = await until('a request for it', () => asked.find(({ take }) => take.length > 0));
  says({ free: [], serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  becomes(1, CONNECTED);
  const told = await until('its state', () => asked.find(({ hosts }) => hosts[0]?.state.kind === 'connected'));

  expect(taking.take).toEqual([{ machineId: FAR, publicKey: Buffer.from(`key for ${FAR}`).toString('base64') }]);
  expect(told.hosts).toEqual([{ machineId: FAR, epoch: 1, state: CONNECTED, findings: [] }]);
});

test('given a machine that comes under a higher epoch, when the former service takes long to end, then it has ended before the next begins, and nothing is said of it under the new epoch', async () => {
  const { asked, done, now, says, becomes } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  becomes(1, CONNECTED);
  const closing = Promise.withResolvers<void>();
  now.closing = closing.promise;
  says({ serve: [machine(3)] });
  await until('its end', () => done.includes('leave 1'));
  await until('a word under the new epoch', () => asked.some(({ hosts }) => hosts[0]?.epoch === 3));
  const before = [...done];
  closing.resolve();
  await until('the next service', () => done.includes('serve under 3'));

  expect(before).toEqual(['serve under 1', 'leave 1']);
  expect(done).toEqual(['serve under 1', 'leave 1', 'left 1', 'serve under 3']);
  const said = asked.flatMap(({ hosts }) => hosts.filter(({ epoch }) => epoch === 3));
  expect(said.filter(({ state }) => state.kind === 'connected')).toEqual([]);
});

test('given a machine that is served no more, when the coordinator says so, then it is left, and not spoken of again', async () => {
  const { asked, done, says } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  says({ serve: [] });
  await until('its end', () => done.includes('left 1'));

  await until('a request without it', () => asked.at(-1)?.hosts.length === 0);
});

test('given a coordinator that is away for a moment, when it answers again, then the machine is served on, without a break', async () => {
  const { asked, done, now, says, becomes } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  now.fails = true;
  becomes(1, CONNECTED);
  const count = asked.length;
  await until('a request in vain', () => asked.length > count);
  now.fails = false;
  const last = asked.length;
  await until('a request that is heard', () => asked.length > last);

  expect(done).toEqual(['serve under 1']);
  expect(asked.at(-1)?.hosts).toMatchObject([{ epoch: 1, state: CONNECTED }]);
});

test('given a gateway that is asked to end, when it has left its machines, then it says so, that others may take them at once', async () => {
  const { asked, done, says, end } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));

  await end();

  expect(done).toEqual(['serve under 1', 'leave 1', 'left 1']);
  expect(asked.at(-1)).toMatchObject({ leaving: true, hosts: [{ machineId: FAR, epoch: 1 }] });
});

test('given a machine that takes long to be left, when a gateway ends, then its coordinator hears all the same that it leaves', async () => {
  const { heard, limits, done, now, says, end } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  const closing = Promise.withResolvers<void>();
  now.closing = closing.promise;

  const ended = end();
  await until('its end', () => done.includes('leave 1'));
  for (const pass of limits) pass();
  closing.resolve();
  await ended;

  expect(heard.at(-1)).toMatchObject({ leaving: true });
});

test.each<[string, HostState]>([
  ['a host-id of 17,000 characters', { kind: 'connected', hostId: 'x'.repeat(17_000), keys: [] }],
  ['a key that is none', { kind: 'key-unknown', key: 'ssh-ed25519 \u001b[2J', isKnown: false }],
  ['more than a report may hold', { kind: 'lost', code: 'unreachable', why: '漢'.repeat(30_000), retry: true }],
])('given a host with %s, when its gateway says how its hosts are, then that host alone is lost', async (_, state) => {
  const { asked, done, says, becomes } = started();
  says({ serve: [machine(1)] });
  await until('its service', () => done.includes('serve under 1'));
  becomes(1, state);

  const told = await until('its state', () => asked.find(({ hosts }) => hosts[0]?.state.kind === 'lost'));

  expect(gatewayRequest.safeParse(told).error?.issues ?? []).toEqual([]);
  expect(told.hosts).toMatchObject([{ machineId: FAR, epoch: 1, state: { code: 'bad-host', retry: true } }]);
  expect(JSON.stringify(told).length).toBeLessThan(2_000);
});
