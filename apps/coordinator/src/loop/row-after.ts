/** Builds the worker's row after a decision: its place, and the settings of its agent's start. */
import { canonical } from '@drover/core';
import type { Consequences, Decision } from '@drover/core';
import type { Chosen, StartedWith, WorkerOptions, WorkerRow } from '@drover/store';

/**
 * Builds the row. A move makes it another machine's, in the same transaction as everything else. A profile that recovery chose is the
 * worker's from now on.
 */
export function rowAfter(row: WorkerRow, { worker, consequences }: Decision, chosen: Chosen): WorkerRow {
  const { machine, profile, account } = consequences;
  const { starting: _, started: __, ...kept } = row.options;
  const options = { ...kept, ...(profile !== null && { profile }), ...(account !== null && { account }) };
  const starts = startsAfter({ ...row.options, ...options }, consequences);
  return { ...row, machineId: machine ?? row.machineId, options: { ...options, ...starts, chosen }, state: worker };
}

/**
 * Returns the settings of the agent's start. While the end of one start is unknown, another start with other settings makes it unclear
 * which one counts.
 */
export function startsAfter(
  options: WorkerOptions,
  { opened, starts }: Pick<Consequences, 'opened' | 'starts'>,
): Pick<WorkerOptions, 'starting' | 'started'> {
  const heard = afterOpened(options, opened);
  if (!starts) return heard;
  const starting = startOf(options);
  const isClear = heard.starting === undefined || canonical(heard.starting) === canonical(starting);
  return { ...heard, starting: isClear ? starting : 'unclear' };
}

function afterOpened(
  { starting, started }: WorkerOptions,
  opened: Consequences['opened'],
): Pick<WorkerOptions, 'starting' | 'started'> {
  if (opened === null)
    return { ...(starting !== undefined && { starting }), ...(started !== undefined && { started }) };
  const { incarnation, mayBeOld } = opened;
  // The session existed already: its agent was not started again.
  if (mayBeOld && started?.incarnation === incarnation) return { started };
  return starting === undefined || starting === 'unclear' ? {} : { started: { ...starting, incarnation } };
}

function startOf({
  profile,
  model,
  skipPermissions,
  allowedTools,
  sessionWidth,
  sessionHeight,
}: WorkerOptions): StartedWith {
  return { profile, model, skipPermissions, allowedTools, sessionWidth, sessionHeight };
}
