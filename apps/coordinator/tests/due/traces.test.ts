/** A collector gets an event from the machine to the decision, the command and its result, as one trace. */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { DEFAULT_POLICY, decide, newWorker, zoneOfMachine } from '@drover/core';
import type { Decision, Worker, WorkerEvent } from '@drover/core';
import { openTracing } from '../../src/context/traces/tracing.ts';
import { spansOf } from '../../src/context/traces/trace.ts';
import type { Traced } from '../../src/context/traces/trace.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly Span[];
}

async function startCollector(status = 200): Promise<Collector> {
  const spans: Span[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { resourceSpans } = JSON.parse(await text(request)) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    if (request.url === '/v1/traces')
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
  const { url, [Symbol.asyncDispose]: close } = await listen((request, response) => void take(request, response));
  return { url, spans, [Symbol.asyncDispose]: close };
}

async function listen(take: RequestListener): Promise<Omit<Collector, 'spans'>> {
  const server = createServer(take).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const WORKER = { id: '018f0000-0000-7000-8000-000000000001', name: 'adam' };

function decided(before: Worker, event: WorkerEvent, at: number): Traced & { readonly decision: Decision } {
  const decision = decide(before, event, {
    now: at,
    fresh: '018f0000-0000-7000-8000-0000000000ff',
    policy: DEFAULT_POLICY,
    merge: { lease: 'free' },
    machineConnected: true,
    ways: { othersIdle: 0 },
    random: 0.5,
    profile: 'sim',
    trust: {},
    zone: zoneOfMachine('UTC'),
  });
  return { worker: WORKER, before, event, decision, seenAt: at - 40, begunAt: at - 10, committedAt: at };
}

test('given a collector, when a worker is told to come up and its command ends, then one trace has the event, the decision and the command, and the next one is linked to it', async () => {
  await using collector = await startCollector();
  const first = decided(newWorker(), { kind: 'up-requested' }, 1_800_000_000_000);
  const { worker } = first.decision;
  const seq = worker.command.inFlight?.seq ?? 0;
  const result = { kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null } as const;
  const second = decided(worker, { kind: 'command-finished', seq, result }, 1_800_000_001_000);
  {
    await using replica = await openTracing(collector.url, { version: 'test', clock: systemClock, log: () => {} });
    replica.decided(first);
    // Another replica receives the result.
    await using other = await openTracing(collector.url, { version: 'test', clock: systemClock, log: () => {} });
    other.decided(second);
  }

  const named = (name: string): Span | undefined => collector.spans.find((span) => span.name.startsWith(name));
  const command = named('command prepare');
  const ofFirst = collector.spans.filter(({ traceId }) => traceId === command?.traceId);
  const seen = ofFirst.find((span) => span.name === 'machine saw up-requested');
  const decision = ofFirst.find((span) => span.name.startsWith('decision '));
  expect(ofFirst).toHaveLength(3);
  expect(seen?.parentSpanId ?? '').toBe('');
  expect(decision?.parentSpanId).toBe(seen?.spanId);
  expect(command?.parentSpanId).toBe(decision?.spanId);
  expect(named('machine saw command-finished')?.links).toMatchObject([
    { traceId: command?.traceId, spanId: command?.spanId },
  ]);
});

test('given a collector that refuses, when spans are sent, then decisions go on, and the end waits two seconds at most', async () => {
  await using collector = await startCollector(503);
  const tracing = await openTracing(collector.url, { version: 'test', clock: systemClock, log: () => {} });
  tracing.decided(decided(newWorker(), { kind: 'up-requested' }, 1_800_000_000_000));

  const before = performance.now();
  await tracing[Symbol.asyncDispose]();

  expect(performance.now() - before).toBeLessThan(20_000);
});

test('given a collector whose answer is endless, when spans are sent, then the exporter hangs up after some of it', async () => {
  const chunk = Buffer.alloc(1_048_576);
  const over = Promise.withResolvers<number>();
  // Without a limit the whole answer would be kept: its end is far beyond the limit.
  const answer = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'application/json' });
    let sent = 0;
    for (; sent < 64 && !response.destroyed; sent += 1)
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    response.end();
    over.resolve(sent);
  };
  await using collector = await listen((_request, response) => void answer(response));
  await using tracing = await openTracing(collector.url, { version: 'test', clock: systemClock, log: () => {} });

  tracing.decided(decided(newWorker(), { kind: 'up-requested' }, 1_800_000_000_000));

  expect(await over.promise).toBeLessThan(64);
});

test('given a decision that gives and ends no command, as most do, when it is traced, then there is no span', () => {
  const quiet = decided(newWorker(), { kind: 'up-requested' }, 1_800_000_000_000);
  const withCommand = spansOf(quiet);

  expect(withCommand.map(({ name }) => name)).toEqual([
    'machine saw up-requested',
    expect.stringMatching(/^decision /u),
  ]);
  expect(spansOf({ ...quiet, decision: { ...quiet.decision, commands: [] } })).toEqual([]);
});
