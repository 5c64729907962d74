/**
 * Asks another machine within a command of a simulated one: for main if it is on another machine, and for the work of a train. Asks with the real
 * client, over the simulated network, and the real use case answers.
 */
import type { LocalClock, Log } from '@drover/base';
import { Parcels, type Post, type RunningCommand } from '@drover/machine-agent/testing';
import type { Command, CommandResult } from '@drover/core';
import { createLocalHost } from '@drover/host';
import { queryResult, type HomeRequest, type QueryResult } from '@drover/protocol';
import type { GuestWork } from '@drover/testkit';
import type { MachineBody } from './parts.ts';

/** Parts of the asking process. */
interface Process {
  readonly post: Post;
  readonly clock: LocalClock;
  readonly random: () => number;
  readonly log: Log;
}

/** The real client: parcels themselves go another way here, so that it needs no disk. */
export function simParcels({ post, ...process }: Process): Parcels {
  return new Parcels({
    ...process,
    // Parcels lie on no disk here.
    files: createLocalHost({ env: {} }),
    directory: '/spool',
    async transfer(url, { body, token, signal }) {
      const asked = body === undefined ? {} : (JSON.parse(Buffer.from(body).toString('utf8')) as unknown);
      const { status, text, retryAfterMs } = await post(url, { body: asked, token, signal });
      return { status, bytes: Buffer.from(text), header: () => null, retryAfterMs };
    },
  });
}

/** Machine that asks, and the parts that it asks with. */
export interface Asking {
  readonly machine: MachineBody;
  readonly mayDie: () => Promise<void>;
  readonly asksElsewhere: Pick<Parcels, 'askHome'>;
  readonly running: RunningCommand;
}

/** Commands that need main. */
const OF_MAIN: ReadonlySet<Command['kind']> = new Set<Command['kind']>([
  'prepare',
  'candidate',
  'rebase',
  'publish',
  'prove',
  'recycle',
]);

/** Main on another machine: it is read there before anything, and moved there. @returns what that came to; null: go on. */
export async function onMain(asking: Asking, command: Command): Promise<CommandResult | null> {
  if (asking.running.settings.project.elsewhere !== true || !OF_MAIN.has(command.kind)) return null;
  const main = await askThere(asking, { kind: 'main' });
  if (main.kind !== 'main') return failedThere(main);
  if (command.kind !== 'publish') return null;
  const { base, commit } = command;
  const parcel = asking.machine.parts.parcels.send({ kind: 'work', commit, workerId: '' });
  const ended = await askThere(asking, { kind: 'publish', ...parcel, base, commit });
  if (ended.kind !== 'publish-ended') return failedThere(ended);
  const { outcome } = ended;
  switch (outcome.kind) {
    case 'published':
      return { kind: 'published', commit };
    case 'moved':
      return { kind: 'moved', now: outcome.now ?? '' };
    case 'blocked':
      return { kind: 'blocked', why: outcome.path };
    case 'refused':
      return { kind: 'rejected', words: outcome.words };
    case 'incomplete':
      return failedThere(null);
    default:
      return outcome satisfies never;
  }
}

/** The work of workers elsewhere, for a train. */
export async function bringGuests(
  asking: Asking,
  { items }: Extract<Command, { kind: 'extend' }>,
): Promise<ReadonlyMap<string, GuestWork>> {
  const found = new Map<string, GuestWork>();
  for (const { worker, at, elsewhere = false } of items)
    if (elsewhere) found.set(worker, await bringGuest(asking, { worker, head: at.head }));
  return found;
}

async function bringGuest(
  asking: Asking,
  { worker, head }: { readonly worker: string; readonly head: string },
): Promise<GuestWork> {
  const { parcels, luck, random } = asking.machine.parts;
  try {
    const packed = await askThere(asking, { kind: 'work', worker, commit: head, not: [], resend: false });
    if (packed.kind !== 'packed') return { away: packed.kind === 'failed' ? packed.message : packed.kind };
    const parcel = random.chance(luck.parcel) ? null : parcels.fetch(packed.sha256);
    if (parcel?.kind !== 'work' || parcel.commit !== head) return { away: 'the parcel is damaged' };
    await asking.mayDie();
    return { workerId: parcel.workerId };
  } catch (error) {
    asking.running.signal.throwIfAborted();
    return { away: String(error) };
  }
}

/** @throws CommandError where the other machine is away. */
export async function askThere(
  { machine, asksElsewhere, running }: Asking,
  what: HomeRequest['ask'],
): Promise<QueryResult> {
  const { commandId: command, signal } = running;
  const answer = await asksElsewhere.askHome({ command, id: machine.parts.uuid(), ask: what }, signal);
  return queryResult.parse(answer.result);
}

function failedThere(result: QueryResult | null): CommandResult {
  const code = result?.kind === 'failed' ? result.code : 'home-failed';
  return { kind: 'failed', code, message: `the machine with main: ${JSON.stringify(result)}`, retry: true };
}
