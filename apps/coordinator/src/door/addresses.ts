/** Finds the address that a request counts for. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** A set of addresses. */
export interface Addresses {
  has(address: string): boolean;
}

/** @param list Addresses, and networks such as `10.0.0.0/8`. @throws {TypeError | RangeError} for anything else. */
export function addressesOf(list: readonly string[]): Addresses {
  const known = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) known.addAddress(address, familyOf(address));
    else known.addSubnet(address, Number(bits), familyOf(address));
  }
  return { has: (address) => isIP(address) !== 0 && known.check(address, familyOf(address)) };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/**
 * Finds the address that a request counts for. Believes a proxy about its caller only if the proxy is trusted; the last entry is the
 * address that the proxy itself has seen. IPv6 counts by network, because a host has all the addresses in its network.
 */
export function callerOf({ headers, socket }: IncomingMessage, trustedProxies: Addresses): string {
  const peer = plainAddress(socket.remoteAddress ?? '');
  if (!trustedProxies.has(peer)) return networkOf(peer);
  const told = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return isIP(told) === 0 ? peer : networkOf(plainAddress(told));
}

/** Converts IPv4 that comes over an IPv6 socket to IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, '').toLowerCase();
}

/** Returns the first 64 bits of an IPv6 address, the whole of another one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = '', right] = address.split('%')[0]?.split('::') ?? [];
  const head = left.split(':').filter((part) => part !== '');
  const tail = right?.split(':').filter((part) => part !== '') ?? [];
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
