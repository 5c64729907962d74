// Defines the names that the coordinator answers to, and whom it believes about its callers.
import { z } from 'zod';

/** `coordinator.allowed_hosts`. */
export const allowedHosts = z
  .array(
    z
      .string()
      .max(300)
      .regex(
        /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:\d{1,5})?$/u,
        'expected a host name or an address, with a port or without',
      ),
  )
  .max(100)
  .default([])
  .describe(
    'Names in the URLs of people, machines and proxies, such as `drover.example.com`, beside loopback and the listening address. The coordinator refuses requests to other names, and from web pages of other names.',
  );

/** `coordinator.allowed_origins`. Kept as a browser writes an origin: in small letters, without the port that its scheme has anyway. */
export const allowedOrigins = z
  .array(
    z
      .string()
      .max(300)
      .refine(
        (text) => /^https?:\/\/[^\s/?#@*]+$/u.test(text) && URL.canParse(text),
        'expected the origin of a web page, such as https://board.example.com, without a path',
      )
      .refine(
        (text) => !text.startsWith('http:') || !URL.canParse(text) || isLoopback(new URL(text).hostname),
        'expected https: a listener on the way could put a page of its own in its place',
      )
      .transform((text) => new URL(text).origin),
  )
  .max(100)
  .default([])
  .describe(
    'Exact origins (scheme, name and port) of other web pages that may use the public API (`/v1`) with a token, such as `https://board.example.com`. Unset: none.',
  );

/** `coordinator.trusted_proxies`. */
export const trustedProxies = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'expected an address or a network, such as 10.0.0.0/8'))
  .max(100)
  .default([])
  .describe(
    'Addresses or networks of proxies whose `X-Forwarded-For` the coordinator believes, such as `127.0.0.1` or `10.0.0.0/8`. Unset: all callers behind a proxy share the limits of its address.',
  );

/** `coordinator.webhook_hosts`. */
export const webhookHosts = z
  .array(
    z
      .string()
      .max(300)
      .regex(/^(?:[0-9a-fA-F:.]+|[A-Za-z0-9_.-]+)$/u, 'expected a host name or an address, without a port'),
  )
  .max(100)
  .default([])
  .describe(
    'Hosts on this network, or without TLS, that webhooks may call, such as `hooks.internal` or `127.0.0.1`. Unset: none; webhooks call public addresses with https.',
  );

/** `coordinator.public_url`. */
export const publicUrl = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[^\s/?#]+\/?$/u, 'expected an address without a path, such as https://drover.example.com')
  .refine((url) => URL.canParse(url), 'expected an address such as https://drover.example.com')
  .refine(
    (url) => !URL.canParse(url) || url.startsWith('https:') || isLoopback(new URL(url).hostname),
    'expected https: a listener on the way could answer in your name',
  )
  .optional()
  .describe(
    'Address of the coordinator for phones and mail programs, such as `https://drover.example.com`, with its name in `allowed_hosts`. Mail and ntfy then link to a page with a button for each answer. Unset: no links.',
  );

/** Tells whether the coordinator answers to the name of its public address; an address that is none is reported elsewhere. */
export function answersTo(url: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(url)) return true;
  const { host, hostname } = new URL(url);
  return isLoopback(hostname) || allowed.some((name) => [host, hostname].includes(name.toLowerCase()));
}

/** @param host As `URL` writes it: an IPv6 address has its brackets. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/u.test(host);
}
