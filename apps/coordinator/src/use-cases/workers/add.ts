/** Adds a worker: named, on a machine, wanted up from the first moment. */
import { isLeaving, lowestFree, newWorker } from '@drover/core';
import type { Actor, addInput, Outcome, Refusal, RequestView } from '@drover/api';
import type { WorkerOptions } from '@drover/store';
import type { z } from 'zod';
import { causeOf } from '../../facts/people/causes.ts';
import type { Context } from '../../context/context.ts';
import { readRoster, viewOf } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';
import { chooseRoom, whyNotThere } from '../../facts/placement/choose.ts';
import { theProject } from '../../facts/projects/which.ts';
import { listProfiles } from '../../facts/workers/profiles.ts';
import { beginWorker } from '../../loop/begin-worker.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { refused } from '../../context/refused.ts';
import { defaultsOf } from '../../facts/workers/defaults.ts';
import type { WorkerDefaults } from '../../facts/workers/defaults.ts';
import { followed, liveOf } from '../../loop/subjects/live.ts';
import { DEFAULT_ROLE } from '../../facts/workers/role.ts';

type AddInput = z.infer<typeof addInput>;

interface Adding {
  readonly input: AddInput;
  readonly defaults: (name: string) => WorkerDefaults;
  readonly by: Actor;
}

/** Times that another machine is chosen because the first was closed or filled before the worker was there. */
const TRIES = 3;

/**
 * Adds a worker to the named project, or the only one in scope, on the named machine or on the best available one, and asks it to be up.
 * Refuses with `no-project`, `no-machine`, `not-found`, `invalid` (project, profile), `name-taken`, or by the rules of placement.
 */
export async function addWorker(ctx: Context, adding: Adding): Promise<Outcome<RequestView>> {
  for (let tried = 1; ; tried += 1) {
    const added = await tryToAdd(ctx, adding);
    if (added.kind !== 'too-late') return added;
    // A person who named a machine wants no other.
    if (tried === TRIES || adding.input.machine !== undefined) return added.refusal;
  }
}

/** Result of an addition; `too-late`: the chosen machine could take the worker, and no longer can. */
type Added = Outcome<RequestView> | { readonly kind: 'too-late'; readonly refusal: Refusal };

async function tryToAdd(ctx: Context, { input, defaults, by }: Adding): Promise<Added> {
  const roster = await readRoster(ctx, by);
  const meant = theProject(roster, input.project);
  if (meant.kind === 'refused') return meant;
  const { project } = meant;
  const { profiles, ...options } = defaultsOf(project, defaults)(input.name);
  const profile = input.profile ?? options.profile;
  const known = new Set([...(await listProfiles(ctx)).map(({ name }) => name), ...profiles]);
  if (!known.has(profile)) {
    return refused('invalid', `There is no agent profile "${profile}"; there are: ${[...known].join(', ')}`);
  }
  const labels = input.labels ?? [];
  const room = await chooseRoom(ctx, { project, name: input.name, profile, labels, machine: input.machine });
  if (room.kind === 'refused') return room;
  const { machine, why, waits } = room;
  const chosen: WorkerOptions = {
    ...options,
    profile,
    model: input.model ?? options.model,
    rolePrompt: input.rolePrompt ?? options.rolePrompt,
    role: input.role ?? options.role ?? DEFAULT_ROLE,
    labels,
    own: {
      ...(input.model !== undefined && { model: input.model }),
      ...(input.rolePrompt !== undefined && { rolePrompt: input.rolePrompt }),
      ...(input.role !== undefined && { role: input.role }),
    },
    chosen: { machine: { id: machine.id, why } },
  };
  const now = ctx.clock.now();
  const row = {
    id: input.requestId,
    projectId: project.id,
    machineId: machine.id,
    name: input.name,
    options: chosen,
    state: newWorker(),
    createdAt: now,
  };
  const handled = await ctx.store.transaction(async (tx) => {
    // The worker gets the id of the request: when a client repeats the request after a lost answer, the row exists already.
    const before = await tx.lockWorker(row.id);
    // The added worker was removed since: it is not added once more.
    if (before === null && (await tx.findReply(row.id, input.requestId)) !== null) return 'removed';
    const late = before === null ? await whyNotThere(tx, row, machine.id) : null;
    if (late !== null) return { kind: 'too-late' as const, refusal: late };
    // A project that is removed at this moment gets no workers.
    const present = before === null ? await tx.lockProject(project.id) : project;
    if (present === null) return 'no-project';
    // Another try of this request was quicker: a new transaction locks the worker that it added before the project, as all do.
    if (before === null && (await tx.readWorker(row.id)) !== null) return 'repeated';
    // The project's document may have changed since the request, and a worker that does not exist yet is not told.
    const says = liveOf(defaultsOf(present, defaults)(input.name));
    // The project is locked: no two workers that come at once get one number.
    const taken = (await tx.listRoster({ projectId: project.id })).map(({ options: { index = 0 } }) => index);
    const added = { ...row, options: { ...followed(chosen, says, chosen.own), index: lowestFree(taken) } };
    const asked = { event: { kind: 'up-requested' }, by: causeOf(by), requestId: input.requestId } as const;
    if (before !== null) return handleEvent(ctx, tx, { ...asked, workerId: row.id });
    const [outcome = null] = (await beginWorker(ctx, tx, { row: added, events: [asked] })) ?? [];
    return outcome;
  });
  if (handled === 'repeated') return tryToAdd(ctx, { input, defaults, by });
  if (handled === 'no-project') return refused('no-project', `The project "${project.name}" no longer exists`);
  if (handled === 'removed')
    return refused(
      'not-found',
      `A person has removed the worker "${input.name}" since this request added it: to add it again, send a new request`,
    );
  if (handled === null) return nameTaken(await readRoster(ctx, by), input.name);
  if ('kind' in handled) return handled;
  handled.hint();
  const note = waits.length === 0 ? {} : { note: `On ${machine.name}, ${waits.join(', and ')}` };
  return { kind: 'ok', value: { worker: viewOf(roster, handled.row), ...note } };
}

/** Refuses a taken name. The advice differs if somebody is already removing that worker. */
function nameTaken({ workers }: Roster, name: string): Refusal {
  const isGoing = workers.some((one) => one.name === name && isLeaving(one.state.lifecycle));
  const says = isGoing
    ? `The worker "${name}" is being removed: repeat the command when it is gone, or choose another name`
    : `The worker "${name}" already exists: choose another name, or run "drover nuke ${name}" first`;
  return refused('name-taken', says);
}
