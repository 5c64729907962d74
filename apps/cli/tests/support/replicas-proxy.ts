/** A network between machine agent and coordinator that can be cut. */
import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';

export class Proxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('connection', (near) => this.#join(near, target));
  }

  /** Listens on a free port and passes everything on to another port of this host. */
  static async to(target: number): Promise<Proxy> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
    return new Proxy(server, await promise, target);
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
    if (this.#isCut) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}
