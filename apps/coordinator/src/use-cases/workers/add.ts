/** Adds a worker: named, on a machine, wanted up from the first moment. */
import { newWorker } from '@drover/core';
import type { Actor, addInput, RequestView, Outcome, Refusal } from '@drover/api';
import type { Machine, WorkerOptions } from '@drover/store';
import type { z } from 'zod';
import { machineState } from '../machines/leases.ts';
import { causeOf } from '../people/causes.ts';
import type { Context } from '../context.ts';
import { readRoster, viewOf } from './find.ts';
import type { Roster } from './find.ts';
import { whyNoWork } from '../drains/closed.ts';
import { theProject } from '../projects/which.ts';
import { listProfiles } from '../profiles/profiles.ts';
import { handleEvent } from '../decisions/handle-event.ts';
import { refused } from '../refused.ts';

/** From the configuration: defaults, and what it says of this worker by name. */
export type WorkerDefaults = WorkerOptions & {
  /** Profiles that the configuration names beside those of the build and of the fleet. */
  readonly profiles: readonly string[];
};

type AddInput = z.infer<typeof addInput>;

/**
 * Adds a worker to the named project, or the only one in reach, on the named machine or on the connected one with the fewest workers,
 * and asks it to be up. Refused with `no-project`, `no-machine`, `cordoned`, `not-found`, `invalid` (project, profile) or `name-taken`.
 */
export async function addWorker(
  ctx: Context,
  { input, defaults, by }: { input: AddInput; defaults: WorkerDefaults; by: Actor },
): Promise<Outcome<RequestView>> {
  const roster = await readRoster(ctx, by);
  const meant = theProject(roster, input.project);
  if (meant.kind === 'refused') return meant;
  const { project } = meant;
  const namesakes = await namesakesOf(ctx, { name: input.name, projectId: project.id });
  const machine = chooseMachine(roster, { name: input.machine, namesakes });
  if ('kind' in machine) return machine;
  const cordoned = whyNoWork(machine);
  if (cordoned !== null) return refused('cordoned', cordoned);
  const { profiles, ...options } = defaults;
  const profile = input.profile ?? options.profile;
  const known = new Set([...(await listProfiles(ctx)).map(({ name }) => name), ...profiles]);
  if (!known.has(profile)) {
    return refused('invalid', `There is no agent profile "${profile}"; there are: ${[...known].join(', ')}`);
  }
  const chosen: WorkerOptions = {
    ...options,
    profile,
    model: input.model ?? options.model,
    rolePrompt: input.rolePrompt ?? options.rolePrompt,
  };
  const now = ctx.clock.now();
  const row = {
    id: input.orderId,
    projectId: project.id,
    machineId: machine.id,
    name: input.name,
    options: chosen,
    state: newWorker(),
    createdAt: now,
  };
  const handled = await ctx.store.transaction(async (tx) => {
    // The worker gets the id of the request: when a client repeats it after a lost answer, the row is there already.
    const before = await tx.lockWorker(row.id);
    // A project that is removed at this moment gets no workers.
    if (before === null && (await tx.lockProject(project.id)) === null) return 'no-project';
    if (before === null && (await tx.insertWorker(row)) === 'name-taken') return null;
    const event = { kind: 'up-ordered' } as const;
    return handleEvent(ctx, tx, { workerId: row.id, event, by: causeOf(by), orderId: input.orderId });
  });
  if (handled === 'no-project') return refused('no-project', `There is no project "${project.name}" any more`);
  if (handled === null)
    return refused(
      'name-taken',
      `There is a worker "${input.name}" already: choose another name, or "drover nuke ${input.name}" first`,
    );
  handled.hint();
  return { kind: 'ok', value: { worker: viewOf(roster, handled.row) } };
}

/** Machines with a worker of this name in another project: its tmux session there has the name. */
async function namesakesOf(
  { store }: Context,
  { name, projectId }: { readonly name: string; readonly projectId: string },
): Promise<ReadonlySet<string>> {
  const workers = await store.listWorkers();
  const others = workers.filter((row) => row.name === name && row.projectId !== projectId);
  return new Set(others.map(({ machineId }) => machineId));
}

/** The named machine, else the connected one with the fewest workers, of those without a namesake. */
function chooseMachine(
  { machines, workers, ...judged }: Roster,
  { name, namesakes }: { readonly name: string | undefined; readonly namesakes: ReadonlySet<string> },
): Machine | Refusal {
  if (name !== undefined) {
    const named = machines.find((machine) => machine.name === name);
    const known = machines.map((machine) => machine.name).join(', ') || 'none';
    if (named === undefined) return refused('not-found', `There is no machine "${name}"; there are: ${known}`);
    return namesakes.has(named.id) ? taken(`"${name}" has`) : named;
  }
  const connected = machines.filter(
    (machine) => machine.cordon === null && machineState(machine, judged) === 'connected',
  );
  const load = (id: string): number => workers.filter(({ machineId }) => machineId === id).length;
  const [best] = connected
    .filter(({ id }) => !namesakes.has(id))
    .toSorted((one, other) => load(one.id) - load(other.id));
  if (best !== undefined) return best;
  if (connected.length > 0) return taken('Every connected machine has');
  return refused('no-machine', 'No machine is connected and takes new work: see "drover machines"');
}

function taken(what: string): Refusal {
  const help = 'choose another name, or another machine';
  return refused('name-taken', `${what} a worker of that name in another project: ${help}`);
}
