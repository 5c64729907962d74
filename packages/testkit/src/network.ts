/** A real network between two programs of this host, which can be cut. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Passes everything on to a port of this host, until it is cut. */
export class Network implements AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, target: number) {
    this.#server = server;
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    server.on('connection', (near) => this.#join(near, target));
  }

  /** Listens on a free port and passes everything on to another port of this host. */
  static async to(target: number): Promise<Network> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Network(server, target);
  }

  /** How many connections go through it now. */
  get connections(): number {
    return this.#open.size / 2;
  }

  /** Breaks every connection; new ones are broken at once until the network is mended. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** From now on connections go through again. */
  mend(): void {
    this.#isCut = false;
  }

  #join(near: Socket, target: number): void {
    if (this.#isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    this.#pass(near, far);
    this.#pass(far, near);
  }

  #pass(from: Socket, to: Socket): void {
    this.#open.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
