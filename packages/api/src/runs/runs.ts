/** Runs and flows: what clients send and see, and the use cases. */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { ListPlace, Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { projectName } from '../projects/projects.ts';
import { acceptInput, reviewView } from '../tasks.ts';
import { FLOW_BYTES_MAX, flowName } from './flows.ts';
import type { flowCheckInput, flowInput, FlowView } from './flows.ts';
import type { MessageReceipt, runAskInput, RunMessageView, runTellInput } from './messages.ts';
import { idPart, words } from '../texts.ts';

/** Parts of an edited plan, and their sizes, are checked again by the run. */
const PARTS_MAX = 20;

/** A new run with the id of the request: if a client repeats the request after a lost answer, the run begins once. */
export const runStartInput = z.object({
  requestId: uuid,
  project: projectName.optional(),
  flow: flowName.meta({
    description: 'Flow of Drover, such as change, split or study; with "text" the name of that one',
  }),
  text: z.string().max(FLOW_BYTES_MAX).optional().meta({ description: 'Text of a flow of your own, in TOML' }),
  inputs: z
    .record(z.string().max(63), words('input'))
    .meta({ description: 'Inputs of the flow by name, such as {"goal": "Add a --version flag"}' }),
  workers: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Workers at the same time; absent: as the flow says' }),
  times: z
    .number()
    .int()
    .min(1)
    .max(PARTS_MAX)
    .optional()
    .meta({ description: 'Agents that each do the same; absent: as the flow says' }),
});

/** Names a run by its id, or by enough of the id's beginning or end to be unique. */
export const runInput = z.object({ id: idPart('a run') });

export const runListInput = z.object({ all: z.boolean(), limit: z.number().int().min(1).max(500) });

export const runActInput = runInput.extend({
  requestId: uuid,
  act: z.enum(['pause', 'resume', 'stop']),
});

/** A part of a plan, as a person edits it. */
export const runPart = z.object({
  title: z.string().max(200),
  prompt: z.string().max(64 * 1024),
  paths: z.array(z.string().max(1_000)).max(100),
  check: z.array(z.string().max(1_000)).max(20).optional(),
});

export const runAnswerInput = runInput.extend({
  requestId: uuid,
  /** Question of the run; absent: the only one. */
  question: z.string().max(200).optional(),
  option: z.string().min(1).max(40),
  /** Words of `revise`. */
  words: z
    .string()
    .max(64 * 1024)
    .optional(),
  /** Plan of `edit`. */
  parts: z.array(runPart).max(PARTS_MAX).optional(),
});

/** Shows the commit that waits for a yes. `stat`: only the list of its files. */
export const runReviewInput = runInput.extend({ stat: z.boolean().optional() });

/** A yes to the commit that the caller has reviewed, or to the one that is named. */
export const runAcceptInput = runInput.extend({ requestId: uuid, head: acceptInput.shape.head });

/** A new run that takes over what a former one has passed. */
export const runRetryInput = runInput.extend({
  requestId: uuid,
  /** Stage to begin with; absent: the first that did not pass. */
  from: z.string().max(63).optional(),
  /** Text of a repaired flow. */
  text: z.string().max(FLOW_BYTES_MAX).optional(),
  skipFailed: z.boolean().optional(),
  /** Prefer other workers than those on which the former run failed. Every new task has a new conversation in any case. */
  resetAgents: z.boolean().optional(),
  /** Tell the new agents what the former ones said to each other. */
  keepMessages: z.boolean().optional(),
});

export const runEventsInput = runInput.extend({
  after: z.number().int().min(0),
  limit: z.number().int().min(1).max(500),
});

const itemView = z.object({
  name: z.string(),
  status: z.string(),
  why: z.string(),
  attempt: z.number().int(),
  worker: z.string().nullable(),
  profile: z.string().nullable(),
  commit: z.string().nullable(),
  /** Words of the agent about its work; empty: none yet. */
  summary: z.string(),
  report: z.string(),
  /** Failures of earlier attempts: code and problem. */
  failures: z.array(z.object({ code: z.string(), problem: z.string() })),
  tokens: z.number().int().nullable(),
});

/** A reviewer's remark, with what the author says to it. */
const findingView = z.object({
  severity: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  text: z.string(),
  /** Null: the author has not answered yet. */
  answer: z.object({ did: z.enum(['fixed', 'declined']), why: z.string() }).nullable(),
});

/** Time in milliseconds, tokens, and US dollars. Null: no limit, or no program told it. */
const amounts = z.object({
  timeMs: z.number().nullable(),
  tokens: z.number().nullable(),
  money: z.number().nullable(),
});

const stageView = z.object({
  name: z.string(),
  kind: z.string(),
  status: z.string(),
  why: z.string(),
  items: z.array(itemView),
  /** Findings of the last round of a review. */
  findings: z.array(findingView),
});

const runQuestionView = z.object({
  id: z.string(),
  about: z.string(),
  item: z.string(),
  text: z.string(),
  options: z.array(z.object({ option: z.string(), text: z.string() })),
  /** Commit that a yes is about. */
  commit: z.string().nullable(),
  parts: z.array(runPart).nullable(),
  /** For each part, the index of the part after which it is built, because both touch the same paths; null: none. */
  after: z.array(z.number().int().nullable()),
  report: z.string(),
});

/** A run in a list. Times are epoch milliseconds. */
export const runLine = z.object({
  id: uuid,
  shortId: z.string(),
  project: z.string(),
  flow: z.string(),
  goal: z.string(),
  status: z.string(),
  why: z.string(),
  /** The stage that it is at; null: it has ended. */
  stage: z.string().nullable(),
  by: z.string().nullable(),
  createdAt: epochMs,
  updatedAt: epochMs,
  endedAt: epochMs.nullable(),
});

export const runView = runLine.extend({
  stages: z.array(stageView),
  questions: z.array(runQuestionView),
  /** Part of it that works, computed from what was lost: `full`, `reduced`, `minimal` or `failed`, with words for people. */
  degradation: z.object({ level: z.string(), summary: z.string(), capabilities: z.array(z.string()) }),
  budget: z.object({ limit: amounts, spent: amounts }),
  /** Commit that the default branch got. */
  merged: z.string().nullable(),
  base: z.string(),
  retryOf: z.string().nullable(),
  /** Number of its last event. */
  seq: z.number().int(),
});

export const runEventView = z.object({
  seq: z.number().int(),
  at: epochMs,
  kind: z.string(),
  by: z.string().nullable(),
  /** Consequences, in words. */
  lines: z.array(z.string()),
});

/** Candidate of a run against the default branch, as `reviewView` shows the work of a worker. */
export const runReviewView = reviewView.omit({ worker: true, work: true }).extend({
  run: runLine,
  /** Stages that have not passed, and open findings, in words. */
  question: z.string(),
});

/** Stages of a flow and what it would need, without a start. */
export const runPlanView = z.object({
  flow: z.string(),
  stages: z.array(z.object({ name: z.string(), kind: z.string(), words: z.string() })),
  budget: z.string(),
  workers: z.number().int(),
  /** Workers that could take work now, with the rest and why not. */
  free: z.array(z.string()),
  problems: z.array(z.string()),
});

/** Items that another try would take over, and begin with. */
export const runRetryPlanView = z.object({
  of: z.string(),
  adopted: z.array(z.string()),
  skipped: z.array(z.string()),
  /** Stage with which it begins; null: nothing is left to do. */
  from: z.string().nullable(),
  begins: z.array(z.string()),
  /** Messages that the new agents are told. */
  messages: z.number().int(),
});

export type RunLine = z.infer<typeof runLine>;
export type RunView = z.infer<typeof runView>;
export type RunReviewView = z.infer<typeof runReviewView>;
export type RunEventView = z.infer<typeof runEventView>;
export type RunPlanView = z.infer<typeof runPlanView>;
export type RunRetryPlanView = z.infer<typeof runRetryPlanView>;

/** The use cases of runs: a part of `Fleet`. */
export interface RunFleet {
  startRun(input: z.infer<typeof runStartInput>, by: Actor): Promise<Outcome<RunView>>;
  /** Says what a start would do. */
  planRun(input: z.infer<typeof runStartInput>, by: Actor): Promise<Outcome<RunPlanView>>;
  listRuns(
    input: z.infer<typeof runListInput> & { readonly after?: ListPlace | undefined },
    by: Actor,
  ): Promise<readonly RunLine[]>;
  run(input: z.infer<typeof runInput>, by: Actor): Promise<Outcome<RunView>>;
  /** Waits until the run has another state, or some seconds are over. */
  awaitRun(
    input: z.infer<typeof runInput> & { readonly seq: number },
    by: Actor,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<RunView>>;
  actOnRun(input: z.infer<typeof runActInput>, by: Actor): Promise<Outcome<RunView>>;
  answerRun(input: z.infer<typeof runAnswerInput>, by: Actor): Promise<Outcome<RunView>>;
  reviewRun(input: z.infer<typeof runReviewInput>, by: Actor): Promise<Outcome<RunReviewView>>;
  acceptRun(input: z.infer<typeof runAcceptInput>, by: Actor): Promise<Outcome<RunView>>;
  retryRun(input: z.infer<typeof runRetryInput>, by: Actor): Promise<Outcome<RunView>>;
  /** Says what another try would do. */
  planRetry(input: z.infer<typeof runRetryInput>, by: Actor): Promise<Outcome<RunRetryPlanView>>;
  runEvents(input: z.infer<typeof runEventsInput>, by: Actor): Promise<Outcome<readonly RunEventView[]>>;
  runMessages(input: z.infer<typeof runInput>, by: Actor): Promise<Outcome<readonly RunMessageView[]>>;
  /** Sends words of an agent to another agent of its run. */
  tellInRun(input: z.infer<typeof runTellInput>, by: Actor): Promise<Outcome<MessageReceipt>>;
  /** Asks a person for an agent. */
  askInRun(input: z.infer<typeof runAskInput>, by: Actor): Promise<Outcome<MessageReceipt>>;
  listFlows(): Promise<readonly FlowView[]>;
  flow(input: z.infer<typeof flowInput>): Promise<Outcome<FlowView>>;
  checkFlow(input: z.infer<typeof flowCheckInput>): Promise<Outcome<FlowView>>;
}
