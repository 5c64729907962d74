/** Checks that everything arrives once, over any kind of connection, however often it breaks. */
import { randomUUID } from 'node:crypto';
import { type LocalClock, systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { AgentDirectoryError, joinFleet } from '../src/index.ts';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

test('given a connection that is cut again and again, when a command is given, then it is carried out once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();

  const command = coordinator.command(settings, deliverCommand(incarnation, 'SLOW 300\nSAY done'));
  for (let cuts = 0; cuts < 5; cuts += 1) {
    await until('a connection', () => coordinator.isConnected);
    coordinator.cut();
    await until('its end', () => !coordinator.isConnected);
  }
  await coordinator.result(command.id);
  await until('everything acknowledged', () => coordinator.acked.has(command.id));

  expect(machine.taken()).toHaveLength(1);
  // A repeat of the command is answered again; the answer is the same.
  const results = coordinator.resultsOf(command.id).map((result) => JSON.stringify(result));
  expect(new Set(results).size).toBe(1);
  const seqs = coordinator.stored.map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
});

test('given a coordinator that stores but does not say so, when the link is new, then the same is sent again and stored once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await machine.ready(settings);
  coordinator.broken.acks = true;
  const command = coordinator.command(settings, { kind: 'observe', base: null, delivery: null });
  await until('the command taken', () => coordinator.acked.has(command.id));

  coordinator.broken.acks = false;
  coordinator.cut();

  expect((await coordinator.result(command.id)).kind).toBe('observed');
});

test('given a proxy that lets no WebSocket through, when a worker is opened, then long polls carry everything', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  coordinator.broken.sockets = true;
  await machine.agent();
  const settings = machine.worker();

  const incarnation = await machine.ready(settings);
  const startedAt = performance.now();
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY hello')), 'delivered');

  // A held poll of 25 s that did not end for news would show here.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(coordinator.polls).toBeGreaterThan(3);
  expect(machine.logs.some((line) => line.includes('using long poll'))).toBe(true);
});

test('given two coordinators of which one is gone, when a machine joins, then the other one lets it in', async () => {
  await using machine = await TestMachine.start();
  const { coordinator, plainOptions } = machine;
  const coordinatorUrl = `http://127.0.0.1:1,${coordinator.url}`;
  const signal = new AbortController().signal;

  await joinFleet({
    ...plainOptions,
    coordinatorUrl,
    log: () => {},
    clock: systemClock,
    ids: randomUUID,
    signal,
  });

  expect(coordinator.hellos).toBe(1);
});

test('given a coordinator that many ask at once, when it says when to come, then the agent comes to it then, and to no other', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  coordinator.gate.turn = { times: 3, afterMs: 30 };

  const begun = performance.now();
  await machine.agent({ coordinatorUrl: `${coordinator.url},http://127.0.0.1:1` });
  await until('a hello', () => coordinator.hellos === 1);

  expect(performance.now() - begun).toBeGreaterThan(90);
  expect(machine.logs.filter((line) => line.includes('127.0.0.1:1') || line.startsWith('warn'))).toEqual([]);
});

test('given a running agent, when a second one is started on its directory, then it is refused with what to do', async () => {
  await using machine = await TestMachine.start();
  const first = await machine.agent();

  const second = machine.agent();

  await expect(second).rejects.toThrow(AgentDirectoryError);
  await expect(second).rejects.toThrow(/Another machine agent runs on .*stop it first/u);
  await first[Symbol.asyncDispose]();
  await expect(machine.agent()).resolves.toBeDefined();
});

test('given a command that was carried out, when it comes again, then it is answered from the journal', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY once'));
  await coordinator.result(command.id);

  coordinator.sendAgain(command.id);
  const [, again] = await until('a second result', () =>
    coordinator.resultsOf(command.id).length > 1 ? coordinator.resultsOf(command.id) : undefined,
  );

  expect(again?.kind).toBe('delivered');
  expect(machine.taken()).toEqual(['SAY once']);
});

test('given a command of an older epoch and one that a newer has overtaken, when they come, then neither is carried out', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();

  const stale = coordinator.command(settings, deliverCommand(incarnation, 'SAY stale'), {
    epoch: coordinator.epoch - 1,
  });
  const late = coordinator.command(settings, deliverCommand(incarnation, 'SAY late'), { seq: 1, id: randomUUID() });

  expect(await coordinator.result(stale.id)).toMatchObject({ kind: 'failed', code: 'stale-epoch', retry: true });
  expect(await coordinator.result(late.id)).toMatchObject({
    kind: 'failed',
    code: 'superseded',
    newestSeq: expect.any(Number),
  });
  expect(machine.taken()).toEqual([]);
});

test('given a newer coordinator, when it commands what this agent cannot read, then that has failed, is not asked again, and the rest is carried out', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const observe = { kind: 'observe', base: null, delivery: null } as const;
  const first = coordinator.command(machine.worker(), observe);
  const unread = coordinator.command(machine.worker(), { kind: 'teleport', to: 'afar' } as never);
  coordinator.command(machine.worker(), { kind: 'wish' } as never, { id: 'nameless' });
  const last = coordinator.command(machine.worker(), observe);

  const agent = await machine.agent();
  expect((await coordinator.result(first.id)).kind).toBe('observed');
  expect((await coordinator.result(last.id)).kind).toBe('observed');
  const failed = await coordinator.result(unread.id);
  const answer = await coordinator.ask(machine.worker(), { kind: 'read-mind' } as never);
  await until('all acknowledged', () => [first, unread, last].every(({ id }) => coordinator.acked.has(id)));

  expect(failed).toMatchObject({ kind: 'failed', retry: false });
  expect(failed).toHaveProperty(
    'message',
    expect.stringMatching(/"teleport" \("body.command.kind": .*it is older .*update it/u),
  );
  expect(answer).toMatchObject({ kind: 'failed', message: expect.stringContaining('"read-mind"') });
  expect(coordinator.hellos).toBe(1);
  expect(machine.logs.filter((line) => line.startsWith('warn') && line.includes('"wish"'))).toHaveLength(1);

  await agent[Symbol.asyncDispose]();
  await machine.agent();
  await until('the second hello', () => coordinator.hellos === 2);
  coordinator.sendAgain(unread.id);
  const [, again] = await until('a second result', () =>
    coordinator.resultsOf(unread.id).length > 1 ? coordinator.resultsOf(unread.id) : undefined,
  );
  expect(again).toEqual(failed);
});

test('given a link that only looks open, when nothing comes back, then it is noticed within ten seconds and renewed', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  // Twenty times faster than real time, so that ten seconds pass in half a second.
  const clock: LocalClock = {
    now: () => systemClock.now() * 20,
    elapsed: () => systemClock.elapsed() * 20,
    after: (delayMs, run) => systemClock.after(delayMs / 20, run),
  };
  await machine.agent({ clock, profiles: {} });
  await until('a connection', () => coordinator.isConnected);
  const startedAt = clock.now();

  coordinator.deafen();
  await until('a second hello', () => coordinator.hellos === 2);

  const tookMs = clock.now() - startedAt;
  expect(tookMs).toBeGreaterThan(5_000);
  expect(machine.logs.some((line) => line.includes('The coordinator was silent'))).toBe(true);
});
