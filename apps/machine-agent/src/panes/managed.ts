/** Recognizes a worker's pane by options of its session, without any database. */
import { WORKER_OPTION, type PaneState } from '@drover/tmux';

/** User options that the session of a worker carries. */
export const OPTIONS = {
  worker: WORKER_OPTION,
  name: '@drover_name',
  conversation: '@drover_conversation',
  profile: '@drover_profile',
  /** Start time of its program: epoch milliseconds of the machine with the pane. */
  opened: '@drover_opened',
} as const;

/** Worker of a pane, if it is a managed one. */
export function workerOf({ options }: { readonly options: Readonly<Record<string, string>> }): string | undefined {
  return options[OPTIONS.worker];
}

/** Finds a worker's pane among all panes: the living one, if there should ever be two. */
export function paneOf(panes: readonly PaneState[], workerId: string): PaneState | undefined {
  const own = panes.filter((pane) => workerOf(pane) === workerId);
  return own.find((pane) => !pane.dead) ?? own[0];
}
