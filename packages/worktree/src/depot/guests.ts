/**
 * Takes along work of another machine in a train. The depot keeps such work apart from that of this machine's own
 * workers, and only while it is asked for.
 */
import { type Git, git, gitText } from '../git/git.ts';
import { workerName } from '../names.ts';
import { withDepot } from './depot.ts';
import { type Depot, type DepotPlace, idsOf, inDepot, mainRef } from './place.ts';
import { type Arrived, forgetCarried, takeIn } from './targets/take-in.ts';

const GUESTS = 'refs/drover/guests';

/** The commit that was reviewed on another machine. */
interface Guest {
  readonly worker: string;
  readonly head: string;
}

/** Keeps the reviewed commit. */
export function guestRef(worker: string): string {
  return `${GUESTS}/heads/${workerName(worker)}`;
}

/** Tells whether the depot has the work, and else finds a commit that a parcel of the work may leave out. @throws {GitError} */
export async function findGuest(
  context: Git,
  place: DepotPlace,
  { worker, head }: Guest,
): Promise<{ readonly isHere: boolean; readonly not: readonly string[] }> {
  return withDepot(context, place, async (depot) => {
    const [kept, main] = await idsOf(depot, [guestRef(worker), mainRef(place)]);
    return { isHere: kept === head, not: main === undefined ? [] : [main] };
  });
}

/** Takes the parcel with the work. The file goes. @throws {GitError} */
export async function takeGuest(
  context: Git,
  place: DepotPlace,
  { worker, ...arrived }: Arrived & { readonly worker: string },
): ReturnType<typeof takeIn> {
  return withDepot(context, place, async (depot) => {
    const taken = await takeIn(depot, arrived);
    if (taken.kind !== 'unpacked') return taken;
    await git(
      depot.git,
      ['update-ref', guestRef(worker), arrived.commit],
      inDepot(depot, `keep the work of "${worker}"`),
    );
    await forgetCarried(depot);
    return taken;
  });
}

/** Forgets the work of other machines but for that of these workers. @throws {GitError} */
export async function forgetGuests(depot: Depot, but: readonly string[]): Promise<void> {
  const call = inDepot(depot, 'forget work of other machines');
  const text = await gitText(depot.git, ['for-each-ref', '--format=%(refname)', GUESTS], call);
  const wanted = new Set(but.map(guestRef));
  const left = text.split('\n').filter((ref) => ref !== '' && !wanted.has(ref));
  if (left.length === 0) return;
  const input = left.map((ref) => `delete ${ref}\0\0`).join('');
  await git(depot.git, ['update-ref', '--stdin', '-z'], { ...call, input });
}
