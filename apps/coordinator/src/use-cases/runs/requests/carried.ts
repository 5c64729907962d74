/** A request of a run that is carried out. */
import type { RunRequest } from '@drover/core';
import type { DueWork, RunRow } from '@drover/store';

/** A request, and the row of due work that it is. */
export interface Carried<K extends RunRequest['kind'] = RunRequest['kind']> {
  readonly work: DueWork;
  readonly run: RunRow;
  readonly request: Extract<RunRequest, { readonly kind: K }>;
  readonly tries: number;
  readonly command: string | undefined;
  readonly at: string | undefined;
  readonly reserved?: string | undefined;
}
