// Draws what a real machine, or a person, would say next to this worker. The same pick always gives the same event, so that measurements
// compare.
import { DEADLINE_NAMES } from '@drover/core';
import type {
  AgentState,
  DeliveryEvidence,
  GitFacts,
  Reading,
  Command,
  CommandResult,
  Receipt,
  Worker,
  WorkerEvent,
} from '@drover/core';

const EMPTY = { kind: 'empty' } as const;
const DIALOG = { kind: 'trust', title: 'Trust?', body: '', options: [{ label: 'Yes', highlighted: true }] } as const;

const STATES: readonly [AgentState, ...AgentState[]] = [
  { kind: 'ready', after: 'fresh', composer: EMPTY },
  { kind: 'starting' },
  { kind: 'ready', after: 'completed', composer: EMPTY },
  { kind: 'ready', after: 'asked', composer: EMPTY },
  { kind: 'processing', queued: false, composer: EMPTY },
  { kind: 'question', form: 'yes-no', dialog: { ...DIALOG, kind: 'question' } },
  { kind: 'permission', tool: 'Bash', command: 'ls', dialog: { ...DIALOG, kind: 'permission' } },
  { kind: 'dialog', dialog: DIALOG },
  { kind: 'error', error: 'api', recoverable: true, text: 'retrying', resets: null, composer: EMPTY },
  { kind: 'error', error: 'auth', recoverable: false, text: 'Invalid API key', resets: null, composer: EMPTY },
  { kind: 'unknown', why: 'empty' },
];

const RECEIPT: Receipt = { evidence: [], steps: [], method: 'profile', bytes: 1, enters: 1 };
const EVIDENCE: readonly [DeliveryEvidence, ...DeliveryEvidence[]] = [
  { kind: 'taken', by: 'hook' },
  { kind: 'absent' },
  { kind: 'in-box-whole' },
  { kind: 'in-box-part' },
  { kind: 'unclear', why: '' },
];
const FAILED: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };
const HOPELESS: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };
const UNKNOWN: CommandResult = { kind: 'unknown', why: 'the agent died' };

function at<T>(items: readonly [T, ...T[]], pick: number): T {
  if (pick < 0.6) return items[0];
  return items[Math.floor(((pick - 0.6) / 0.4) * items.length)] ?? items[0];
}

function readingOf(now: number, pick: number): Reading {
  const state = at(STATES, pick);
  return { at: now, state, fingerprint: state.kind, progress: String(now), rule: 'test' };
}

function git(pick: number): GitFacts {
  return {
    head: pick < 0.2 ? 'aaaa' : `b${pick}`,
    ahead: pick < 0.1 ? 0 : 1,
    dirty: 0,
    subject: 'work',
    rebasing: pick > 0.9,
    unmerged: pick > 0.95 ? 1 : 0,
  };
}

function answers(
  command: Command,
  worker: Worker,
  { now, pick }: { now: number; pick: number },
): readonly [CommandResult, ...CommandResult[]] {
  const incarnation = worker.session.pane.kind === 'absent' ? `1.${now}.%1.2` : worker.session.pane.incarnation;
  switch (command.kind) {
    case 'prepare':
      return [{ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }, FAILED];
    case 'open':
    case 'respawn':
      return [
        { kind: 'opened', incarnation: `1.${now}.%1.2` },
        { kind: 'opened', incarnation: `1.${now}.%1.2` },
        { kind: 'pane-gone' },
        HOPELESS,
      ];
    case 'close':
      return [{ kind: 'closed' }, FAILED];
    case 'deliver':
      return [
        { kind: 'delivered', at: now, receipt: RECEIPT },
        { kind: 'queued', at: now, receipt: RECEIPT },
        { kind: 'lost', receipt: RECEIPT },
        { kind: 'partial', receipt: RECEIPT },
        { kind: 'refused', why: 'dialog', detail: '' },
        UNKNOWN,
      ];
    case 'observe':
      return [
        {
          kind: 'observed',
          incarnation,
          screen: readingOf(now, pick),
          git: git(pick),
          delivery: command.delivery === null ? null : at(EVIDENCE, pick),
        },
      ];
    case 'answer':
      return [
        { kind: 'answered', label: 'Yes' },
        { kind: 'stale', why: '' },
      ];
    case 'rebase':
      return [
        { kind: 'rebased', base: 'aaaa', from: command.at?.head ?? '', head: 'cccc', moved: true },
        { kind: 'conflict', files: ['a'], prompt: 'resolve', onto: 'aaaa', orig: command.at?.head ?? '' },
        FAILED,
      ];
    case 'resolution':
      return [{ kind: 'judged', verdict: 'resolved', head: 'bbbb', why: 'has resolved', prompt: '', notes: [] }];
    case 'candidate':
      return candidates(command.at?.head ?? 'cccc');
    case 'extend':
      return [{ kind: 'extended', onto: command.onto, links: [], left: [] }, FAILED];
    case 'validate':
      return [
        { kind: 'valid', head: command.at.head, tree: command.at.tree ?? 't', checks: 'make' },
        { kind: 'invalid', command: 'make', output: 'no' },
        UNKNOWN,
      ];
    case 'publish':
      return [
        { kind: 'published', commit: command.commit },
        { kind: 'moved', now: 'eeee' },
        { kind: 'blocked', why: 'dirty' },
        UNKNOWN,
      ];
    case 'prove':
      return [{ kind: 'proven', commit: command.commit }, FAILED];
    case 'recycle':
      return [{ kind: 'recycled', base: 'dddd' }, FAILED];
    case 'remove':
      return [
        { kind: 'removed', kept: null },
        { kind: 'not-removed', why: 'unmerged' },
      ];
    case 'checkpoint':
      return [
        { kind: 'checkpointed', commit: `c${now}`, head: 'aaaa', dirty: 1 },
        { kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 },
        FAILED,
      ];
    case 'freeze':
      return [{ kind: 'frozen', commit: 'f'.repeat(40) }, FAILED, UNKNOWN];
    case 'interrupt':
      return [{ kind: 'at-rest', pressed: 1 }, { kind: 'not-interrupted', why: 'it goes on' }, FAILED, UNKNOWN];
    case 'set-up':
      return [{ kind: 'set-up', said: '' }, FAILED];
    case 'let-in':
      return [{ kind: 'let-in' }, FAILED];
    case 'restore':
      return [{ kind: 'restored', head: 'aaaa', saved: null }, FAILED];
    default:
      return command satisfies never;
  }
}

function candidates(head: string): readonly [CommandResult, ...CommandResult[]] {
  const base = 'aaaa';
  return [
    { kind: 'candidate', head, headTree: 't', base, commit: 'dddd', tree: 't', checks: 'make', notes: [] },
    { kind: 'clash', head, base, files: ['a'] },
    { kind: 'contained', head, base },
    { kind: 'rewritten', head, base, dropped: 'dropped' },
    FAILED,
  ];
}

/** Draws an event that could well happen next to this worker; `pick` in [0, 1) chooses. */
export function likelyEvent(worker: Worker, now: number, pick: number): WorkerEvent {
  const lane = pick * 10;
  const rest = lane - Math.floor(lane);
  if (worker.command.inFlight !== null && lane < 5) {
    return {
      kind: 'command-finished',
      seq: worker.command.inFlight.seq,
      result: at(answers(worker.command.inFlight.command, worker, { now, pick: rest }), rest),
    };
  }
  if (worker.session.pane.kind !== 'absent' && lane < 7) {
    return { kind: 'screen-seen', incarnation: worker.session.pane.incarnation, reading: readingOf(now, rest) };
  }
  if (lane < 8) {
    const armed = DEADLINE_NAMES.filter((name) => worker.deadlines[name] !== undefined);
    return { kind: 'deadline-expired', name: armed[Math.floor(rest * armed.length)] ?? 'check' };
  }
  if (worker.session.pane.kind !== 'absent' && lane < 8.5) {
    const status = rest < 0.25 ? 0 : rest < 0.5 ? 7 : null;
    const exit = {
      incarnation: worker.session.pane.incarnation,
      status,
      signal: status === null ? 9 : null,
      lastLines: [],
      limit: null,
      at: now,
    };
    return { kind: 'pane-exited', exit };
  }
  return requestFor(worker, rest);
}

/** An answer to the open question, or one to a question that is not open. */
function answerFor({ incident: { open } }: Worker, pick: number): WorkerEvent {
  const options = open?.options.map(({ id }) => id) ?? [];
  const option = options[Math.floor(pick * options.length)] ?? 'retry';
  return { kind: 'escalation-answered', incident: open?.id ?? 'none', option, text: 'words', by: 'somebody' };
}

function requestFor(worker: Worker, pick: number): WorkerEvent {
  if (worker.incident.open?.escalated === true && pick > 0.4 && pick < 0.8)
    return answerFor(worker, (pick - 0.4) / 0.4);
  if (pick > 0.4 && pick < 0.43) return { kind: 'checkpoint-requested', id: 'c', why: 'by hand' };
  if (pick > 0.43 && pick < 0.47)
    return {
      kind: 'restore-requested',
      checkpoint: { id: 'c', commit: pick < 0.46 ? 'c1' : null, conversation: null, prompt: null },
      resetAgent: true,
    };
  if (pick > 0.47 && pick < 0.53) {
    const state = pick < 0.49 ? 'paused' : pick < 0.51 ? 'probe' : 'open';
    return { kind: 'account-changed', state, until: null };
  }
  if (pick > 0.55 && pick < 0.56) return { kind: 'budget-told', uses: [], dayEndsAt: 0 };
  if (pick > 0.53 && pick < 0.55) return { kind: 'machine-lost', silentMs: 1 };
  if (pick < 0.1) return { kind: 'panes-listed', pane: null };
  if (pick < 0.2) return { kind: 'default-branch-moved' };
  if (pick < 0.3) return { kind: 'message-requested', id: 'm', text: 'words' };
  if (worker.lifecycle.status === 'idle') return { kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' };
  if (worker.lifecycle.status === 'needs_review')
    return pick < 0.6
      ? { kind: 'accept-requested', pin: { head: worker.worktree.git?.head ?? '', tree: null } }
      : { kind: 'reject-requested', id: 'r', text: 'no' };
  if (pick > 0.95) return { kind: 'down-requested' };
  return { kind: 'up-requested' };
}
