/** How is a program on this machine asked over HTTP, and which port may it be given? */
import { createServer } from 'node:net';

/** Milliseconds for an answer: programs on loopback take a few. */
const ANSWER_MS = 1_000;

/** A port of the loopback address that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** The body of an answer with status 200; undefined when there is none in time. Redirects are not followed. */
export async function getText(
  url: string,
  { user, password }: { user: string; password: string },
): Promise<string | undefined> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { headers: { authorization }, redirect: 'error', signal });
    return response.status === 200 ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}
