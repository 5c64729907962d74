/** A TCP proxy of the tests' own: a link that is late, slow, falls silent, or is cut. */
import { connect, createServer, type Socket } from 'node:net';

/** Carries bytes over a link that delays, drops or cuts them. */
export class BadLink implements AsyncDisposable {
  readonly #server = createServer({ noDelay: true }, (near) => this.#carry(near));
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  #delayMs = 0;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  #isFrozen = false;
  #bytesLeft = Number.POSITIVE_INFINITY;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  private constructor(target: number) {
    this.#target = target;
  }

  /** A link to a port of loopback. */
  static async to(target: number): Promise<BadLink> {
    const link = new BadLink(target);
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  /** The port at which it begins. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Holds bytes up for so long, each way. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Carries so many bytes in a second, each way. */
  slow(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Freezes the link: it neither carries bytes nor closes anything. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Carries so many more bytes from the other end; what comes behind them is lost. */
  silenceAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /** Carries on, with all that waited. */
  thaw(): void {
    this.#isFrozen = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Ends every connection now, in the middle of whatever is under way. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Takes no connections, as while a machine is away. */
  refuse(isClosed: boolean): void {
    this.#isClosed = isClosed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isFrozen = false;
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(near: Socket): void {
    if (this.#isClosed) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port: this.#target, noDelay: true });
    this.#oneWay(near, far);
    this.#oneWay(far, near, (chunk) => this.#allowed(chunk));
  }

  /** Returns the part of a chunk that still passes. */
  #allowed(chunk: Buffer): Buffer {
    const passed = chunk.subarray(0, Math.max(0, this.#bytesLeft));
    this.#bytesLeft -= chunk.length;
    return passed;
  }

  #oneWay(from: Socket, to: Socket, allowed = (chunk: Buffer): Buffer => chunk): void {
    this.#sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    // Chunks go one after another, or late bytes would overtake each other.
    let before: Promise<void> = Promise.resolve();
    let sentAt = 0;
    from.on('data', (all: Buffer) => {
      const chunk = allowed(all);
      if (chunk.length === 0 && all.length > 0) return;
      sentAt = Math.max(sentAt, Date.now()) + (chunk.length / this.#bytesPerSecond) * 1_000;
      const due = sentAt + this.#delayMs;
      before = before.then(() => this.#pass(due)).then(() => void to.write(chunk));
    });
  }

  async #pass(due: number): Promise<void> {
    const wait = due - Date.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    while (this.#isFrozen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
