/**
 * Reads what a program tells of the limits of its account: Codex in its conversation, Claude Code in the JSON for its status line. Both are known by
 * their shape, and name each limit by its use in percent.
 */
import { duration, type Quota, type QuotaWindow } from '@drover/core';
import { hookFiles } from '../signals/hooks.ts';
import { isRecord, parsedLine } from '../signals/transcript.ts';
import { timeOf } from './entries.ts';
import { findSource, type SourceContext } from './sources.ts';

/** Records at the end of a conversation among which the limits are looked for: Codex writes them with each answer of the model. */
const RECORDS_MAX = 100;
/** Bytes of the JSON for a status line: ten times what programs write. */
const STATUS_BYTES_MAX = 64 * 1024;
/** Limits of one account that are kept. */
const WINDOWS_MAX = 8;

/** Names of Claude Code for its limits, as people read them. */
const NAMES: Readonly<Record<string, string>> = { five_hour: '5 h', seven_day: '7 d', spend_limit: 'spending' };

/** Reads the limits as the worker's program told them last. @returns null if it has told none since its start at `since`. */
export async function readQuota(context: SourceContext, since: number): Promise<Quota | null> {
  const { host, profiles, settings, machineDir } = context;
  const { profile } = profiles.of(settings);
  if (profile.signals.quota?.kind === 'conversation') return quotaOfConversation(context, since);
  const { status } = hookFiles(machineDir, settings.workerId, profile);
  const found = status === null ? undefined : await host.stat(status);
  if (status === null || found === undefined || found.modifiedAt < since) return null;
  const read = await host.readRange(status, { from: 0, bytesMax: STATUS_BYTES_MAX });
  return quotaIn(parsedLine(Buffer.from(read?.bytes ?? []).toString('utf8')), Math.floor(found.modifiedAt));
}

/** An earlier conversation of the worktree may belong to another account: nothing from before the program's start counts. */
async function quotaOfConversation(context: SourceContext, since: number): Promise<Quota | null> {
  const source = await findSource(context);
  let read = 0;
  for await (const { record } of source?.records(null) ?? []) {
    read += 1;
    if (read > RECORDS_MAX) return null;
    if (!isRecord(record)) continue;
    const at = timeOf(record['timestamp']);
    if (at !== null && at < since) return null;
    const found = at === null ? null : quotaIn(record['payload'], at);
    if (found !== null) return found;
  }
  return null;
}

/** @param at Time at which the record was written. @returns null if it tells no limit. */
export function quotaIn(record: unknown, at: number): Quota | null {
  if (!isRecord(record) || !isRecord(record['rate_limits'])) return null;
  const limits = record['rate_limits'];
  // Codex tells the limits of some models beside those of the account, under the same lengths.
  if ((limits['limit_id'] ?? 'codex') !== 'codex') return null;
  const windows = Object.entries(limits).flatMap(([name, window]) => windowOf(name, window, at));
  return windows.length === 0 ? null : { windows: windows.slice(0, WINDOWS_MAX) };
}

function windowOf(key: string, window: unknown, at: number): readonly QuotaWindow[] {
  if (!isRecord(window)) return [];
  const used = window['used_percentage'] ?? window['used_percent'];
  const { window_minutes: minutes, resets_at: reset } = window;
  const name = NAMES[key] ?? (isCount(minutes) ? duration(minutes * 60_000) : null);
  if (typeof used !== 'number' || !(used >= 0) || name === null) return [];
  return [{ name, usedPercent: Math.min(100, used), resetsAt: isCount(reset) ? reset * 1_000 : null, at }];
}

/** Seconds since 1970, or minutes: what no date can hold is none. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e11;
}
