/** Lists all operations of people and their programs. The public API documents its paths in this sequence. */
import { auditOperations } from './audit.ts';
import { checkpointOperations } from './checkpoints.ts';
import { escalationOperations } from './escalations.ts';
import { eventOperations } from './events.ts';
import { fleetOperations } from './fleet.ts';
import { incidentOperations } from './incidents.ts';
import { machineOperations } from './machines.ts';
import { oncallOperations } from './oncall.ts';
import { peopleOperations } from './people.ts';
import { policyOperations } from './policies.ts';
import { profileOperations } from './profiles.ts';
import { projectOperations } from './projects.ts';
import { queueOperations } from './queue.ts';
import { reviewOperations } from './reviews.ts';
import { flowOperations } from './runs/flows.ts';
import { runOperations } from './runs/runs.ts';
import { taskOperations } from './tasks.ts';
import { terminalOperations } from './terminals.ts';
import { toolOperations } from '../tools/tools.ts';
import { webhookOperations } from './webhooks.ts';
import { workerOperations } from './workers.ts';
import type { Route } from '../routes.ts';

const SUBJECTS = {
  ...fleetOperations,
  ...workerOperations,
  ...reviewOperations,
  ...projectOperations,
  ...taskOperations,
  ...machineOperations,
  ...escalationOperations,
  ...queueOperations,
  ...runOperations,
  ...flowOperations,
  ...incidentOperations,
  ...checkpointOperations,
  ...peopleOperations,
  ...oncallOperations,
  ...auditOperations,
  ...eventOperations,
  ...webhookOperations,
  ...profileOperations,
  ...policyOperations,
  ...terminalOperations,
};

/** Operations by the name that clients call. */
export const OPERATIONS = { ...SUBJECTS, ...toolOperations(SUBJECTS) };

export type Operations = typeof OPERATIONS;

/** The name of an operation that has a procedure. */
export type RouteName = {
  [N in keyof Operations]: Operations[N] extends { readonly handle: null } ? never : N;
}[keyof Operations];

/** The role and scope that each procedure asks for. */
export const ROUTES = Object.fromEntries(
  Object.entries(OPERATIONS)
    .filter(([, { handle }]) => handle !== null)
    .map(([name, { kind, role, scope }]): [string, Route] => [name, { kind, role, scope }]),
) as unknown as Readonly<Record<RouteName, Route>>;
