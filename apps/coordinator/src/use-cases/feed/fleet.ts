/** Lists announcements: those that a follower may see, from the follower's cursor on. */
import type { Actor, AnnouncementView, FeedFleet, FeedInput, FeedView, Outcome } from '@drover/api';
import type { AnnouncementRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import type { FeedTail } from './tail.ts';
import { makePass } from '../../facts/people/passes.ts';

/** A cursor: a number that JavaScript holds exactly. */
const CURSOR = /^\d{1,15}$/u;
/** Announcements that are filtered at once. */
const PAGE = 500;

export function createFeedFleet(ctx: Context, tail: FeedTail): FeedFleet {
  return {
    feed: (input, by, signal) => follow(ctx, tail, { input, by, signal }),
    eventTicket: (by) => {
      const { pass: ticket, expiresAt } = makePass(ctx, by, 'event ticket');
      return { ticket, expiresAt };
    },
  };
}

async function follow(
  { clock }: Context,
  tail: FeedTail,
  { input, by, signal }: { readonly input: FeedInput; readonly by: Actor; readonly signal: AbortSignal },
): Promise<Outcome<FeedView>> {
  const { after: given, limit, waitMs } = input;
  if (given !== undefined && !CURSOR.test(given)) return LOST;
  let after = given === undefined ? (await tail.read(null, 1)).settled : Number(given);
  const until = clock.now() + waitMs;
  for (;;) {
    const page = await tail.read(after, PAGE);
    if (page.isLost) return LOST;
    const items = page.items.filter((row) => isSeenBy(row, by) && isWanted(row, input.types)).slice(0, limit);
    const isWhole = items.length < limit;
    const seen = isWhole ? page.items.at(-1) : page.items.find(({ id }) => String(id) === String(items.at(-1)?.id));
    if (isWhole && page.items.length === PAGE && items.length === 0) {
      after = seen?.id ?? after;
      continue;
    }
    const next = isWhole && page.items.length < PAGE ? Math.max(after, page.settled) : (seen?.id ?? after);
    const left = until - clock.now();
    if (items.length > 0 || left <= 0 || signal.aborted)
      return { kind: 'ok', value: { items: items.map(announcementView), next: String(next) } };
    after = next;
    await tail.wait(after, { ms: left, signal });
  }
}

const LOST = refused(
  'cursor-lost',
  'The events after this cursor are no longer kept: read the lists again, then follow without a cursor',
);

/** Tells whether a caller sees an announcement. Fleet-wide announcements are for callers who reach the whole fleet. */
export function isSeenBy({ projectId, workerId }: AnnouncementRow, by: Pick<Actor, 'project' | 'worker'>): boolean {
  return (by.project === null || by.project === projectId) && (by.worker === null || by.worker === workerId);
}

/** Tells whether a type is wanted: `escalation` means every type that begins so. */
export function isWanted({ type }: Pick<AnnouncementRow, 'type'>, types: readonly string[] | undefined): boolean {
  return types === undefined || types.some((wanted) => type === wanted || type.startsWith(`${wanted}.`));
}

/** Shows an announcement to outside programs: the triggers write its types and subjects. */
export function announcementView(row: AnnouncementRow): AnnouncementView {
  const { id, type, at, actor, projectId, subject, version } = row;
  const who = actor === null ? null : { kind: actor.kind, name: actor.name };
  return {
    cursor: String(id),
    type,
    at,
    actor: who,
    project: projectId,
    subject: { ...subject },
    version,
  } as AnnouncementView;
}
