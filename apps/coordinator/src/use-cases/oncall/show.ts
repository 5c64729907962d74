/** Shows who is asked about questions of a project, and when, and the problems with that. */
import { EVERYWHERE, FIRST, isQuiet, OTHERS, quietEnd } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import type { Actor, OncallView } from '@drover/api';
import { CHANNELS } from '@drover/protocol';
import type { PersonRow, PlaceRow, Project } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { placesOf } from '../../loop/escalations/call.ts';
import { oncallPolicyOf } from '../../loop/escalations/oncall.ts';
import { readRoster } from '../../facts/workers/find.ts';
import { silenceView } from './silences.ts';

/** Targets that reach somebody as soon as any place is linked. */
const ANY_PLACE: ReadonlySet<string> = new Set([EVERYWHERE, FIRST, OTHERS]);
/** Open questions that are counted at most. */
const COUNTED_MAX = 10_000;

/** Builds one entry for each project in scope. */
export async function showOncall(ctx: Context, by: Actor): Promise<readonly OncallView[]> {
  const now = ctx.clock.now();
  const { store } = ctx;
  const [roster, people, places, silences, leases] = [
    await readRoster(ctx, by),
    await store.listPeople(),
    await store.listPlaces(),
    await store.listSilences(now),
    await store.listChannelLeases(),
  ];
  const served = new Set(leases.filter(({ heldUntil }) => heldUntil > now).map(({ channel }) => channel));
  return Promise.all(
    roster.projects.map(async (project) => {
      const open = await store.listEscalations({ projectId: project.id, open: true, limit: COUNTED_MAX });
      const policy = oncallPolicyOf(project);
      const here = places.filter(({ projectId }) => projectId === null || projectId === project.id);
      return {
        project: project.name,
        ...policyView(policy, now),
        places: here.map((place) => placeView(place, people)),
        problems: [
          ...problemsOf(policy, { project, people, places }),
          ...unserved(here, served),
          ...unmailed(policy, { here, people, served }),
        ],
        silences: silences
          .filter(({ projectId }) => projectId === null || projectId === project.id)
          .map((row) => silenceView(row, roster)),
        waiting: open.length,
        held: open.filter(({ oncall }) => oncall !== null && oncall.heldSince !== null).length,
      };
    }),
  );
}

function policyView(policy: OncallPolicy, now: number) {
  const { zone, quiet, steps, repeat, ackReminderMs, timeout, answerRole, severity } = policy;
  return {
    zone,
    quiet: quiet === null ? null : { ...quiet, from: wall(quiet.from), to: wall(quiet.to), days: [...quiet.days] },
    quietUntil: isQuiet(policy, now) ? quietEnd(policy, now) : null,
    steps: steps.map(({ afterMs, notify }) => ({ afterMs, notify: [...notify] })),
    repeat,
    ackReminderMs,
    timeout,
    answerRole,
    severity: { ...severity },
  };
}

function wall(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function placeView({ channel, address, personId }: PlaceRow, people: readonly PersonRow[]) {
  return { place: `${channel}:${address}`, person: people.find(({ id }) => id === personId)?.name ?? null };
}

/** Warns about chats that no bot serves, before questions go unanswered for a night. */
function unserved(places: readonly PlaceRow[], served: ReadonlySet<string>): string[] {
  return CHANNELS.flatMap((channel) => {
    const count = places.filter((place) => place.channel === channel).length;
    if (count === 0 || served.has(channel)) return [];
    return [`No bot serves ${channel}, so its ${count} place(s) get no questions: see "drover doctor"`];
  });
}

/** Channel of mail: the replica that holds it has a mail server. */
const EMAIL = 'email';

/** Warns about addresses without a mail server, also those that only steps name. */
function unmailed(
  { steps }: OncallPolicy,
  {
    here,
    people,
    served,
  }: {
    readonly here: readonly PlaceRow[];
    readonly people: readonly PersonRow[];
    readonly served: ReadonlySet<string>;
  },
): string[] {
  const names = steps.flatMap(({ notify }) => notify);
  const reachable = { people, places: here, deliveries: [], projectId: here[0]?.projectId ?? '' };
  const all = [...here, ...placesOf(names, reachable)].filter(({ channel }) => channel === EMAIL);
  const count = new Set(all.map(({ address }) => address)).size;
  if (count === 0 || served.has(EMAIL)) return [];
  return [`No mail server is configured, so ${count} address(es) get no mail: set email.smtp_url in drover.toml`];
}

/** Warns about targets without a place. */
function problemsOf(
  { steps }: OncallPolicy,
  { project, people, places }: { project: Project; people: readonly PersonRow[]; places: readonly PlaceRow[] },
): string[] {
  const reachable = { people, places, deliveries: [], projectId: project.id };
  const names = [...new Set(steps.flatMap(({ notify }) => notify))];
  const unreached = names.filter((name) => placesOf([name], reachable).length === 0);
  const none = unreached.some((name) => ANY_PLACE.has(name))
    ? ['No place is linked: questions wait in "drover escalation". "drover user link" links a chat']
    : [];
  const others = unreached
    .filter((name) => !ANY_PLACE.has(name))
    .map((name) => `"${name}" has no place: "drover user" shows who has a place, "drover user link" links one`);
  return [...none, ...others];
}
