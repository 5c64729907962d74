/** A refusal, as every use case gives it. */
import type { Refusal } from '@drover/api';

/** `code` is for programs, `message` for people: what was asked, why not, and what helps. */
export function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}
