/** Tests whether people can be reached at each place that a step names: an address gets a mail, a chat a card that its bot shows. */
import { messageOf, pause } from '@drover/base';
import type { Actor, Outcome, Refusal, TriedView } from '@drover/api';
import { EVERYWHERE } from '@drover/core';
import { CHANNELS } from '@drover/protocol';
import { PLACE_TEST_MS } from '@drover/store';
import type { PlaceKey, PlaceTest } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { placesOf } from '../../loop/escalations/call.ts';
import { oncallPolicyOf } from '../../loop/escalations/oncall.ts';
import { reopenPlace } from '../../loop/escalations/given-up.ts';
import { readableName } from '../../facts/people/actor.ts';
import { refused } from '../../context/refused.ts';
import { readProjects } from '../../facts/workers/find.ts';

/** Milliseconds between two checks whether the bots are done. */
const CHECK_EVERY_MS = 250;

/** Tests every place that a step of a project in scope names, or the named one. Takes as long as the slowest bot, at most `PLACE_TEST_MS`. */
export async function testOncall(
  ctx: Context,
  { place, by }: { readonly place?: string | undefined; readonly by: Actor },
): Promise<Outcome<readonly TriedView[]>> {
  const found = await placesInReach(ctx, { place, by });
  if (Array.isArray(found)) return { kind: 'ok', value: await tryAll(ctx, found, by) };
  return found;
}

/** Lists only places that steps name and linked places: a test sends nothing to an address that no person chose before. */
async function placesInReach(
  ctx: Context,
  { place, by }: { readonly place: string | undefined; readonly by: Actor },
): Promise<PlaceKey[] | Refusal> {
  const [people, places] = [await ctx.store.listPeople(), await ctx.store.listPlaces()];
  const { projects } = await readProjects(ctx, by);
  const [named, known] = [new Map<string, PlaceKey>(), new Set<string>()];
  for (const { id, ...project } of projects) {
    const reachable = { people, places, deliveries: [], projectId: id };
    const notify = oncallPolicyOf({ id, ...project }).steps.flatMap((step) => step.notify);
    const inReach = [...placesOf([EVERYWHERE], reachable), ...placesOf(notify, reachable)];
    const names = new Set(inReach.map(nameOf));
    const meant = place === undefined ? placesOf(notify, reachable) : placesOf([place], reachable);
    for (const name of [...names, ...notify]) known.add(name);
    for (const one of meant) if (names.has(nameOf(one))) named.set(nameOf(one), one);
  }
  if (place === undefined || named.size > 0) return [...named.values()];
  const others = [...known].toSorted().join(', ') || 'none yet: "drover user link" links a chat';
  return refused('not-found', `There is no place "${place}"; there are: ${others}`);
}

async function tryAll(ctx: Context, all: readonly PlaceKey[], by: Actor): Promise<readonly TriedView[]> {
  const chats = all.filter(({ channel }) => isChat(channel));
  const others = all.filter(({ channel }) => !isChat(channel));
  const name = readableName(ctx, by);
  const [inChats, elsewhere] = await Promise.all([
    tryChats(ctx, { chats, by: name }),
    Promise.all(others.map((place) => tryOther(ctx, { place, by: name }))),
  ]);
  const tried = [...inChats, ...elsewhere];
  for (const place of all)
    if (tried.some((one) => one.place === nameOf(place) && one.outcome === 'sent')) await reopenPlace(ctx, place);
  return tried;
}

function nameOf({ channel, address }: PlaceKey): string {
  return `${channel}:${address}`;
}

function isChat(channel: string): boolean {
  return CHANNELS.some((one) => one === channel);
}

async function tryChats(
  ctx: Context,
  { chats, by }: { readonly chats: readonly PlaceKey[]; readonly by: string },
): Promise<readonly TriedView[]> {
  const { store, clock, ids } = ctx;
  const now = clock.now();
  const leases = await store.listChannelLeases();
  const isServed = ({ channel }: PlaceKey): boolean =>
    leases.some((lease) => lease.channel === channel && lease.heldUntil > now);
  const tests = chats
    .filter(isServed)
    .map(({ channel, address }): PlaceTest => ({ id: ids.uuid(), channel, address, by, createdAt: now, end: null }));
  await store.beginPlaceTests(tests, now);
  const ended = await Promise.all(tests.map((one) => endOf(ctx, one)));
  const unserved = chats
    .filter((place) => !isServed(place))
    .map((place): TriedView => ({
      place: nameOf(place),
      outcome: 'failed',
      message: `no bot serves ${place.channel}: see "drover doctor"`,
    }));
  return [...ended, ...unserved];
}

async function endOf({ store, clock }: Context, one: PlaceTest): Promise<TriedView> {
  const place = nameOf(one);
  for (;;) {
    const now = await store.readPlaceTest(one.id);
    if (now?.end?.kind === 'shown')
      return { place, outcome: 'sent', message: 'the chat shows it; press its button to test your answers' };
    if (now?.end?.kind === 'failed') return { place, outcome: 'failed', message: now.end.error };
    if (clock.now() >= one.createdAt + PLACE_TEST_MS)
      return { place, outcome: 'failed', message: `its bot did not show it within ${PLACE_TEST_MS / 1_000} s` };
    await pause(clock, CHECK_EVERY_MS);
  }
}

async function tryOther(
  { mail }: Context,
  { place, by }: { readonly place: PlaceKey; readonly by: string },
): Promise<TriedView> {
  const name = nameOf(place);
  if (place.channel !== 'email')
    return { place: name, outcome: 'not-tried', message: 'test it in the terminal of "drover up"' };
  if (mail === undefined)
    return {
      place: name,
      outcome: 'failed',
      message: 'no mail server is configured: set email.smtp_url in drover.toml',
    };
  const text = `${by} tests whether Drover can reach you here. You need not do anything.`;
  try {
    await mail.send({ to: place.address, subject: 'Drover: a test', text });
    return { place: name, outcome: 'sent', message: 'the mail server accepted it' };
  } catch (error) {
    return { place: name, outcome: 'failed', message: messageOf(error) };
  }
}
