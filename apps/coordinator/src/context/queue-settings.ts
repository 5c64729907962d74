/** How the work queue is used. */

/** Whether workers take items by themselves, and how many a project's queue holds at most. `[queue]` of drover.toml. */
export interface QueueSettings {
  readonly take: boolean;
  readonly itemsMax: number;
}

/** The default. Source: docs/configuration.md, queue. */
export const DEFAULT_QUEUE: QueueSettings = { take: true, itemsMax: 100 };
