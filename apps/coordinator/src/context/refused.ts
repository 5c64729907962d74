/** Builds a refusal for every use case. */
import type { Refusal } from '@drover/api';

/** Builds a refusal. `code` is for programs; `message` tells people the request, the reason and the remedy. */
export function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}
