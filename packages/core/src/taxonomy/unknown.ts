/** Reads safely from a value of which nothing is known. */

import type { AgentState } from '../agent-state.ts';
import { isAgentErrorKind } from './agent-codes.ts';
import { isErrorCode } from './codes.ts';
import type { ErrorRecord } from './record.ts';

/** Returns the property of an object, or undefined. A getter that throws counts as absent. */
export function valueAt(from: unknown, key: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  try {
    return Reflect.get(from, key);
  } catch {
    return undefined;
  }
}

/** Returns the property if it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = valueAt(from, key);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the property if it is a finite number. */
export function numberAt(from: unknown, key: string): number | undefined {
  const value = valueAt(from, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the best words for anything: the message of an error, a string, JSON, or the name of its type. Never throws. */
export function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message = stringAt(thrown, 'message');
  if (message !== undefined && message !== '') return message;
  try {
    const text = thrown instanceof Error ? thrown.name : (JSON.stringify(thrown) ?? String(thrown));
    return text === '{}' ? Object.prototype.toString.call(thrown) : text;
  } catch {
    return typeof thrown;
  }
}

/** Tells whether a value is a row of the error log already. */
export function isErrorRecord(value: unknown): value is ErrorRecord {
  return (
    isErrorCode(stringAt(value, 'code') ?? '') &&
    stringAt(value, 'id') !== undefined &&
    stringAt(value, 'component') !== undefined &&
    stringAt(value, 'severity') !== undefined &&
    numberAt(value, 'timestamp') !== undefined
  );
}

/** The states of an agent that are errors, or ask a person for something. */
export type TroubledAgent = Extract<AgentState, { kind: 'error' | 'exited' | 'question' | 'permission' | 'dialog' }>;

/** Tells whether a value is the state of an agent in trouble, as the screen reader gives it. Checks only the fields that are read later. */
export function isTroubledAgent(value: unknown): value is TroubledAgent {
  switch (stringAt(value, 'kind')) {
    case 'error':
      return isAgentErrorKind(stringAt(value, 'error') ?? '') && stringAt(value, 'text') !== undefined;
    case 'exited':
      return (
        stringAt(value, 'cause') !== undefined && isNumberOrNull(value, 'status') && isNumberOrNull(value, 'signal')
      );
    case 'question':
    case 'permission':
    case 'dialog':
      return stringAt(valueAt(value, 'dialog'), 'title') !== undefined;
    default:
      return false;
  }
}

function isNumberOrNull(from: unknown, key: string): boolean {
  return valueAt(from, key) === null || numberAt(from, key) !== undefined;
}
