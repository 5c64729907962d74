/** The tRPC routes of people's tools: parse, ask one use case, turn its outcome into a status. */
import { invariant } from '@drover/core';
import { initTRPC, TRPCError } from '@trpc/server';
import * as audit from './audit.ts';
import * as checkpoints from './checkpoint-inputs.ts';
import { cureInput } from './doctor.ts';
import * as inputs from './inputs.ts';
import type { Actor, ApiContext } from './ports.ts';
import * as policy from './policy.ts';
import * as queue from './queue.ts';
import * as recovery from './recovery-inputs.ts';
import { readable, reasonOf, value } from './refused.ts';
import { refusalOf, ROUTES } from './routes.ts';
import type { Route, RouteName } from './routes.ts';
import * as tokens from './tokens.ts';

const t = initTRPC
  .context<ApiContext>()
  .meta<{ readonly route: RouteName }>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => ({
      ...shape,
      message: ctx === undefined ? readable(error) : ctx.redact(readable(error)),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason: reasonOf(error) },
    }),
  });

/** A call that waits ends with its token: its late answer is dropped. */
async function untilTokenEnds<T>({ watch }: ApiContext, call: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = watch((message) => reject(new TRPCError({ code: 'UNAUTHORIZED', message })));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    stop();
  }
}

/** Whose answer is a token, which is shown this once. Secrets are taken out of every other answer. */
const SHOWN_ONCE: ReadonlySet<RouteName> = new Set<RouteName>(['machines.invite', 'tokens.create']);

/** A procedure is built from its entry in the table of routes. */
function route(name: RouteName): typeof t.procedure {
  const entry = ROUTES[name];
  return t.procedure.meta({ route: name }).use(async ({ ctx, next }) => {
    const { actor } = ctx;
    if (actor === null) {
      throw new TRPCError({
        code: 'UNAUTHORIZED',
        message: 'The token is wrong or has expired: run the command where "drover up" runs, or set DROVER_TOKEN',
      });
    }
    const refusal = refusalOf(entry, actor);
    if (refusal !== null) {
      ctx.refused(name);
      throw new TRPCError({ code: 'FORBIDDEN', message: refusal });
    }
    const answer = await untilTokenEnds(ctx, next);
    return answer.ok && !SHOWN_ONCE.has(name) ? { ...answer, data: ctx.redact(answer.data) } : answer;
  }) as typeof t.procedure;
}

/**
 * Every procedure, built from its entry in the table of routes. A refusal becomes 404 (`not-found`), 400 (`invalid`) or 409, with
 * its code as `data.reason`.
 */
export const appRouter = t.router({
  info: route('info').query(({ ctx }) => ctx.fleet.info()),
  workers: t.router({
    list: route('workers.list').query(({ ctx }) => ctx.fleet.listWorkers(known(ctx))),
    add: route('workers.add')
      .input(inputs.addInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.add(input, known(ctx)))),
    nuke: route('workers.nuke')
      .input(inputs.nukeInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.nuke(input, known(ctx)))),
    start: route('workers.start')
      .input(inputs.startInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.start(input, known(ctx)))),
    message: route('workers.message')
      .input(inputs.messageInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.message(input, known(ctx)))),
    review: route('workers.review')
      .input(inputs.reviewInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.review(input, known(ctx)))),
    reject: route('workers.reject')
      .input(inputs.rejectInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.reject(input, known(ctx)))),
    accept: route('workers.accept')
      .input(inputs.acceptInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.accept(input, known(ctx)))),
    why: route('workers.why')
      .input(inputs.whyInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.why(input, known(ctx)))),
    screen: route('workers.screen')
      .input(inputs.screenInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.screen(input, known(ctx)))),
    pane: route('workers.pane')
      .input(inputs.paneInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.pane(input, known(ctx)))),
  }),
  events: route('events')
    .input(inputs.eventsInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.events(input, known(ctx), ctx.signal))),
  errors: route('errors')
    .input(recovery.errorsInput)
    .query(({ ctx, input }) => ctx.fleet.listErrors(input, known(ctx))),
  report: route('report')
    .input(recovery.reportInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.report(input, known(ctx)))),
  escalations: t.router({
    list: route('escalations.list')
      .input(recovery.escalationsInput)
      .query(({ ctx, input }) => ctx.fleet.listEscalations(input, known(ctx))),
    show: route('escalations.show')
      .input(recovery.escalationInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.escalation(input, known(ctx)))),
    ack: route('escalations.ack')
      .input(recovery.escalationInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.ackEscalation(input, known(ctx)))),
    resolve: route('escalations.resolve')
      .input(recovery.resolveInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.resolveEscalation(input, known(ctx)))),
  }),
  policy: t.router({
    show: route('policy.show')
      .input(policy.policyShowInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.showPolicy(input, known(ctx)))),
    diff: route('policy.diff')
      .input(policy.policyDiffInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.diffPolicies(input, known(ctx)))),
    replay: route('policy.replay')
      .input(policy.replayInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.replay(input, known(ctx)))),
  }),
  queue: t.router({
    list: route('queue.list')
      .input(queue.queueListInput)
      .query(({ ctx, input }) => ctx.fleet.listQueue(input, known(ctx))),
    show: route('queue.show')
      .input(queue.queueItemInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.queueItem(input, known(ctx)))),
    add: route('queue.add')
      .input(queue.queueAddInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.addToQueue(input, known(ctx)))),
    drop: route('queue.drop')
      .input(queue.queueItemInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.dropQueueItem(input, known(ctx)))),
    retry: route('queue.retry')
      .input(queue.queueItemInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.retryQueueItem(input, known(ctx)))),
  }),
  checkpoints: t.router({
    list: route('checkpoints.list')
      .input(checkpoints.checkpointsInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.listCheckpoints(input, known(ctx)))),
    show: route('checkpoints.show')
      .input(checkpoints.checkpointInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.checkpoint(input, known(ctx)))),
    create: route('checkpoints.create')
      .input(checkpoints.createCheckpointInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.createCheckpoint(input, known(ctx)))),
    recover: route('checkpoints.recover')
      .input(checkpoints.recoverInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.recover(input, known(ctx)))),
    recovery: route('checkpoints.recovery')
      .input(checkpoints.recoveryInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.recovery(input, known(ctx)))),
  }),
  accounts: route('accounts').query(({ ctx }) => ctx.fleet.listAccounts(known(ctx))),
  doctor: t.router({
    diagnose: route('doctor.diagnose').query(({ ctx }) => ctx.fleet.diagnose(known(ctx))),
    repair: route('doctor.repair')
      .input(cureInput)
      .mutation(({ ctx, input }) => ctx.fleet.repair(input, known(ctx))),
    rebuild: route('doctor.rebuild')
      .input(cureInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.rebuild(input, known(ctx)))),
  }),
  profiles: t.router({
    list: route('profiles.list').query(({ ctx }) => ctx.fleet.listProfiles()),
    put: route('profiles.put')
      .input(inputs.putProfileInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.putProfile(input, known(ctx)))),
    remove: route('profiles.remove')
      .input(inputs.removeProfileInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeProfile(input, known(ctx)))),
  }),
  machines: t.router({
    list: route('machines.list').query(({ ctx }) => ctx.fleet.listMachines(known(ctx))),
    invite: route('machines.invite')
      .input(inputs.inviteInput)
      .mutation(({ ctx, input }) => ctx.fleet.invite(input, known(ctx))),
    revoke: route('machines.revoke')
      .input(inputs.machineInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.revokeMachine(input, known(ctx)))),
    rotate: route('machines.rotate')
      .input(inputs.machineInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.rotateMachine(input, known(ctx)))),
    remove: route('machines.remove')
      .input(inputs.removeMachineInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeMachine(input, known(ctx)))),
  }),
  audit: t.router({
    list: route('audit.list')
      .input(audit.auditListInput)
      .query(({ ctx, input }) => ctx.fleet.listAudit(input, known(ctx))),
    verify: route('audit.verify')
      .input(audit.auditVerifyInput)
      .mutation(({ ctx, input }) => ctx.fleet.verifyAudit(input, known(ctx))),
  }),
  tokens: t.router({
    list: route('tokens.list').query(({ ctx }) => ctx.fleet.listTokens(known(ctx))),
    create: route('tokens.create')
      .input(tokens.createTokenInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.createToken(input, known(ctx)))),
    revoke: route('tokens.revoke')
      .input(tokens.revokeTokenInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.revokeToken(input, known(ctx)))),
  }),
  fleet: t.router({
    up: route('fleet.up')
      .input(inputs.fleetInput)
      .mutation(({ ctx, input }) => ctx.fleet.setWanted('up', input.orderId, known(ctx))),
    down: route('fleet.down')
      .input(inputs.fleetInput)
      .mutation(({ ctx, input }) => ctx.fleet.setWanted('down', input.orderId, known(ctx))),
    stop: route('fleet.stop').mutation(async ({ ctx }) => value(await ctx.fleet.stop(known(ctx)))),
  }),
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

/** Who asks, once `route` has let them in. */
function known({ actor }: ApiContext): Actor {
  invariant(actor !== null, 'A procedure that needs a role was called by nobody');
  return actor;
}
