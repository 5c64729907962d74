/** The caller, and what the fleet consists of, in the public API. */
import { z } from 'zod';
import { uuid } from '@drover/protocol';
import { machineView } from '../machines.ts';
import type { Outcome } from '../outcome.ts';
import { workerName } from '../texts.ts';
import { projectView } from '../projects/projects.ts';
import { acceptInput, cancelView, rejectInput, reviewView, startInput, taskView } from '../tasks.ts';
import { messageInput, whyView, workerView } from '../workers.ts';
import type { RequestView, WorkerView } from '../workers.ts';
import {
  defineV1,
  listOf,
  newestFirstCursor,
  newestFirstPage,
  ok,
  page,
  pageOf,
  PROMPT_BODY_BYTES_MAX,
} from './route.ts';

const me = z
  .object({
    kind: z.enum(['person', 'worker', 'bot']),
    id: uuid.meta({ description: 'Of the token' }),
    name: z.string(),
    role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
    project: uuid.nullable().meta({ description: 'The id of the only project that the token reaches; null: all' }),
    version: z.string().meta({ description: 'Of Drover' }),
  })
  .meta({ id: 'Me' });

const worker = workerView.meta({ id: 'Worker' });
const name = z.strictObject({ name: workerName });
const query = z.strictObject(page);

/** What the API shows of the fleet, and the work that it is given. */
export const fleetRoutes = {
  'GET /v1/me': defineV1({
    access: 'info',
    summary: 'Says whose token this is.',
    answer: me,
    handle: async ({ fleet, actor: { kind, id, name: called, role, project } }) => {
      const { version } = await fleet.info();
      return ok({ kind, id, name: called, role, project, version });
    },
  }),
  'GET /v1/workers': defineV1({
    access: 'workers.list',
    summary: 'Lists the workers.',
    query,
    answer: listOf(worker),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: asked }) =>
      pageOf(await fleet.listWorkers(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
  }),
  'GET /v1/workers/{name}': defineV1({
    access: 'workers.why',
    summary: 'Shows one worker: its last decision, what follows, and what a person can do.',
    params: name,
    answer: whyView.extend({ worker }).meta({ id: 'WorkerDetail' }),
    problems: ['not-found'],
    handle: ({ fleet, actor, params }) => fleet.why({ name: params.name, limit: 20 }, actor),
  }),
  'POST /v1/workers/{name}/message': defineV1({
    access: 'workers.message',
    summary:
      'Sends a text to the agent of a worker. It is typed when the screen invites it; while a dialog is shown, the number or the label of an option answers that.',
    params: name,
    body: z.strictObject({ text: messageInput.shape.text }),
    bytesMax: PROMPT_BODY_BYTES_MAX,
    answer: worker,
    problems: ['not-found', 'key-reused'],
    conflicts: ['offline', 'accepting', 'dialog', 'not-working', 'machine'],
    handle: async ({ fleet, actor, params, body, requestId }) =>
      workerOf(await fleet.message({ orderId: requestId, name: params.name, text: body.text }, actor)),
  }),
  'POST /v1/workers/{name}/cancel': defineV1({
    access: 'workers.cancel',
    summary: 'Cancels the task of a worker: its agent stops, and what there is of the work is kept.',
    params: name,
    answer: cancelView.extend({ worker: worker.nullable() }).meta({ id: 'Cancelled' }),
    problems: ['not-found', 'key-reused'],
    conflicts: ['no-task', 'in-review', 'accepting', 'leaving', 'moving', 'another-task'],
    handle: ({ fleet, actor, params, requestId }) => fleet.cancel({ orderId: requestId, name: params.name }, actor),
  }),
  'POST /v1/workers/{name}/review': defineV1({
    access: 'workers.review',
    summary: 'Shows the work of a worker with its diff, and notes that the caller has seen this commit.',
    params: name,
    body: z.strictObject({ stat: z.boolean().default(false).meta({ description: 'Only the list of its files' }) }),
    answer: reviewView.meta({ id: 'Review' }),
    problems: ['not-found'],
    conflicts: ['nothing-to-review', 'machine', 'no-answer'],
    handle: ({ fleet, actor, params, body }) => fleet.review({ name: params.name, stat: body.stat }, actor),
  }),
  'POST /v1/workers/{name}/reject': defineV1({
    access: 'workers.reject',
    summary: 'Sends the work back to its agent with words.',
    params: name,
    body: z.strictObject({ text: messageInput.shape.text }),
    bytesMax: PROMPT_BODY_BYTES_MAX,
    answer: worker,
    problems: ['not-found', 'key-reused'],
    conflicts: ['not-in-review', 'accepting', 'offline', 'machine'],
    handle: async ({ fleet, actor, params, body, requestId }) =>
      workerOf(
        await fleet.reject(rejectInput.parse({ orderId: requestId, name: params.name, text: body.text }), actor),
      ),
  }),
  'POST /v1/workers/{name}/accept': defineV1({
    access: 'workers.accept',
    summary: 'Asks for the merge of the commit that was reviewed.',
    params: name,
    body: z.strictObject({
      head: acceptInput.shape.head.unwrap().meta({ description: 'The commit that the person has seen' }),
    }),
    answer: worker,
    problems: ['not-found', 'key-reused'],
    conflicts: ['not-in-review', 'accepting', 'offline', 'machine'],
    handle: async ({ fleet, actor, params, body, requestId }) =>
      workerOf(await fleet.accept({ orderId: requestId, name: params.name, head: body.head }, actor)),
  }),
  'GET /v1/projects': defineV1({
    access: { kind: 'query', role: 'viewer', scope: 'project' },
    summary: 'Lists the projects.',
    query,
    answer: listOf(projectView.meta({ id: 'Project' })),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: asked }) =>
      pageOf(await fleet.listProjects(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
  }),
  'GET /v1/tasks': defineV1({
    access: { kind: 'query', role: 'viewer', scope: 'project' },
    summary: 'Lists the tasks that were given, newest first.',
    query: z.strictObject({ ...page, worker: workerName.optional(), status: z.string().min(1).max(40).optional() }),
    answer: listOf(taskView.meta({ id: 'Task' })),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { after, limit, worker: of, status } }) => {
      const cursor = newestFirstCursor(after);
      if (cursor.kind === 'refused') return cursor;
      const listed = await fleet.listTasks({ worker: of, status, after: cursor.place, limit: limit + 1 }, actor);
      return ok(newestFirstPage(listed, limit));
    },
  }),
  'POST /v1/tasks': defineV1({
    access: 'workers.start',
    summary: 'Gives a task to a worker, or to the pool’s best idle one.',
    body: z
      .strictObject({
        prompt: startInput.shape.prompt,
        worker: workerName.optional(),
        project: startInput.shape.project.meta({ description: 'Without "worker": of which project the worker is' }),
        role: startInput.shape.role.meta({ description: 'Without "worker": the role that the worker has' }),
        from: startInput.shape.from.meta({
          description:
            'Existing work on which the task begins: a branch of the source or of its remote, or a pull request ("#12", or its address). Absent: the newest default branch',
        }),
      })
      .refine(
        (body) => body.worker === undefined || (body.project === undefined && body.role === undefined),
        'A worker that is named has its project and role: leave those out, or leave "worker" out',
      ),
    bytesMax: PROMPT_BODY_BYTES_MAX,
    answer: worker,
    problems: ['not-found', 'key-reused'],
    conflicts: ['busy', 'offline', 'cordoned', 'no-idle-worker', 'machine', 'start'],
    handle: async ({ fleet, actor, body, requestId }) => {
      const { worker: called, ...rest } = body;
      return workerOf(await fleet.start({ orderId: requestId, name: called, ...rest }, actor));
    },
  }),
  'GET /v1/machines': defineV1({
    access: 'machines.list',
    summary: 'Lists the machines.',
    query,
    answer: listOf(machineView.meta({ id: 'Machine' })),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: asked }) =>
      pageOf(await fleet.listMachines(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
  }),
};

/** The worker that a request was given to, as it is after the decision. */
function workerOf(outcome: Outcome<RequestView>): Outcome<WorkerView> {
  return outcome.kind === 'ok' ? ok(outcome.value.worker) : outcome;
}
