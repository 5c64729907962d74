/** Formats tokens. */
import type { TokenView } from '@drover/api';
import type { Listing } from '../../../terminal/lists/listing.ts';
import { ago, plain } from '../../../terminal/style.ts';

/** The list of `drover auth token`. */
export const TOKENS: Listing<TokenView> = {
  empty: 'There are no tokens.',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name, own }) => `${plain(name)}${own ? ' (yours)' : ''}` },
    { name: 'ROLE', of: ({ role }) => role },
    { name: 'REACHES', of: (token) => plain(reachOf(token)) },
    { name: 'EXPIRES', of: (token, { now }) => endOf(token, now) },
    { name: 'LAST USED', of: ({ lastUsedAt }, { now }) => (lastUsedAt === null ? 'never' : ago(now - lastUsedAt)) },
  ],
};

function reachOf({ worker, project, channels }: TokenView): string {
  if (worker !== null) return `worker ${worker}`;
  const reach = project ?? 'everything';
  return channels === null ? reach : `${reach}, as a bot for ${channels.join(', ')}`;
}

function endOf({ expiresAt }: TokenView, now: number): string {
  if (expiresAt === null) return 'never';
  return expiresAt <= now ? 'expired' : new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
}

/** Describes the end of a token's validity. */
export function validityOf({ expiresAt }: Pick<TokenView, 'expiresAt'>): string {
  return expiresAt === null ? 'until it is revoked' : `until ${new Date(expiresAt).toISOString()}`;
}
