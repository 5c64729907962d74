// The network between machine agent and coordinator, which can be cut.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Passes everything on to a port of this host, until it is cut. */
export class Network implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, target: number) {
    this.#server = server;
    server.on('connection', (near) => this.#join(near, target));
  }

  static async open(port: number, target: number): Promise<Network> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const server = createServer().once('error', reject).listen(port, '127.0.0.1', resolve);
    await promise;
    return new Network(server, target);
  }

  /** Breaks every connection, and new ones until it is mended. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

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
