/** Settings of the work queue. */

/** Switch for workers that take items by themselves, and the most items that a project's queue holds. `[queue]` of drover.toml. */
export interface QueueSettings {
  readonly take: boolean;
  readonly itemsMax: number;
}

/** Default settings. Source: docs/configuration.md, queue. */
export const DEFAULT_QUEUE: QueueSettings = { take: true, itemsMax: 100 };
