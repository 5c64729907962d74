/** Carries commands to a machine: one connection with many channels. Everything else is written once on top of it. */
import type { Duplex, Readable, Writable } from 'node:stream';

/** End of a channel's command; neither is known where only the connection ended. */
export interface ChannelExit {
  readonly status: number | undefined;
  /** Name such as `SIGKILL`. */
  readonly signal: string | undefined;
}

/** A command on the machine, run by the user's login shell. */
export interface Channel {
  readonly input: Writable;
  readonly output: Readable;
  readonly stderr: Readable;
  /** Resolves when the command has ended and its outputs were read, or with the connection; never rejects. */
  readonly exit: Promise<ChannelExit>;
  /** Asks the server to send a signal, such as `KILL`. Servers may refuse that, and some do not know it. */
  signal(name: string): void;
  /** Gives the channel up: its outputs are read no more. */
  close(): void;
}

/** Reason why a carrier could not do what was asked of it. */
export type CarrierFailure =
  /** The server opens no more channels now: nothing ran. */
  | 'refused'
  /** Port or socket of the machine without a listener. */
  | 'no-listener'
  /** The server allows no forwarding. */
  | 'forbidden'
  /** The connection has ended. */
  | 'lost';

/** A channel could not be opened. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';
  readonly reason: CarrierFailure;

  constructor(reason: CarrierFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Connection to one machine. When it has ended it stays ended. */
export interface Carrier extends AsyncDisposable {
  /** @throws CarrierError `refused` or `lost`. */
  open(command: string): Promise<Channel>;
  /** Connects to a port of the machine's 127.0.0.1, or to a Unix socket by its path. @throws CarrierError */
  forward(to: number | string): Promise<Duplex>;
  /** Resolves when the connection has ended, with the reason in one sentence; never rejects. */
  readonly closed: Promise<string>;
  /** Ends the connection now. */
  end(why: string): void;
}
