/** Chooses the action after a failed tool when a retry cannot help, or has not. */

import type { FailureAction, QueueItem } from './action.ts';
import { exhaustedResource, fieldProblem, serviceHost, sourceLocation } from './facts.ts';
import type { Classification, ToolFailure } from './failure.ts';
import { missingPermission } from './grants.ts';
import type { ClassPolicy, QueuePriority } from '../policy/tool-failures.ts';

/** A classification that is a failure. */
export type Failed = Extract<Classification, { kind: 'failure' }>;

/** Returns the policy's action when there are no retries left, or never were. */
export function afterRetries(failure: ToolFailure, { found, row }: { found: Failed; row: ClassPolicy }): FailureAction {
  const { evidence } = found;
  switch (row.whenSpent) {
    case 'log':
      return { kind: 'log' };
    case 'block':
      return {
        kind: 'block',
        alert: `${nameOf(failure)} is blocked: ${serviceOf(failure)} rejects its requests (${evidence})`,
      };
    case 'queue':
      return { kind: 'queue', item: queueItem(failure, { found, priority: row.priority }) };
    case 'escalate':
      return escalation(failure, found);
  }
}

function queueItem(failure: ToolFailure, { found, priority }: { found: Failed; priority: QueuePriority }): QueueItem {
  const location = found.class === 'syntax' ? sourceLocation(failure.text) : null;
  const details = found.evidence;
  switch (found.class) {
    case 'syntax': {
      const where = location === null ? nameOf(failure) : `${location.file}:${location.line}`;
      return { priority, title: `Fix the syntax error in ${where}`, details, location };
    }
    case 'validation': {
      const { field, reason } = fieldProblem(failure.text, details);
      const title =
        field === null ? `Fix the invalid input of ${nameOf(failure)}` : `Fix the invalid value of ${field}`;
      return { priority, title, details: reason, location };
    }
    default:
      return { priority, title: `${nameOf(failure)} keeps failing: ${found.class}`, details, location };
  }
}

function escalation(failure: ToolFailure, { class: failureClass, evidence }: Failed): FailureAction {
  if (failureClass === 'resource') return exhausted(failure, evidence);
  if (failureClass === 'permission') return denied(failure, evidence);
  return repeated(failure, evidence, 1);
}

function denied(failure: ToolFailure, evidence: string): FailureAction {
  const { needed, grant } = missingPermission(failure.text, evidence);
  return { kind: 'escalate', title: `Permission denied: ${nameOf(failure)}`, needed, remediation: grant };
}

function exhausted(failure: ToolFailure, evidence: string): FailureAction {
  const needed = exhaustedResource(failure.text, evidence);
  return {
    kind: 'escalate',
    title: `Resource exhausted: ${needed}`,
    needed,
    remediation: [`Free ${needed} on the machine, then tell the worker to go on. It failed in: ${nameOf(failure)}`],
  };
}

/** Notifies a person about a failure that no rule knows. `count`: number of times in this task. */
export function repeated(failure: ToolFailure, evidence: string, count: number): FailureAction {
  return {
    kind: 'escalate',
    title: `${nameOf(failure)} failed${count > 1 ? ` ${count} times in the same way` : ''}`,
    needed: `a person who understands this error: ${evidence}`,
    remediation: ['Check what the worker is doing, and tell it what to do instead.'],
  };
}

/** Skips, with a warning, a gate whose program is missing: it has judged nothing. */
export function gateWithoutTool(failure: ToolFailure, evidence: string): FailureAction {
  return {
    kind: 'escalate',
    title: `Quality gate skipped: ${nameOf(failure)} cannot run`,
    needed: `the program that the gate needs: ${evidence}`,
    remediation: ['Install it on the machine, or remove the gate from the project.'],
  };
}

/** Chooses the action after a result. A red test is the expected answer. A red gate is work to do. */
export function afterResult(failure: ToolFailure, found: Classification): FailureAction {
  if (found.kind !== 'result' || found.rule !== 'findings') return { kind: 'none' };
  const title = `Quality gate failed: ${nameOf(failure)}`;
  return {
    kind: 'queue',
    item: { priority: 'S1', title, details: found.evidence, location: sourceLocation(failure.text) },
  };
}

/** Returns the program of a command, or the tool: short enough for a title, and without arguments that may hold secrets. */
export function nameOf({ tool, command }: ToolFailure): string {
  const words = (command ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\w+=/.test(word));
  const name = words
    .slice(0, 2)
    .filter((word) => /^[\w./@-]+$/.test(word) && !word.startsWith('-'))
    .map((word) => (word.startsWith('/') ? (word.split('/').at(-1) ?? word) : word))
    .join(' ');
  return name === '' ? tool : name.slice(0, 60);
}

function serviceOf({ text, command }: ToolFailure): string {
  return serviceHost(text, command) ?? 'the service';
}
