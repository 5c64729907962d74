/** Reads the payload of one hook: a file for each, named by a line of the worker's news. */
import { join } from 'node:path';
import type { Files } from '@drover/host';

/** Names as `mktemp` makes them: any other line of the news leads nowhere. */
const NAME = /^[A-Za-z0-9]{10}$/u;
/** Bytes of one payload: a prompt holds 1 MiB at most, and programs send the output of a tool beside it. */
const PAYLOAD_BYTES_MAX = 8 * 1024 * 1024;

/** Directory of the payloads that the news name. */
export function payloadsBeside(news: string): string {
  return news.replace(/\.news$/u, '.payloads');
}

/** Payload and its time (epoch milliseconds); null when there is none of that name, or it is too large. */
export async function readPayload(
  disk: Files,
  news: string,
  name: string,
): Promise<{ readonly text: string; readonly at: number } | null> {
  if (!NAME.test(name)) return null;
  const path = join(payloadsBeside(news), name);
  const read = await disk.readRange(path, { from: 0, bytesMax: PAYLOAD_BYTES_MAX });
  if (read === undefined || read.size > PAYLOAD_BYTES_MAX) return null;
  return { text: Buffer.from(read.bytes).toString('utf8'), at: read.modifiedAt };
}
