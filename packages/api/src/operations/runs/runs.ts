/** Operations on runs. */
import { runAskInput, runMessageView, runTellInput } from '../../runs/messages.ts';
import {
  runAcceptInput,
  runActInput,
  runAnswerInput,
  runEventsInput,
  runEventView,
  runInput,
  runLine,
  runListInput,
  runPlanView,
  runRetryInput,
  runReviewInput,
  runReviewView,
  runStartInput,
  runView,
} from '../../runs/runs.ts';
import {
  PROMPT_BODY_BYTES_MAX,
  defineV1,
  flag,
  listOf,
  newestFirstCursor,
  newestFirstPage,
  page,
} from '../../v1/route.ts';
import { mutation, ok, query } from '../define.ts';
import { z } from 'zod';

const view = runView.meta({ id: 'Run' });
const line = runLine.meta({ id: 'RunLine' });
const params = z.strictObject(runInput.shape);
const { requestId: _request, ...startBody } = runStartInput.shape;
/** Programs have the whole name; a beginning may be that of a commit that comes later. */
const wholeCommit = runAcceptInput.shape.head
  .unwrap()
  .refine(({ length }) => length === 40 || length === 64, 'Expected the whole name of the commit, 40 characters long');

export const runOperations = {
  'runs.start': mutation('operator', 'project', {
    input: runStartInput,
    tools: {
      run_start: {
        about:
          'Starts a run: a goal, carried through the stages of a flow by workers. Answers at once with the id of the run; look at it with run_show. Nothing is merged without a yes of a person.',
        serves: 'person',
      },
    },
    handle: ({ fleet, actor, input }) => fleet.startRun(input, actor),
    v1: {
      'POST /v1/runs': defineV1({
        summary: 'Starts a run of a flow.',
        body: z.strictObject(startBody),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: view,
        problems: ['not-found', 'invalid', 'forbidden', 'key-reused'],
        conflicts: ['no-project', 'no-worker', 'machine'],
        handle: ({ fleet, actor, body, requestId }) => fleet.startRun({ ...body, requestId }, actor),
      }),
    },
  }),
  'runs.plan': mutation('operator', 'project', {
    input: runStartInput,
    tools: { run_plan: { about: 'Says what a run would do, and starts nothing.', serves: 'person' } },
    handle: ({ fleet, actor, input }) => fleet.planRun(input, actor),
    v1: {
      'POST /v1/runs/plan': defineV1({
        summary: 'Says what a run would do, and starts nothing.',
        body: z.strictObject(startBody),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: runPlanView.meta({ id: 'RunPlan' }),
        problems: ['not-found', 'invalid', 'forbidden'],
        conflicts: ['no-project'],
        handle: ({ fleet, actor, body, requestId }) => fleet.planRun({ ...body, requestId }, actor),
      }),
    },
  }),
  'runs.list': query('viewer', 'project', {
    input: runListInput,
    tools: { run_list: { about: 'Lists runs, newest first.', serves: 'person', given: { limit: 50 } } },
    handle: async ({ fleet, actor, input }) => ok(await fleet.listRuns(input, actor)),
    v1: {
      'GET /v1/runs': defineV1({
        summary: 'Lists runs, newest first.',
        query: z.strictObject({ ...page, all: flag('Also runs that have ended') }),
        answer: listOf(line),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { after, limit, all } }) => {
          const cursor = newestFirstCursor(after);
          if (cursor.kind === 'refused') return cursor;
          const listed = await fleet.listRuns({ all, limit: limit + 1, after: cursor.place }, actor);
          return ok(newestFirstPage(listed, limit));
        },
      }),
    },
  }),
  'runs.show': query('viewer', 'project', {
    input: runInput,
    tools: {
      run_show: { about: 'Shows a run: its stages, workers, results, and questions to a person.', serves: 'person' },
    },
    handle: ({ fleet, actor, input }) => fleet.run(input, actor),
    v1: {
      'GET /v1/runs/{id}': defineV1({ summary: 'Shows one run.', params, answer: view, problems: ['not-found'] }),
    },
  }),
  'runs.await': query('viewer', 'project', {
    input: runInput.extend({ seq: z.number().int().min(0) }),
    handle: ({ fleet, actor, input, signal }) => fleet.awaitRun(input, actor, signal),
  }),
  'runs.act': mutation('operator', 'project', {
    input: runActInput,
    tools: {
      run_stop: {
        about: 'Stops a run: its workers hand back what they have.',
        serves: 'person',
        given: { act: 'stop' },
      },
      run_pause: { about: 'Pauses a run: nothing new begins.', serves: 'person', given: { act: 'pause' } },
      run_resume: { about: 'Continues a paused run.', serves: 'person', given: { act: 'resume' } },
    },
    handle: ({ fleet, actor, input }) => fleet.actOnRun(input, actor),
    v1: {
      'POST /v1/runs/{id}/stop': acting('stop', 'Stops a run: its workers hand back what they have.'),
      'POST /v1/runs/{id}/pause': acting('pause', 'Pauses a run: nothing new begins.'),
      'POST /v1/runs/{id}/resume': acting('resume', 'Continues a paused run.'),
    },
  }),
  'runs.answer': mutation('responder', 'project', {
    input: runAnswerInput,
    handle: ({ fleet, actor, input }) => fleet.answerRun(input, actor),
    v1: {
      'POST /v1/runs/{id}/answer': defineV1({
        summary: 'Answers a question of a run: start, edit, revise or stop a plan, or say yes to a commit.',
        params,
        body: z.strictObject({
          question: runAnswerInput.shape.question,
          option: runAnswerInput.shape.option,
          words: runAnswerInput.shape.words,
          parts: runAnswerInput.shape.parts,
        }),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: view,
        problems: ['not-found', 'invalid', 'forbidden', 'stale'],
        handle: ({ fleet, actor, params: { id }, body, requestId }) =>
          fleet.answerRun({ ...body, id, requestId }, actor),
      }),
    },
  }),
  'runs.review': mutation('viewer', 'project', {
    input: runReviewInput,
    handle: ({ fleet, actor, input }) => fleet.reviewRun(input, actor),
    v1: {
      'POST /v1/runs/{id}/review': defineV1({
        summary:
          'Shows the commit of a run that waits for a yes, with its diff, and notes that the caller has seen it.',
        params,
        body: z.strictObject({ stat: z.boolean().default(false).meta({ description: 'Only the list of its files' }) }),
        answer: runReviewView.meta({ id: 'RunReview' }),
        problems: ['not-found'],
        conflicts: ['nothing-to-review', 'machine'],
        handle: ({ fleet, actor, params: { id }, body }) => fleet.reviewRun({ ...body, id }, actor),
      }),
    },
  }),
  'runs.accept': mutation('operator', 'project', {
    input: runAcceptInput,
    handle: ({ fleet, actor, input }) => fleet.acceptRun(input, actor),
    v1: {
      'POST /v1/runs/{id}/accept': defineV1({
        summary: 'Says yes to the commit of a run that was reviewed: it is merged, and no other.',
        params,
        body: z.strictObject({
          head: wholeCommit.meta({ description: 'The commit that the person reviewed: its whole name' }),
        }),
        answer: view,
        problems: ['not-found', 'forbidden', 'stale'],
        conflicts: ['not-reviewed'],
        handle: ({ fleet, actor, params: { id }, body, requestId }) =>
          fleet.acceptRun({ ...body, id, requestId }, actor),
      }),
    },
  }),
  'runs.retry': mutation('operator', 'project', {
    input: runRetryInput,
    handle: ({ fleet, actor, input }) => fleet.retryRun(input, actor),
    v1: {
      'POST /v1/runs/{id}/retry': defineV1({
        summary: 'Starts a new run that takes over the stages that passed.',
        params,
        body: z.strictObject({
          from: runRetryInput.shape.from,
          text: runRetryInput.shape.text,
          skipFailed: runRetryInput.shape.skipFailed,
          resetAgents: runRetryInput.shape.resetAgents,
          keepMessages: runRetryInput.shape.keepMessages,
        }),
        answer: view,
        problems: ['not-found', 'invalid', 'forbidden'],
        conflicts: ['not-over', 'tried-already', 'machine'],
        handle: ({ fleet, actor, params: { id }, body, requestId }) =>
          fleet.retryRun({ ...body, id, requestId }, actor),
      }),
    },
  }),
  'runs.planRetry': mutation('operator', 'project', {
    input: runRetryInput,
    handle: ({ fleet, actor, input }) => fleet.planRetry(input, actor),
  }),
  'runs.events': query('viewer', 'project', {
    input: runEventsInput,
    tools: {
      run_why: {
        about: 'Lists what happened to a run, and why, oldest first.',
        serves: 'person',
        given: { after: 0, limit: 500 },
      },
    },
    handle: ({ fleet, actor, input }) => fleet.runEvents(input, actor),
    v1: {
      'GET /v1/runs/{id}/events': defineV1({
        summary:
          'Lists the events of a run after a number, oldest first. GET /v1/events/stream?types=run tells when there are new ones.',
        params,
        query: z.strictObject({
          after: z.coerce
            .number()
            .int()
            .min(0)
            .default(0)
            .meta({ description: 'Number of the last event that is known' }),
          limit: z.coerce.number().int().min(1).max(500).default(100).meta({ description: 'Maximum number of events' }),
        }),
        answer: z.object({ items: z.array(runEventView.meta({ id: 'RunEvent' })) }),
        problems: ['not-found'],
        handle: async ({ fleet, actor, params: { id }, query: asked }) => {
          const listed = await fleet.runEvents({ id, ...asked }, actor);
          return listed.kind === 'ok' ? ok({ items: [...listed.value] }) : listed;
        },
      }),
    },
  }),
  'runs.messages': query('viewer', 'project', {
    input: runInput,
    handle: ({ fleet, actor, input }) => fleet.runMessages(input, actor),
    v1: {
      'GET /v1/runs/{id}/messages': defineV1({
        summary: 'Lists the messages between the agents of a run, in order.',
        params,
        answer: z.object({ items: z.array(runMessageView.meta({ id: 'RunMessage' })) }),
        problems: ['not-found'],
        handle: async ({ fleet, actor, params: { id } }) => {
          const listed = await fleet.runMessages({ id }, actor);
          return listed.kind === 'ok' ? ok({ items: [...listed.value] }) : listed;
        },
      }),
    },
  }),
  'runs.tell': mutation('viewer', 'worker', {
    input: runTellInput,
    tools: {
      tell: {
        about:
          'Tells another agent of the same run something: @author, @reviewer, or the name of a worker. At most three messages a task, 2 KiB each. It gets the message between its turns.',
        serves: 'agent',
      },
    },
    handle: ({ fleet, actor, input }) => fleet.tellInRun(input, actor),
  }),
  'runs.ask': mutation('viewer', 'worker', {
    input: runAskInput,
    tools: {
      ask: {
        about:
          'Asks a person a question. The answer arrives as a message between your turns, so carry on with other work. If there is none, give the result with the verdict blocked, and your next turn begins with the answer.',
        serves: 'agent',
      },
    },
    handle: ({ fleet, actor, input }) => fleet.askInRun(input, actor),
  }),
};

function acting(act: 'stop' | 'pause' | 'resume', summary: string) {
  return defineV1({
    summary,
    params,
    answer: view,
    problems: ['not-found', 'over'],
    handle: ({ fleet, actor, params: { id }, requestId }) => fleet.actOnRun({ id, act, requestId }, actor),
  });
}
