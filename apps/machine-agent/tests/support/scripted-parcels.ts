/** Parcels of scripted coordinators, kept in memory, with faults that a test adds on the way. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHUNK_DIGEST_HEADER } from '@drover/protocol';

export class ScriptedParcels {
  readonly chunks = new Map<string, Map<number, Buffer>>();
  /** Method and number of each request that was answered. */
  readonly asked: string[] = [];
  /** Called before each request is answered; true: its connection is cut. */
  cuts: (asked: string) => boolean = () => false;
  /** Changes a chunk before it is stored. */
  stores: (content: Buffer) => Buffer = (content) => content;

  serve(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const parts = (request.url ?? '').split('/').slice(3);
    const number = request.method === 'POST' ? null : Number(parts.at(-1));
    const sha256 = (number === null ? parts.at(-1) : parts.at(-2)) ?? '';
    const asked = `${request.method} ${number ?? ''}`.trim();
    if (this.cuts(asked)) {
      response.destroy();
      return;
    }
    this.asked.push(asked);
    const held = this.chunks.get(sha256) ?? new Map<number, Buffer>();
    this.chunks.set(sha256, held);
    if (number === null) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ chunks: [...held.keys()] }));
      return;
    }
    if (request.method === 'PUT') {
      held.set(number, this.stores(body));
      response.writeHead(204).end();
      return;
    }
    const content = held.get(number);
    if (content === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    const digest = createHash('sha256').update(content).digest('hex');
    response.writeHead(200, { [CHUNK_DIGEST_HEADER]: digest }).end(content);
  }
}
