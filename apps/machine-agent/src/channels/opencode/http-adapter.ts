/** Asks a program over HTTP on a stream to it, whether it is near or far. */
import type { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';
import { ChannelError } from '../channel.ts';

/** Bytes of an answer. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** Request. `body`: JSON; without it the method is GET. */
export interface HttpAsked {
  readonly path: string;
  readonly login: { readonly user: string; readonly password: string };
  readonly body?: object | undefined;
  readonly withinMs: number;
}

/** Answer, whatever its status. */
export interface HttpSaid {
  readonly status: number;
  readonly text: string;
}

/** Asks over a stream of its own, which it ends. Redirects are not followed. @throws ChannelError `unreachable`, `cut-off`. */
export function askOver(
  clock: LocalClock,
  stream: Duplex,
  { path, login, body, withinMs }: HttpAsked,
): Promise<HttpSaid> {
  // Loads without `import`: docs/adr/0027-one-package-and-small-processes.md.
  const { request } = process.getBuiltinModule('node:http');
  const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {
    authorization,
    host: '127.0.0.1',
    connection: 'close',
    ...(json !== undefined && { 'content-type': 'application/json', 'content-length': json.length }),
  };
  const method = json === undefined ? 'GET' : 'POST';
  return new Promise<HttpSaid>((resolve, reject) => {
    const fail = (code: 'unreachable' | 'cut-off', why: string): void => reject(new ChannelError(code, why));
    const cancel = clock.after(withinMs, () => {
      fail('unreachable', `it did not answer "${path}" within ${withinMs} ms`);
      stream.destroy();
    });
    const asked = request({ createConnection: () => stream, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size <= BODY_BYTES_MAX) return;
        fail('cut-off', 'it sent an answer that is too long');
        stream.destroy();
      });
      response.on('end', () => {
        cancel();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
      response.on('error', (error) => fail('unreachable', error.message));
      response.on('aborted', () => fail('unreachable', 'it broke off its answer'));
    });
    asked.on('error', (error) => {
      cancel();
      fail('unreachable', error.message);
    });
    asked.end(json);
  }).finally(() => stream.destroy());
}
