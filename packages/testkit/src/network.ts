/** Network between two programs of this host, which a test can cut. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Forwards connections to a port of this host until a test cuts them. */
export class Network implements AsyncDisposable {
  /** Address that it listens at. */
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

  /** Listens on a free port and forwards everything to another port of this host. */
  static async to(target: number): Promise<Network> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Network(server, target);
  }

  /** Number of connections that go through it now. */
  get connections(): number {
    return this.#open.size / 2;
  }

  /** Breaks every connection, and new connections at once, until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** Lets connections through again. */
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
