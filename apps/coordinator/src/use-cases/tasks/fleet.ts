/** Binds the use cases of tasks to a context: start, review, reject, rebase, accept. */
import type { StartingPoint, WorkerEvent } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { Actor, RequestView, Outcome, Refusal, TaskFleet } from '@drover/api';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { heldMachine, whyNoWork } from '../../facts/machines/closed.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { ask } from '../../facts/machines/query.ts';
import { chooseHand } from '../../facts/placement/choose.ts';
import type { ChosenHand } from '../../facts/placement/choose.ts';
import { isIdleInPool } from '../../facts/queue/rules.ts';
import { refused } from '../../context/refused.ts';
import { findWorker, readProjects, viewWorker } from '../../facts/workers/find.ts';
import type { Found } from '../../facts/workers/find.ts';
import { findAsked, outcomeOf, requestOf } from '../../loop/subjects/requests.ts';
import { createTaskList } from './list.ts';
import { reject } from './rejections.ts';
import { accept, acceptTogether } from './accepts.ts';
import { awaitAccept } from './await-accept.ts';
import { cancel } from './cancel.ts';
import { findNamedOrReviewed, review } from './reviews.ts';
import { placed } from '../../facts/projects/place.ts';
import { theProject } from '../../facts/projects/which.ts';
import { taskTextFor } from '../../facts/tasks/text.ts';

export function createTaskFleet(
  ctx: Context,
  waiters: { readonly commands: Waiters; readonly events: Waiters },
): TaskFleet {
  return {
    ...createTaskList(ctx),
    start: (input, by) => start(ctx, waiters, { ...input, by }),
    review: (input, by) => review(ctx, waiters, { ...input, by }),
    reject: (input, by) => reject(ctx, waiters, { ...input, by }),
    cancel: (input, by) => cancel(ctx, { ...input, by }),
    rebase: ({ requestId, name }, by) =>
      requestOf(ctx, {
        requestId,
        by,
        find: () => findNamedOrReviewed(ctx, { name, by }),
        event: () => ({ kind: 'rebase-requested' }),
      }),
    accept: (input, by) => accept(ctx, { ...input, by }),
    awaitAccept: (input, by, signal) => awaitAccept(ctx, waiters.events, { ...input, by, signal }),
    acceptTogether: (input, by) => acceptTogether(ctx, { ...input, by }),
  };
}

type Starting = Parameters<TaskFleet['start']>[0] & { readonly by: Actor };

/** Times that another worker is chosen because the first got other work before it had the task. */
const TRIES = 3;

async function start(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  starting: Starting,
): Promise<Outcome<RequestView>> {
  for (let tried = 1; ; tried += 1) {
    const started = await tryToStart(ctx, waiters, starting);
    if (started.kind !== 'too-late') return started;
    if (tried === TRIES) return started.refusal;
  }
}

/** Result of a start; `too-late`: the chosen worker could take the task, and no longer can. */
type Started = Outcome<RequestView> | { readonly kind: 'too-late'; readonly refusal: Refusal };

async function tryToStart(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  { requestId, name, project: within, role, prompt, from: named, by }: Starting,
): Promise<Started> {
  const before = await findAsked(ctx, by, requestId);
  const found =
    before ?? (name === undefined ? await idleOf(ctx, { within, role, by }) : await findWorker(ctx, by, name));
  if (found.kind === 'refused') return found;
  const { row } = found;
  const why = found.kind === 'hand' ? found.why : 'it was named';
  const project = await ctx.store.readProject(row.projectId);
  if (project === null) return { kind: 'refused', code: 'not-found', message: `The project of "${row.name}" is gone` };
  // A repeated request has its start already.
  const from = named === undefined || before !== null ? undefined : await findStart(ctx, waiters, { row, named });
  if (from?.kind === 'refused') return from;
  const handled = await ctx.store.transaction(async (tx) => {
    // The worker's settings and its machine may have changed since it was found.
    const present = await tx.lockWorker(row.id);
    if (present === null) return late(found, refused('not-found', `The worker "${row.name}" no longer exists`));
    const machine = await heldMachine(tx, present.machineId);
    // A repeated request was granted before.
    const isNew = (await tx.findReply(row.id, requestId)) === null;
    const cordoned = whyNoWork(machine);
    if (cordoned !== null && isNew) return late(found, refused('cordoned', `${row.name}: ${cordoned}`));
    if (found.kind === 'hand' && isNew && !isIdleInPool(present))
      return late(found, refused('no-idle-worker', `${row.name} is no longer idle: repeat the command`));
    const text = taskTextFor(placed((await tx.readProject(project.id)) ?? project, machine), present, prompt);
    const event: WorkerEvent = {
      kind: 'start-requested',
      taskId: requestId,
      prompt,
      text,
      ...(from && { from: from.start }),
    };
    const task = {
      id: requestId,
      projectId: project.id,
      workerId: row.id,
      workerName: row.name,
      prompt,
      status: 'new',
      actor: causeOf(by),
      createdAt: ctx.clock.now(),
    };
    await tx.insertTask(task);
    const chosen = { task: { id: requestId, why } };
    const told = { workerId: row.id, event, by: causeOf(by), requestId, chosen, locked: present };
    const answered = await handleEvent(ctx, tx, told);
    // The refusal is in the history of the worker, and nothing waits for it.
    if (answered?.reply.kind === 'refused' && isNew) await tx.setTaskStatus(requestId, 'ended', ctx.clock.now());
    return answered;
  });
  if (handled !== null && 'kind' in handled) return handled;
  handled?.hint();
  return outcomeOf(row, handled, (saved) => viewWorker(ctx, by, saved));
}

/** Asks the machine of the worker for existing work: the start then stays one commit, even if its name moves. */
async function findStart(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  { row, named }: { readonly row: WorkerRow; readonly named: string },
): Promise<{ readonly kind: 'start'; readonly start: StartingPoint } | Refusal> {
  const answer = await ask(ctx, waiters, { row, query: { kind: 'find-start', named } });
  if (answer.kind === 'start-found') return { kind: 'start', start: { commit: answer.commit, name: answer.name } };
  if (answer.kind !== 'failed') return refused('machine', 'The machine answered another question');
  const { code, message } = answer;
  return refused(code.startsWith('start-') || code === 'bad-name' ? 'start' : 'machine', `${row.name}: ${message}`);
}

/** Classes a late refusal: another worker may take a task that did not name this one. */
function late({ kind }: Found | ChosenHand, refusal: Refusal): Started {
  return kind === 'hand' ? { kind: 'too-late', refusal } : refusal;
}

/** Picks the best idle worker of the named project. */
async function idleOf(
  ctx: Context,
  { within, role, by }: { readonly within: string | undefined; readonly role: string | undefined; readonly by: Actor },
): Promise<ChosenHand> {
  const meant = theProject(await readProjects(ctx, by), within);
  return meant.kind === 'refused' ? meant : chooseHand(ctx, { project: meant.project, role: role ?? null });
}
