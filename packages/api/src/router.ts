/** The tRPC routes of people's tools: parse, ask one use case, turn its outcome into a status. */
import { invariant } from '@drover/core';
import { initTRPC, TRPCError } from '@trpc/server';
import * as checkpoints from './checkpoint-inputs.ts';
import { cureInput } from './doctor.ts';
import * as inputs from './inputs.ts';
import type { Actor, ApiContext, Outcome } from './ports.ts';
import * as policy from './policy.ts';
import * as queue from './queue.ts';
import * as recovery from './recovery-inputs.ts';

const t = initTRPC.context<ApiContext>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: readable(error),
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason: reasonOf(error) },
  }),
});

const RANK: Readonly<Record<Actor['role'], number>> = { viewer: 0, responder: 1, operator: 2, admin: 3 };

function atLeast(role: Actor['role']): typeof t.procedure {
  return t.procedure.use(({ ctx, next }) => {
    if (ctx.actor === null) {
      throw new TRPCError({
        code: 'UNAUTHORIZED',
        message: 'The token is wrong or has expired: run the command where "drover up" runs, or set DROVER_TOKEN',
      });
    }
    if (RANK[ctx.actor.role] < RANK[role]) {
      throw new TRPCError({
        code: 'FORBIDDEN',
        message: `This needs the role ${role}; the token "${ctx.actor.name}" has the role ${ctx.actor.role}`,
      });
    }
    return next();
  }) as typeof t.procedure;
}

const viewer = atLeast('viewer');
const responder = atLeast('responder');
const operator = atLeast('operator');
const admin = atLeast('admin');

/**
 * Every procedure, with the role that it takes: looking is for viewers, answering for responders, giving orders for operators, letting machines in
 * and stopping the process for admins. A refusal becomes 404 (`not-found`), 400 (`invalid`) or 409, with its code as
 * `data.reason`.
 */
export const appRouter = t.router({
  info: viewer.query(({ ctx }) => ctx.fleet.info()),
  workers: t.router({
    list: viewer.query(({ ctx }) => ctx.fleet.listWorkers()),
    add: operator.input(inputs.addInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.add(input))),
    nuke: operator.input(inputs.nukeInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.nuke(input))),
    start: operator.input(inputs.startInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.start(input))),
    message: operator
      .input(inputs.messageInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.message(input))),
    review: viewer.input(inputs.reviewInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.review(input))),
    reject: operator.input(inputs.rejectInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.reject(input))),
    accept: operator.input(inputs.acceptInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.accept(input))),
    why: viewer.input(inputs.whyInput).query(async ({ ctx, input }) => value(await ctx.fleet.why(input))),
    screen: viewer.input(inputs.screenInput).query(async ({ ctx, input }) => value(await ctx.fleet.screen(input))),
    pane: viewer.input(inputs.paneInput).query(async ({ ctx, input }) => value(await ctx.fleet.pane(input))),
  }),
  events: viewer
    .input(inputs.eventsInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.events(input, ctx.signal))),
  errors: viewer.input(recovery.errorsInput).query(({ ctx, input }) => ctx.fleet.listErrors(input)),
  report: viewer.input(recovery.reportInput).query(async ({ ctx, input }) => value(await ctx.fleet.report(input))),
  escalations: t.router({
    list: viewer.input(recovery.escalationsInput).query(({ ctx, input }) => ctx.fleet.listEscalations(input)),
    show: viewer
      .input(recovery.escalationInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.escalation(input))),
    ack: responder
      .input(recovery.escalationInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.ackEscalation(input, known(ctx)))),
    resolve: responder
      .input(recovery.resolveInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.resolveEscalation(input, known(ctx)))),
  }),
  policy: t.router({
    show: viewer
      .input(policy.policyShowInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.showPolicy(input))),
    diff: viewer
      .input(policy.policyDiffInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.diffPolicies(input))),
    replay: viewer.input(policy.replayInput).query(async ({ ctx, input }) => value(await ctx.fleet.replay(input))),
  }),
  queue: t.router({
    list: viewer.input(queue.queueListInput).query(({ ctx, input }) => ctx.fleet.listQueue(input)),
    show: viewer.input(queue.queueItemInput).query(async ({ ctx, input }) => value(await ctx.fleet.queueItem(input))),
    add: operator
      .input(queue.queueAddInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.addToQueue(input))),
    drop: operator
      .input(queue.queueItemInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.dropQueueItem(input))),
    retry: operator
      .input(queue.queueItemInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.retryQueueItem(input))),
  }),
  checkpoints: t.router({
    list: viewer
      .input(checkpoints.checkpointsInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.listCheckpoints(input))),
    // A mutation, because it asks a machine.
    show: viewer
      .input(checkpoints.checkpointInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.checkpoint(input))),
    create: operator
      .input(checkpoints.createCheckpointInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.createCheckpoint(input))),
    recover: operator
      .input(checkpoints.recoverInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.recover(input))),
    recovery: viewer
      .input(checkpoints.recoveryInput)
      .query(async ({ ctx, input }) => value(await ctx.fleet.recovery(input))),
  }),
  accounts: viewer.query(({ ctx }) => ctx.fleet.listAccounts()),
  doctor: t.router({
    diagnose: viewer.query(({ ctx }) => ctx.fleet.diagnose()),
    repair: operator.input(cureInput).mutation(({ ctx, input }) => ctx.fleet.repair(input)),
    rebuild: admin.input(cureInput).mutation(async ({ ctx, input }) => value(await ctx.fleet.rebuild(input))),
  }),
  profiles: t.router({
    list: viewer.query(({ ctx }) => ctx.fleet.listProfiles()),
    put: admin
      .input(inputs.putProfileInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.putProfile(input))),
    remove: admin
      .input(inputs.removeProfileInput)
      .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeProfile(input))),
  }),
  machines: t.router({
    list: viewer.query(({ ctx }) => ctx.fleet.listMachines()),
    invite: admin.input(inputs.inviteInput).mutation(({ ctx, input }) => ctx.fleet.invite(input)),
  }),
  fleet: t.router({
    up: operator.input(inputs.fleetInput).mutation(({ ctx, input }) => ctx.fleet.setWanted('up', input.orderId)),
    down: operator.input(inputs.fleetInput).mutation(({ ctx, input }) => ctx.fleet.setWanted('down', input.orderId)),
    stop: admin.mutation(async ({ ctx }) => value(await ctx.fleet.stop())),
  }),
});

/** The type that clients import; nothing else of the server reaches them. */
export type AppRouter = typeof appRouter;

/** Who asks, once `atLeast` has let them in. */
function known({ actor }: ApiContext): Actor {
  invariant(actor !== null, 'A procedure that needs a role was called by nobody');
  return actor;
}

/** Carries the use case's own code beside the status. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value;
  const { code, message } = outcome;
  const status = code === 'not-found' ? 'NOT_FOUND' : code === 'invalid' ? 'BAD_REQUEST' : 'CONFLICT';
  throw new TRPCError({ code: status, message, cause: new Refused(code, message) });
}

function reasonOf(error: TRPCError): string {
  return error.cause instanceof Refused ? error.cause.code : error.code.toLowerCase().replaceAll('_', '-');
}

/** Input that a schema refused is told in sentences, not as a list of issues; the inside of a fault is not told. */
function readable(error: TRPCError): string {
  const { cause } = error;
  if (cause !== undefined && 'issues' in cause && Array.isArray(cause.issues)) {
    return cause.issues.map((issue: { message: string; path: unknown[] }) => sentence(issue)).join('. ');
  }
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return 'The coordinator could not carry this out; its log says why. Repeat it, or run "drover doctor"';
  return error.message;
}

function sentence({ message, path }: { message: string; path: unknown[] }): string {
  return message.startsWith('The ') || path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
