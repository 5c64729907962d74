/** Requests over HTTP by the platform's `fetch`: redirects are not followed, because a redirect would carry tokens elsewhere. */
import type { Http } from './ports.ts';

/** Sends a request by `fetch`. */
export const systemHttp: Http = async (url, { method, headers = {}, body, timeoutMs, signal }) => {
  const limit = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await textOf(answer) };
};

/** Maximum bytes of an answer: services answer a bot with far less. */
const BYTES_MAX = 4 * 1024 ** 2;

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > BYTES_MAX) throw new Error(`the answer has more than ${BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
