/** Streams a growing list as Server-Sent Events. Reads the log slowly for a slow reader: nothing piles up. */
import type { Answer } from './answers.ts';

/** Seconds between signs of life of a stream: less than proxies and the port itself wait for a byte. */
const PULSE_S = 15;
/** Milliseconds after which a client that was cut off reconnects. */
const RETRY_MS = 2_000;

/** Headers that keep caches and proxies from buffering the stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

interface Page {
  readonly items: readonly { readonly cursor: string; readonly type: string }[];
  readonly next: string;
}

/** Parts of a stream: its first page, and a function that asks for the next one. */
export interface StreamParts {
  readonly first: Answer;
  readonly next: (query: { readonly after: string; readonly wait: number }) => Promise<Answer>;
  /** Fires when the stream is over: its reader is gone, its token has expired, or the process stops. */
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
}

/** Streams the pages. The stream ends with an event `problem` when there is no next page. */
export function streamOf({ first, next, signal, onEnd }: StreamParts): Response {
  const encoder = new TextEncoder();
  let page: Answer | null = first;
  let cursor = '';
  const body = new ReadableStream<Uint8Array>(
    {
      start: (out) => out.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      pull: async (out) => {
        const now = page ?? (await next({ after: cursor, wait: PULSE_S }));
        page = null;
        if (now.status !== 200) {
          out.enqueue(encoder.encode(`event: problem\ndata: ${JSON.stringify(now.body)}\n\n`));
          out.close();
          onEnd();
          return;
        }
        const { items, next: after } = now.body as Page;
        cursor = after;
        if (signal.aborted) {
          out.close();
          onEnd();
          return;
        }
        out.enqueue(encoder.encode(items.length === 0 ? `: ${cursor}\n\n` : items.map(eventOf).join('')));
      },
      cancel: onEnd,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Formats an event on one line: JSON has no line breaks. */
function eventOf(item: Page['items'][number]): string {
  return `id: ${item.cursor}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`;
}
