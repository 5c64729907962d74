/** Adds a worker: named, on a machine, wanted up from the first moment. */
import { newWorker } from '@drover/core';
import type { Actor, addInput, RequestView, Outcome } from '@drover/api';
import type { WorkerOptions } from '@drover/store';
import type { z } from 'zod';
import { machineState } from '../machines/leases.ts';
import { causeOf } from '../people/causes.ts';
import type { Context } from '../context.ts';
import { readRoster, viewOf } from './find.ts';
import type { Roster } from './find.ts';
import { whyNoWork } from '../drains/cordon.ts';
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
 * Adds a worker to the first project in reach, on the named machine or on the connected one with the fewest workers, and asks it to be
 * up. Refused with `no-project`, `no-machine`, `cordoned`, `not-found`, `invalid` (profile) or `name-taken`.
 */
export async function addWorker(
  ctx: Context,
  { input, defaults, by }: { input: AddInput; defaults: WorkerDefaults; by: Actor },
): Promise<Outcome<RequestView>> {
  const roster = await readRoster(ctx, by);
  const [project] = roster.projects;
  if (project === undefined)
    return refused('no-project', 'There is no project yet: run "drover init" and then "drover up"');
  const machine = chooseMachine(roster, input.machine);
  if (typeof machine === 'string') return refused(input.machine === undefined ? 'no-machine' : 'not-found', machine);
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
    if (before === null && (await tx.insertWorker(row)) === 'name-taken') return null;
    const event = { kind: 'up-ordered' } as const;
    return handleEvent(ctx, tx, { workerId: row.id, event, by: causeOf(by), orderId: input.orderId });
  });
  if (handled === null)
    return refused(
      'name-taken',
      `There is a worker "${input.name}" already: choose another name, or "drover nuke ${input.name}" first`,
    );
  handled.hint();
  return { kind: 'ok', value: { worker: viewOf(roster, handled.row) } };
}

/** The named machine, else the connected one with the fewest workers. @returns words when there is none. */
function chooseMachine(roster: Roster, name: string | undefined): Roster['machines'][number] | string {
  const { machines, workers } = roster;
  const connected = machines.filter(
    (machine) => machine.cordon === null && machineState(machine, roster) === 'connected',
  );
  if (name !== undefined) {
    const named = machines.find((machine) => machine.name === name);
    return (
      named ??
      `There is no machine "${name}"; there are: ${machines.map((machine) => machine.name).join(', ') || 'none'}`
    );
  }
  const load = (id: string): number => workers.filter(({ machineId }) => machineId === id).length;
  const [best] = connected.toSorted((one, other) => load(one.id) - load(other.id));
  return best ?? 'No machine is connected and takes new work: see "drover machines"';
}
