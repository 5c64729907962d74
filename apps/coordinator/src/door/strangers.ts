/**
 * Bounds the open connections that have shown no valid token yet: a new one beyond the limit closes the oldest. So idle connections take
 * no room from a client that identifies itself at once.
 */
import type { Socket } from 'node:net';
import { networkOf, plainAddress } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import { STRANGERS_MAX, STRANGERS_OF_ADDRESS_MAX } from './limits.ts';

/** Holds all of them, the oldest first, and the same by address. */
export class Strangers {
  readonly #trustedProxies: Addresses;
  readonly #onClosed: (address: string) => void;
  readonly #all = new Map<Socket, string>();
  readonly #byAddress = new Map<string, Set<Socket>>();

  /** @param trustedProxies Addresses whose connections are of many callers: only the total limit holds for them. */
  constructor(trustedProxies: Addresses, onClosed: (address: string) => void) {
    this.#trustedProxies = trustedProxies;
    this.#onClosed = onClosed;
  }

  add(socket: Socket): void {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const address = networkOf(peer);
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(socket));
    this.#all.set(socket, address);
    socket.once('close', () => this.remove(socket));
    if (own.size > STRANGERS_OF_ADDRESS_MAX && !this.#trustedProxies.has(peer)) this.#close(own.values().next().value);
    if (this.#all.size > STRANGERS_MAX) this.#close(this.#all.keys().next().value);
  }

  /** Forgets a connection that closed, or that has shown a valid token. */
  remove(socket: Socket): void {
    const address = this.#all.get(socket);
    if (address === undefined) return;
    this.#all.delete(socket);
    const own = this.#byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) this.#byAddress.delete(address);
  }

  #close(socket: Socket | undefined): void {
    if (socket === undefined) return;
    const address = this.#all.get(socket) ?? '';
    this.remove(socket);
    socket.destroy();
    this.#onClosed(address);
  }
}
