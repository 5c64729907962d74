/**
 * Which open connections have shown no valid token yet? Only so many may stay; one more closes the oldest. So connections that are
 * held open and say nothing take no room from a client that says at once who it is.
 */
import type { Socket } from 'node:net';
import { networkOf, plainAddress } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import { STRANGERS_MAX, STRANGERS_OF_ADDRESS_MAX } from './limits.ts';

/** All of them, the oldest first, and the same by address. */
export class Strangers {
  readonly #trustedProxies: Addresses;
  readonly #onClosed: (address: string) => void;
  readonly #all = new Map<Socket, string>();
  readonly #byAddress = new Map<string, Set<Socket>>();

  /** @param trustedProxies Their connections are of many callers: only the limit in all holds for them. */
  constructor(trustedProxies: Addresses, onClosed: (address: string) => void) {
    this.#trustedProxies = trustedProxies;
    this.#onClosed = onClosed;
  }

  /** Takes a new connection. */
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

  /** It is closed, or none any more. */
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
