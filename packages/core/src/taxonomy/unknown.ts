/** What can be read safely from a value of which nothing is known? */

import type { AgentState } from '../agent-state.ts';
import { isErrorCode } from './codes.ts';
import type { ErrorRecord } from './record.ts';

/** The property of an object, or undefined. A getter that throws counts as absent. */
export function valueAt(from: unknown, key: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  try {
    return Reflect.get(from, key);
  } catch {
    return undefined;
  }
}

/** The property if it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = valueAt(from, key);
  return typeof value === 'string' ? value : undefined;
}

/** The property if it is a finite number. */
export function numberAt(from: unknown, key: string): number | undefined {
  const value = valueAt(from, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The best words for anything: the message of an error, a string, JSON, or the name of its type. Never throws. */
export function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message = stringAt(thrown, 'message');
  if (message !== undefined && message !== '') return message;
  try {
    const text = thrown instanceof Error ? thrown.name : (JSON.stringify(thrown) ?? String(thrown));
    return text === '{}' ? Object.prototype.toString.call(thrown) : text;
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

/** Whether a value is a row of the error log already. */
export function isErrorRecord(value: unknown): value is ErrorRecord {
  return (
    isErrorCode(stringAt(value, 'code') ?? '') &&
    stringAt(value, 'id') !== undefined &&
    stringAt(value, 'component') !== undefined &&
    stringAt(value, 'severity') !== undefined &&
    numberAt(value, 'timestamp') !== undefined
  );
}

/** The property that each state of an agent has besides `kind`, if it has one. */
const AGENT_STATES: Readonly<Record<AgentState['kind'], string | null>> = {
  starting: null,
  ready: 'composer',
  processing: 'composer',
  question: 'dialog',
  permission: 'dialog',
  dialog: 'dialog',
  error: 'error',
  exited: 'cause',
  unknown: 'why',
};

/** Whether a value is the state of an agent, as the screen reader gives it. */
export function isAgentState(value: unknown): value is AgentState {
  if (value instanceof Error) return false;
  const kind = stringAt(value, 'kind');
  if (kind === undefined || !Object.hasOwn(AGENT_STATES, kind)) return false;
  const property = Object.entries(AGENT_STATES).find(([name]) => name === kind)?.[1] ?? null;
  return property === null || valueAt(value, property) !== undefined;
}
