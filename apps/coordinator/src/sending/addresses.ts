/** Lets webhooks go to public addresses only: this computer and its network must not be reached through the coordinator. */
import { BlockList, isIP } from 'node:net';

const REFUSED = new BlockList();
// Source: the IANA registries of special-purpose addresses, read in November 2026.
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  REFUSED.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  REFUSED.addSubnet(network, bits, 'ipv6');

/** Range in which all IPv6 addresses are assigned: mapped, translated, private and local addresses lie outside of it. */
const PUBLIC_SIX = new BlockList();
PUBLIC_SIX.addSubnet('2000::', 3, 'ipv6');

/** Tells whether an address is public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !REFUSED.check(address, 'ipv4');
    case 6:
      return PUBLIC_SIX.check(address, 'ipv6') && !REFUSED.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Tells why nothing is sent to this web address; null: it is allowed. `allowed` names hosts that may be private and without TLS. */
export function urlProblem(text: string, allowed: readonly string[]): string | null {
  if (!URL.canParse(text))
    return `"${text.slice(0, 100)}" is not an address: give one such as https://example.com/hook`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return 'The address contains a user name or a password, which would be in every log: remove them';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isAllowed(url, allowed))) return null;
  return `The address starts with ${url.protocol}//: use https://, or add its host to "coordinator.webhook_hosts"`;
}

/** Tells whether the owner of the coordinator allows webhooks to this host, wherever it is. */
export function isAllowed({ hostname }: URL, allowed: readonly string[]): boolean {
  return allowed.some((name) => name.toLowerCase() === bare(hostname));
}

/** Strips the brackets of an IPv6 address. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
}
