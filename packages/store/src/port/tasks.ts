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
  /** Who wanted it; null in rows of an older build. */
  readonly actor: Cause | null;
  readonly createdAt: number;
}

/** What is done to tasks inside a transaction. */
export interface TaskTransaction {
  insertTask(task: TaskRow): Promise<void>;
  setTaskStatus(id: string, status: string, now: number): Promise<void>;
}
