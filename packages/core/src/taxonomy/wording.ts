/** Puts names, times and programs into error messages, so that a message reads well when they are missing. */

import type { ErrorContext } from './definition.ts';

/** Returns `worker "adam"`, or `a worker`. */
export function theWorker({ worker, role }: ErrorContext): string {
  if (worker !== undefined) return `worker "${worker}"`;
  return role === undefined ? 'a worker' : `the ${role}`;
}

/** Returns `the agent of worker "adam"`, the subject of most agent errors. */
export function theAgent(about: ErrorContext): string {
  return `the agent of ${theWorker(about)}`;
}

/** Returns `machine "m1"`, or `the machine`. */
export function theMachine({ machine }: ErrorContext): string {
  return machine === undefined ? 'the machine' : `machine "${machine}"`;
}

/** Returns a command about the worker, with a placeholder in capitals if its name is not known. */
export function workerCommand(verb: string, { worker }: ErrorContext, rest = ''): string {
  return `drover ${verb} ${worker ?? 'WORKER'}${rest}`;
}

/** Puts the words of the failing program behind a sentence: `…: disk full`. Adds the full stop. */
export function withWords(sentence: string, { said }: ErrorContext): string {
  const words = said?.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return words === undefined || words === '' ? `${sentence}.` : `${sentence}: ${words}.`;
}

/** Returns ` within 5 min`, or nothing. */
export function within(ms: number | undefined): string {
  return ms === undefined ? '' : ` within ${duration(ms)}`;
}

/** Returns ` Drover tries again in 7 s.`, or nothing. */
export function nextTry({ retryInMs }: ErrorContext): string {
  return retryInMs === undefined ? '' : ` Drover tries again in ${duration(retryInMs)}.`;
}

/** Words a span for people, rounded to its main units: `850 ms`, `7 s`, `5 min`, `3 h 10 min`, `2 d`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.round(hours / 24)} d`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Returns the text with its first letter as a capital, for a subject that starts a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Advice about a network that stays away. */
export const NETWORK_CHECKS =
  'Check the address, the network and DNS of the machine, and its proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).';
