/** Checks that a bot serves every chat in which people are asked, and that questions arrive there. */
import { CHANNELS } from '@drover/protocol';
import type { Context } from '../../context/context.ts';
import type { Finding } from './facts.ts';
import { problem } from './finding.ts';

/** Deliveries that are checked. */
const DELIVERIES_MAX = 200;

/** Builds one line for each channel that has places, and for each place where questions do not arrive. */
export async function examineChats(ctx: Pick<Context, 'store' | 'clock'>): Promise<readonly Finding[]> {
  const now = ctx.clock.now();
  const [places, leases, failing] = await Promise.all([
    ctx.store.listPlaces(),
    ctx.store.listChannelLeases(),
    ctx.store.listFailingDeliveries(DELIVERIES_MAX),
  ]);
  const channels = CHANNELS.flatMap((channel): readonly Finding[] => {
    const count = places.filter((place) => place.channel === channel).length;
    if (count === 0) return [];
    const isServed = leases.some((lease) => lease.channel === channel && lease.heldUntil > now);
    if (isServed)
      return [{ check: 'chat', about: channel, level: 'ok', says: `a bot serves its ${count} place(s)`, help: null }];
    const says = `no bot serves it, so ${count} place(s) get no questions: its token is missing or refused, or the bot cannot reach this coordinator; the log of "drover up" or "drover server bot" says why`;
    return [problem('chat', channel, { says, help: 'drover up' })];
  });
  const mailed = places.filter((place) => place.channel === 'email').length;
  const hasServer = leases.some((lease) => lease.channel === 'email' && lease.heldUntil > now);
  const unmailed = `no mail server is configured, so ${mailed} address(es) get no mail: set email.smtp_url in drover.toml`;
  const mail: readonly Finding[] =
    mailed === 0
      ? []
      : hasServer
        ? [
            {
              check: 'chat',
              about: 'mail',
              level: 'ok',
              says: `Drover sends mail to ${mailed} address(es)`,
              help: null,
            },
          ]
        : [problem('chat', 'mail', { says: unmailed, help: 'drover project check' })];
  const addresses = [...new Set(failing.map(({ channel, address }) => `${channel}:${address}`))];
  const unreached = addresses.map((address): Finding => {
    const mine = failing.filter((one) => `${one.channel}:${one.address}` === address);
    const [last] = mine;
    const isGivenUp = mine.some(({ isFinal }) => isFinal);
    const again = isGivenUp
      ? 'Drover does not retry until the place is linked again, or a test arrives there'
      : 'Drover retries';
    const says = `${mine.length} question(s) could not be shown there: ${last?.error ?? ''}; ${again}`;
    return problem('chat', address, { says, help: isGivenUp ? `drover oncall test ${address}` : 'drover user' });
  });
  return [...channels, ...mail, ...unreached];
}
