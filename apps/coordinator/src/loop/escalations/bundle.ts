/** Builds the diagnostic bundle of an escalation: everything that a person needs to see in order to answer. */
import { alternativeKey, inHand, remediationOf, seenOf } from '@drover/core';
import type { AgentState, ErrorCode, WorkerEvent } from '@drover/core';
import { isDrawn } from '@drover/screen';
import type { EscalationContext } from '@drover/api';
import type { Redactor } from '@drover/protocol';
import type { EpisodeRow } from '@drover/store';
import { machineState } from '../../context/leases.ts';
import type { Leases } from '../../context/leases.ts';
import type { About } from '../about.ts';
import { placed } from '../../facts/projects/place.ts';
import { worktreeOf } from '../../facts/workers/settings.ts';

/** Characters of the prompt that are shown. Source: docs/recovery-reference.md, what a person is told. */
const PROMPT_SHOWN = 200;
/** Lines of the pane that are shown. */
export const PANE_LINES = 40;
/** Lines of the incident's history that are shown. */
export const HISTORY_LINES = 20;

/**
 * Collects everything that is known at the moment of the escalation. Lines of panes were redacted by their machine; the caller redacts
 * the whole.
 */
export function bundleOf(
  about: About,
  {
    code,
    errorId,
    account,
    storm,
    history,
    leases,
    redactor,
  }: {
    readonly code: ErrorCode;
    readonly errorId: string | null;
    readonly account: string;
    /** Hint that other workers may have the same trouble; null: the trouble is this worker's alone. */
    readonly storm: string | null;
    /** Newest first, as the store gives them. */
    readonly history: readonly Pick<EpisodeRow, 'at' | 'kind' | 'action'>[];
    readonly leases: Leases;
    readonly redactor: Redactor;
  },
): EscalationContext {
  const { row, after, project, machine, now } = about;
  const task = inHand(after.task) ?? inHand(row.state.task);
  const incident = after.incident.open ?? row.state.incident.open;
  const seen = seenOf(after.session);
  return {
    worker: row.name,
    project: project.name,
    machine: machine?.name ?? row.machineId,
    machineState: machineState(machine, { now, leases }),
    profile: row.options.profile,
    account,
    status: after.lifecycle.status,
    note: after.lifecycle.note,
    lastActivityAt: after.turn.progress.at > 0 ? after.turn.progress.at : (seen?.at ?? null),
    prompt: task === null ? null : redactor.text(task.prompt).slice(0, PROMPT_SHOWN),
    worktree: worktreeOf(placed(project, machine), row.name),
    code,
    errorId,
    attempts: incident?.attempts ?? 0,
    tried: (incident?.tried ?? []).map(alternativeKey),
    history: history.map(({ at, kind, action }) => ({ at, kind, action })).toReversed(),
    pane: paneOf(about),
    gitStatus: [],
    git: after.worktree.git,
    remediation: [...remediationOf({ code, context: { worker: row.name, project: project.name } })],
    fingerprint: seen?.fingerprint ?? null,
    storm,
  };
}

/** Characters of a line that are shown: panes are wide, and rules fill them. */
const LINE_SHOWN = 160;

/** Returns the lines of the pane that came with the event or were seen last; none: the machine must be asked. */
export function paneOf({ row, after, event }: About): string[] {
  return paneLines(event, seenOf(after.session)?.state ?? seenOf(row.state.session)?.state ?? null);
}

/** Returns the last lines of a program that ended; else the text of the dialog or error that its screen shows. */
function paneLines(event: WorkerEvent, state: AgentState | null): string[] {
  if (event.kind === 'pane-exited') return event.exit.lastLines.slice(-PANE_LINES).map(shortened);
  switch (state?.kind) {
    case 'question':
    case 'permission':
    case 'dialog': {
      const { title, body, options } = state.dialog;
      const labels = options.map(({ label, highlighted }) => `${highlighted ? '❯' : ' '} ${label}`);
      return [...lines(title), ...lines(body), ...labels.map(shortened)].slice(-PANE_LINES);
    }
    case 'error':
      return lastOf(state.text);
    default:
      return [];
  }
}

/** Returns the last lines of a text that are shown, without empty ones. */
export function lastOf(text: string): string[] {
  return lines(text).slice(-PANE_LINES);
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !isDrawn(line))
    .map(shortened);
}

function shortened(line: string): string {
  return line.length <= LINE_SHOWN ? line : `${line.slice(0, LINE_SHOWN - 1)}…`;
}
