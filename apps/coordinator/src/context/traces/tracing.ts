/** Sends traces to a collector, if one is named. The library loads only then: without a collector nothing is made or measured. */
import type { Clock, Log } from '@drover/base';
import { spansOf } from './trace.ts';
import type { Traced, TracedSpan } from './trace.ts';

/** Hears each decision after its commit. */
export interface Tracing {
  decided(traced: Traced): void;
}

/** Milliseconds that sending the last spans may take when the process stops. */
const LAST_MS = 2_000;
/** Spans that may wait for the collector, which may be away; more are dropped. */
const WAITING_MAX = 4_096;
/** Milliseconds that spans are collected before they are sent, and the most spans in one batch. */
const COLLECT_MS = 1_000;
const AT_ONCE = 512;

/** @param url Address of an OTLP collector over HTTP, such as `http://localhost:4318`; `/v1/traces` is added. */
export async function openTracing(
  url: string,
  { version, clock, log }: { readonly version: string; readonly clock: Pick<Clock, 'after'>; readonly log: Log },
): Promise<Tracing & AsyncDisposable> {
  const [
    { diag, DiagLogLevel, ROOT_CONTEXT, trace, TraceFlags },
    sdk,
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const told = (message: string): void => log('debug', `Cannot send traces: ${message}`);
  diag.setLogger({ error: told, warn: told, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN);
  const next = { traceId: '', spanId: '' };
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'drover-coordinator', 'service.version': version }),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [
      new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${url.replace(/(?<!\/)\/+$/u, '')}/v1/traces` }), {
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: AT_ONCE,
        scheduledDelayMillis: COLLECT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('drover');
  const contextOf = (of: { readonly traceId: string; readonly spanId: string }) => ({
    ...of,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  const send = ({ traceId, spanId, parentId, name, start, end, attributes, link }: TracedSpan): void => {
    [next.traceId, next.spanId] = [traceId, spanId];
    const parent =
      parentId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf({ traceId, spanId: parentId }));
    const links = link === null ? [] : [{ context: contextOf(link) }];
    tracer.startSpan(name, { startTime: start, attributes, links }, parent).end(end);
  };
  return {
    decided: (traced) => spansOf(traced).forEach(send),
    [Symbol.asyncDispose]: async () => {
      const over = Promise.withResolvers<void>();
      const cancel = clock.after(LAST_MS, over.resolve);
      await Promise.race([provider.shutdown().catch((error: unknown) => told(String(error))), over.promise]);
      cancel();
    },
  };
}
