/** The tRPC routes of people's tools: each parses, asks one use case, and turns its outcome into a status. */
import { ROUTES } from '../routes.ts';
import type { Route } from '../routes.ts';
import { accountsProcedure } from './accounts.ts';
import { checkpointProcedures } from './checkpoints.ts';
import { doctorProcedures } from './doctor.ts';
import { escalationProcedures } from './escalations.ts';
import { infoProcedure, fleetProcedures } from './fleet.ts';
import { incidentProcedures } from './incidents.ts';
import { machineProcedures } from './machines.ts';
import { auditProcedures, peopleProcedures, tokenProcedures } from './people.ts';
import { oncallProcedures } from './oncall.ts';
import { policyProcedures } from './policies.ts';
import { profileProcedures } from './profiles.ts';
import { projectProcedures } from './projects.ts';
import { queueProcedures } from './queue.ts';
import { taskProcedures } from './tasks.ts';
import { terminalProcedures } from './terminals.ts';
import { webhookProcedures } from './webhooks.ts';
import { workerProcedures, eventsProcedure } from './workers.ts';
import { router } from './route.ts';

/**
 * Every procedure, built from its entry in the table of routes. A refusal becomes 404 (`not-found`), 400 (`invalid`) or 409, with
 * its code as `data.reason`.
 */
export const appRouter = router({
  info: infoProcedure,
  workers: router({ ...workerProcedures, ...taskProcedures }),
  events: eventsProcedure,
  ...incidentProcedures,
  escalations: router(escalationProcedures),
  policy: router(policyProcedures),
  queue: router(queueProcedures),
  checkpoints: router(checkpointProcedures),
  accounts: accountsProcedure,
  doctor: router(doctorProcedures),
  profiles: router(profileProcedures),
  projects: router(projectProcedures),
  machines: router(machineProcedures),
  audit: router(auditProcedures),
  tokens: router(tokenProcedures),
  people: router(peopleProcedures),
  oncall: router(oncallProcedures),
  webhooks: router(webhookProcedures),
  fleet: router(fleetProcedures),
  terminals: router(terminalProcedures),
});

/** As tRPC keeps a procedure. */
interface BuiltProcedure {
  readonly _def: { readonly type: string; readonly meta?: { readonly route?: string } };
}

/** What does not fit between the procedures and the table: a route that only one of them knows, or knows otherwise. */
export function routeProblems(): readonly string[] {
  // tRPC keeps them flat, by their paths; its types say otherwise.
  const { _def: built } = appRouter as unknown as {
    readonly _def: { readonly procedures: Record<string, BuiltProcedure> };
  };
  const procedures = Object.entries(built.procedures).map(([path, { _def: def }]) => ({
    path,
    kind: def.type,
    route: def.meta?.route,
  }));
  const listed: Readonly<Record<string, Route>> = ROUTES;
  const paths = new Set(procedures.map(({ path }) => path));
  return [
    ...procedures.flatMap(({ path, kind, route: name }) => {
      if (listed[path] === undefined || name !== path) return [`${path} is not built from an entry of its own`];
      return listed[path].kind === kind ? [] : [`${path} is a ${kind}, and its entry says ${listed[path].kind}`];
    }),
    ...Object.keys(ROUTES).flatMap((path) => (paths.has(path) ? [] : [`${path} has an entry and no procedure`])),
  ];
}

/** The type that clients import; nothing else of the server reaches them. */
export type AppRouter = typeof appRouter;
