/** Builds people for tests. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@drover/api';

/** Builds a person with a token of this name; an operator of the whole fleet unless said otherwise. */
export function person(name: string, patch: Partial<Actor> = {}): Actor {
  return { kind: 'person', id: randomUUID(), name, role: 'operator', project: null, worker: null, ...patch };
}
