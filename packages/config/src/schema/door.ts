// Which names does the coordinator answer to, and whom does it believe about its callers?
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
    'Names that the coordinator answers to beside loopback and the address that it listens on: those in the URLs of people, machines and proxies, such as `drover.example.com`. It refuses requests under other names, and of web pages of other names.',
  );

/** `coordinator.trusted_proxies`. */
export const trustedProxies = z
  .array(z.union([z.ipv4(), z.ipv6()]))
  .max(100)
  .default([])
  .describe(
    'Addresses of proxies in front whose `X-Forwarded-For` the coordinator believes, such as `127.0.0.1`. Unset: all callers behind a proxy share the limits of its address.',
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
    'Hosts to which webhooks may go though they are on this network or have no TLS, such as `hooks.internal` or `127.0.0.1`. Unset: only to public addresses, with https.',
  );
