/** Formats tokens. */
import type { TokenView } from '@drover/api';
import type { Page } from '../../../program/answer.ts';
import { ago, paint, plain, table } from '../../../terminal/style.ts';

/** Formats a line for each token. */
export function tokensText(tokens: readonly TokenView[], { now, terminal }: Page): string {
  if (tokens.length === 0) return 'There are no tokens.';
  const head = ['NAME', 'ROLE', 'REACHES', 'EXPIRES', 'LAST USED'].map((cell) => paint(cell, 'dim', terminal.colours));
  const lines = tokens.map((token) => [
    `${plain(token.name)}${token.own ? ' (yours)' : ''}`,
    token.role,
    plain(reachOf(token)),
    endOf(token, now),
    token.lastUsedAt === null ? 'never' : ago(now - token.lastUsedAt),
  ]);
  return table([head, ...lines], terminal.columns);
}

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
