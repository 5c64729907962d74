/** Binds the use cases of runs to a context. */
import { BUILT_IN_FLOWS } from '@drover/config';
import { isOver } from '@drover/core';
import type { Actor, Outcome, RunFleet, RunView } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { listenFor } from '../../context/waiters.ts';
import { findRun } from '../../facts/runs/find.ts';
import { flowOf, flowViewOf } from '../../facts/runs/flows.ts';
import { runEventViewOf, runLineOf } from '../../facts/runs/view.ts';
import { actOnRun, answerQuestion } from './act.ts';
import { acceptRun, reviewRun } from './review.ts';
import { planOfRetry, retryRun } from './retry.ts';
import { planRun, shown, startRun } from './start.ts';
import type { RunWaiters } from './start.ts';
import { askInRun, tellInRun } from './tell.ts';

/** Milliseconds that a wait for a change takes at most: the client asks again. */
const AWAIT_MS = 20_000;
/** Milliseconds between two reads without a hint. */
const PAUSE_MS = 1_000;
/** Messages of a run that are listed. */
const MESSAGES_MAX = 1_000;

export function createRunFleet(ctx: Context, waiters: RunWaiters): RunFleet {
  return {
    startRun: (starting, by) => startRun(ctx, waiters, { starting, by }),
    planRun: (starting, by) => planRun(ctx, starting, by),
    listRuns: async ({ all, limit, after }, by) => {
      const where = by.project === null ? {} : { projectId: by.project };
      const from = after === undefined ? {} : { after: { createdAt: after.at, id: after.id } };
      const rows = await ctx.store.listRuns({ limit, open: !all, ...where, ...from });
      const projects = await ctx.store.listProjects();
      return rows.map((row) => runLineOf(row, projects));
    },
    run: async ({ id }, by) => {
      const found = await findRun(ctx, id, by);
      return found.kind === 'refused' ? found : shown(ctx, found.row);
    },
    awaitRun: (input, by, signal) => awaitRun(ctx, waiters, { ...input, by, signal }),
    actOnRun: (input, by) => actOnRun(ctx, input, by),
    answerRun: (input, by) => answerQuestion(ctx, input, by),
    reviewRun: (input, by) => reviewRun(ctx, waiters, { ...input, by }),
    acceptRun: (input, by) => acceptRun(ctx, input, by),
    retryRun: (input, by) => retryRun(ctx, waiters, { asked: input, by }),
    planRetry: (input, by) => planOfRetry(ctx, input, by),
    runEvents: async ({ id, after, limit }, by) => {
      const found = await findRun(ctx, id, by);
      if (found.kind === 'refused') return found;
      const rows = await ctx.store.listRunEvents(found.row.id, { after, limit });
      return { kind: 'ok', value: rows.map(runEventViewOf) };
    },
    runMessages: async ({ id }, by) => {
      const found = await findRun(ctx, id, by);
      if (found.kind === 'refused') return found;
      const rows = await ctx.store.listRunMessages(found.row.id, MESSAGES_MAX);
      const value = rows.map(({ id: message, createdAt: at, sender: from, receiver: to, text, state, why }) => {
        return { id: message, at, from, to, text, state, why };
      });
      return { kind: 'ok', value };
    },
    tellInRun: (input, by) => tellInRun(ctx, input, by),
    askInRun: (input, by) => askInRun(ctx, input, by),
    listFlows: () =>
      Promise.resolve(
        Object.keys(BUILT_IN_FLOWS).flatMap((name) => {
          const found = flowOf(name, undefined);
          return found.kind === 'flow' ? [flowViewOf(found)] : [];
        }),
      ),
    flow: ({ name }) => Promise.resolve(viewOf(name, undefined)),
    checkFlow: ({ name, text }) => Promise.resolve(viewOf(name, text)),
  };
}

function viewOf(name: string, text: string | undefined): ReturnType<typeof viewed> {
  return viewed(flowOf(name, text));
}

function viewed(found: ReturnType<typeof flowOf>) {
  return found.kind === 'refused' ? found : ({ kind: 'ok', value: flowViewOf(found) } as const);
}

/** Answers when the run has newer events than the caller knows, or after a while. */
async function awaitRun(
  ctx: Context,
  { events }: RunWaiters,
  {
    id,
    seq,
    by,
    signal,
  }: {
    readonly id: string;
    readonly seq: number;
    readonly by: Actor;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Outcome<RunView>> {
  const found = await findRun(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row: first } = found;
  const until = ctx.clock.now() + AWAIT_MS;
  for (;;) {
    const after = (ms: number, run: () => void) => ctx.clock.after(ms, run);
    using hint = listenFor(events, first.id, { ms: PAUSE_MS, after, signal });
    const row = (await ctx.store.readRun(first.id)) ?? first;
    if (row.seq > seq || isOver(row.state) || ctx.clock.now() >= until || signal?.aborted === true)
      return await shown(ctx, row);
    await hint.heard;
  }
}
