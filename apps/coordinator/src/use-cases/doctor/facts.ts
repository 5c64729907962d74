/** Gathers the facts that the doctor checks: the rows, and every machine's own report. */
import type { FindingView } from '@drover/api';
import type { Inventory } from '@drover/protocol';
import type { Machine, Project, SchemaFacts, WorkerRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import type { WorkerDefaults } from '../../facts/workers/defaults.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';
import type { Context } from '../../context/context.ts';
import { EVERYTHING, readRoster } from '../../facts/workers/find.ts';
import { askMachine } from '../../facts/machines/query.ts';

/** Dependencies of the doctor beside its context. */
export interface DoctorParts {
  readonly commands: Waiters;
  readonly defaults: (name: string) => WorkerDefaults;
  /** Compares the database with this build; absent where no comparison is possible. */
  readonly schema?: () => Promise<SchemaFacts>;
}

/** A machine with one project on it. `inventory` is null when the machine could not be asked; `why` says so. */
export interface Place {
  readonly machine: Machine;
  readonly project: Project;
  readonly inventory: Inventory | null;
  readonly why: string;
}

/** Facts about the whole fleet, from about the same time. */
export interface DoctorFacts extends Judged {
  readonly workers: readonly WorkerRow[];
  readonly projects: readonly Project[];
  readonly machines: readonly Machine[];
  readonly gateways: readonly Machine[];
  readonly places: readonly Place[];
}

/** A finding, before its repair is known. */
export type Finding = FindingView;

/** Reads the rows and asks all connected machines at once. Changes nothing. */
export async function gatherFacts(ctx: Context, parts: DoctorParts): Promise<DoctorFacts> {
  const [roster, gateways] = await Promise.all([readRoster(ctx, EVERYTHING), ctx.store.listGateways()]);
  const { workers, projects, machines, now, leases } = roster;
  const connected = machines.filter((machine) => machineState(machine, roster) === 'connected');
  const pairs = connected.flatMap((machine) => projects.map((project) => ({ machine, project })));
  const places = await Promise.all(
    pairs.map(async ({ machine, project }): Promise<Place> => {
      const profiles = profilesOn(workers, machine, project);
      const answer = await askMachine(ctx, parts, { machine, project, query: { kind: 'inventory', profiles } });
      if (answer.kind === 'inventory') return { machine, project, inventory: answer, why: '' };
      return {
        machine,
        project,
        inventory: null,
        why: 'message' in answer ? answer.message : 'it gave another answer',
      };
    }),
  );
  // Workers were given commands while the machines answered: those are no sign of a row that is behind.
  const given = new Map((await ctx.store.listWorkers()).map(({ id, state }) => [id, state.command.seq]));
  const counted = workers.map((row): WorkerRow => {
    const seq = Math.max(row.state.command.seq, given.get(row.id) ?? 0);
    return { ...row, state: { ...row.state, command: { ...row.state.command, seq } } };
  });
  return { now, leases, workers: counted, projects, machines, gateways, places };
}

/** Filters the rows of the machine's workers in the project. */
export function workersOf({ workers }: DoctorFacts, { machine, project }: Place): readonly WorkerRow[] {
  return workers.filter(({ machineId, projectId }) => machineId === machine.id && projectId === project.id);
}

function profilesOn(workers: readonly WorkerRow[], machine: Machine, project: Project): string[] {
  const own = workers.filter(({ machineId, projectId }) => machineId === machine.id && projectId === project.id);
  return [...new Set(own.map(({ options }) => options.profile))].slice(0, 100);
}
