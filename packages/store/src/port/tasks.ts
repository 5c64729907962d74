// Tasks, from the request of a person to their end.
import type { Cause } from './people.ts';

/** A task as the API took it. `createdAt` is epoch milliseconds; `status` is `new` until the policy has spoken. */
export interface TaskRow {
  readonly id: string;
  readonly projectId: string;
  readonly workerId: string | null;
  readonly workerName: string;
  readonly prompt: string;
  readonly status: string;
  readonly actor: Cause;
  readonly createdAt: number;
}

/** A page of tasks, newest first. */
export interface TaskPage {
  /** Absent: of all projects. */
  readonly projectId?: string;
  readonly workerName?: string;
  readonly status?: string;
  /** Place in the list after which rows are read. */
  readonly after?: Pick<TaskRow, 'createdAt' | 'id'>;
  readonly limit: number;
}
