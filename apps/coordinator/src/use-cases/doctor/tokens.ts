/** Finds tokens that expire soon. Without a warning a script, a bot or a colleague is locked out one morning. */
import type { Context } from '../../context/context.ts';
import type { Finding } from './facts.ts';
import { warning } from './finding.ts';
import { isOfAProcess } from '../../context/token-names.ts';

const DAY_MS = 86_400_000;

/** Days before its end in which a token is reported: two weeks, so that a week of leave lies between. */
const WARNED_DAYS = 14;

/** Builds one line for each token of a person or a program that expires soon, or has expired lately after use. */
export async function examineTokens(ctx: Pick<Context, 'store' | 'clock'>): Promise<readonly Finding[]> {
  const now = ctx.clock.now();
  const tokens = await ctx.store.listApiTokens();
  return tokens.flatMap((token): readonly Finding[] => {
    const { name, workerId, expiresAt, lastUsedAt } = token;
    if (workerId !== null || expiresAt === null || lastUsedAt === null || isOfAProcess(token)) return [];
    const days = (expiresAt - now) / DAY_MS;
    if (Math.abs(days) > WARNED_DAYS) return [];
    const says = days > 0 ? `ends in ${inWords(days)}` : `ended ${inWords(-days)} ago: calls with it are refused`;
    return [warning('tokens', `token ${name}`, { says, help: `drover auth token edit ${name} --expires 90d` })];
  });
}

function inWords(days: number): string {
  if (days < 1) return 'less than a day';
  const whole = Math.floor(days);
  return whole === 1 ? '1 day' : `${whole} days`;
}
