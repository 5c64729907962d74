// Runs functions in a process that is kept: the first request opens the coordinator. The process ends with its parent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Exports of the packed build. */
interface Built {
  readonly serve: (request: Request) => Promise<Response>;
}

const { serve } = (await import(process.argv[2] ?? '')) as Built;
const server = createServer((asked, answer) => void pass(asked, answer));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.on('disconnect', () => process.exit());
process.send?.(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '');

async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { url = '/', method = 'GET', headers } = asked;
  const body = method === 'GET' ? null : await buffer(asked);
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  const response = await serve(new Request(`http://${headers.host ?? ''}${url}`, { method, headers: given, body }));
  answer.writeHead(response.status, Object.fromEntries(response.headers));
  answer.end(Buffer.from(await response.arrayBuffer()));
}
