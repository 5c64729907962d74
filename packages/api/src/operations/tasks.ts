/** Operations on tasks: list and start. */
import { startInput, taskView } from '../tasks.ts';
import { workerName } from '../texts.ts';
import { PROMPT_BODY_BYTES_MAX, defineV1, listOf, newestFirstCursor, newestFirstPage, page } from '../v1/route.ts';
import { mutation, ok, publicOnly } from './define.ts';
import { worker, workerOf } from './workers.ts';
import { z } from 'zod';

export const taskOperations = {
  'tasks.list': publicOnly({
    kind: 'query',
    role: 'viewer',
    scope: 'project',
    v1: {
      'GET /v1/tasks': defineV1({
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
    },
  }),
  'workers.start': mutation('operator', 'project', {
    input: startInput,
    tools: {
      worker_start: { about: 'Gives a task to a worker, or to the best idle one of a project.', serves: 'person' },
    },
    handle: ({ fleet, actor, input }) => fleet.start(input, actor),
    v1: {
      'POST /v1/tasks': defineV1({
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
          return workerOf(await fleet.start({ requestId, name: called, ...rest }, actor));
        },
      }),
    },
  }),
};
