// Rows of recovery, for the tests of the contract: each whole, with what a test says of it.
import { newRun, newWorker } from '@drover/core';
import type { CheckpointRow } from '../../port/checkpoints.ts';
import type { ErrorRow, IncidentRow } from '../../port/incidents.ts';
import type { EscalationRow } from '../../port/escalations.ts';
import type { QueueItemRow } from '../../port/queue.ts';
import type { RunRow } from '../../port/runs/runs.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../port/public/webhooks.ts';
import type { WorkerRow } from '../../port/workers.ts';
import { id } from './seeds.ts';

/** An open incident of the worker. */
export function incident(row: WorkerRow, patch: Partial<IncidentRow> = {}): IncidentRow {
  return {
    id: id(),
    workerId: row.id,
    workerName: row.name,
    taskId: id(),
    code: 'AGENT_CRASHED',
    level: 1,
    attempts: 1,
    openedAt: 10,
    closedAt: null,
    outcome: null,
    tried: [{ kind: 'rollback', checkpoint: 'c' }],
    ...patch,
  };
}

/** An error with every column filled. */
export function error(row: WorkerRow, patch: Partial<ErrorRow> = {}): ErrorRow {
  return {
    id: id(),
    incidentId: null,
    code: 'AGENT_CRASHED',
    category: 'AGENT_ERROR',
    severity: 'error',
    message: 'it ended',
    details: 'exit 3',
    component: 'policy',
    machineId: row.machineId,
    machine: 'm',
    workerId: row.id,
    worker: row.name,
    role: 'developer',
    task: id(),
    run: null,
    timestamp: 10,
    durationMs: 1_234,
    detectMs: 5,
    recoverable: true,
    retryable: true,
    retryCount: 1,
    strategy: 'restart',
    stack: null,
    context: { worker: row.name, exitStatus: 3 },
    cause: null,
    recovered: false,
    recoveredAt: null,
    calledOffAt: null,
    evidence: { pane: ['the last line'], git: ['## main'] },
    ...patch,
  };
}

/** An open escalation about the worker. */
export function escalation(row: WorkerRow, patch: Partial<EscalationRow> = {}): EscalationRow {
  const incidentId = id();
  return {
    id: id(),
    dedupeKey: `incident:${incidentId}`,
    incidentId,
    workerId: row.id,
    workerName: row.name,
    projectId: row.projectId,
    incarnation: '1.2.%3.4',
    level: 4,
    severity: 'error',
    status: 'open',
    title: 'What now?',
    body: 'It ended.',
    context: { lines: ['a', 'b'] },
    question: {
      kind: 'choice',
      title: 'What now?',
      body: '',
      options: [{ id: 'retry', label: 'Again', needsText: false }],
    },
    resolution: null,
    application: null,
    members: [{ workerId: row.id, workerName: row.name, incidentId, over: false }],
    asked: 1,
    version: 1,
    occurrences: 1,
    createdAt: 10,
    updatedAt: 10,
    ackedBy: null,
    resolvedAt: null,
    oncall: null,
    ...patch,
  };
}

/** A checkpoint of the worker. */
export function checkpoint(row: WorkerRow, patch: Partial<CheckpointRow> = {}): CheckpointRow {
  return {
    id: id(),
    workerId: row.id,
    workerName: row.name,
    projectId: row.projectId,
    taskId: null,
    incidentId: null,
    type: 'periodic',
    why: 'a minute passed',
    commit: 'abc',
    base: 'aaa',
    files: 2,
    conversation: 'conv',
    prompt: 'do it',
    state: newWorker(),
    machineId: row.machineId,
    actor: { kind: 'person', id: 'somebody', name: 'somebody' },
    createdAt: 10,
    ...patch,
  };
}

/** An open work item of the worker's project. */
export function queueItem(row: WorkerRow, patch: Partial<QueueItemRow> = {}): QueueItemRow {
  return {
    id: id(),
    projectId: row.projectId,
    priority: 'S1',
    title: 'Repair it',
    body: 'It is broken.',
    class: 'network',
    dedupeKey: id(),
    source: { worker: row.name },
    actor: { kind: 'policy' },
    status: 'open',
    workerId: null,
    taskId: null,
    failures: 0,
    occurrences: 1,
    createdAt: 10,
    updatedAt: 10,
    ...patch,
  };
}

/** An open run of the worker's project, whose flow has the digest `d1`. */
export function runRow(
  { projectId, machineId }: Pick<WorkerRow, 'projectId' | 'machineId'>,
  patch: Partial<RunRow> = {},
): RunRow {
  const budget = { timeMs: 1, tokens: null, money: null, workers: 2 };
  const terms = {
    id: id(),
    flow: { name: 'change', inputs: {}, budget, stages: [] },
    inputs: { goal: 'Add a flag' },
    base: { commit: 'b', tree: 't' },
    by: 'mia',
    startedAt: 1,
    retryOf: null,
    skip: [],
    adopts: [],
  };
  return {
    id: terms.id,
    projectId,
    machineId,
    flow: 'd1',
    flowName: 'change',
    goal: 'Add a flag',
    status: 'running',
    state: newRun(terms),
    seq: 1,
    actor: { kind: 'person', id: 'p', name: 'mia' },
    createdAt: 1,
    updatedAt: 1,
    endedAt: null,
    ...patch,
  };
}

/** A webhook of the whole fleet. */
export function webhookEndpoint(change: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: id(),
    name: 'hook',
    url: 'https://example.com/',
    types: ['escalation'],
    format: 'standard',
    projectId: null,
    secret: 'whsec_AAAA',
    oldSecret: null,
    oldSecretUntil: null,
    cursor: 0,
    failingSince: null,
    disabledAt: null,
    disabledWhy: null,
    createdAt: 1,
    ...change,
  };
}

/** Makes a delivery to the webhook. */
export function webhookDelivery(hook: WebhookEndpoint, change: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: id(),
    endpointId: hook.id,
    announcementId: null,
    body: { type: 'worker.status' },
    state: 'waiting',
    tries: 0,
    nextAt: null,
    createdAt: 1,
    ...change,
  };
}
