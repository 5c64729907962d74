/** Says how a worker stands, what Drover has tried, and what a person can do: whole sentences, for `drover why`. */
import { shellWord } from '../words/shell-word.ts';
import { tellSetUp } from '../machine/set-up.ts';
import { tellCopied, tellLacks } from '../machine/supplies.ts';
import { selectStrategy } from '../recovery/strategies.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { ERRORS } from '../taxonomy/codes.ts';
import { duration } from '../taxonomy/wording.ts';
import type { Incident } from '../worker/incident.ts';
import { doubtOf } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';
import { aboutMerge } from './merge.ts';

/** Name of the worker, as commands take it, and the time of the question in epoch milliseconds. */
export interface Asked {
  readonly name: string;
  readonly now: number;
  /** Open escalation: its id as commands take it, and the number of its asking; null when none is on record. */
  readonly escalation: { readonly id: string; readonly asked: number } | null;
  /** Name of the profile that starts the worker's agent. */
  readonly profile?: string;
}

/** Returns sentences beyond the last decision; none for a worker that is well. */
export function explainWorker(worker: Worker, asked: Asked): readonly string[] {
  return [
    ...aboutIncident(worker, asked),
    ...aboutMove(worker, asked),
    ...aboutPauses(worker, asked),
    ...aboutMerge(worker.merge, asked),
    ...aboutWork(worker, asked),
  ];
}

function aboutMove({ move }: Worker, { name, now }: Asked): readonly string[] {
  if (move.kind === 'none') return [];
  const { from, to } = move.route;
  const cancel = `"drover worker move ${name} --cancel" cancels the move.`;
  switch (move.kind) {
    case 'leaving':
      return [`It moves from "${from.name}" to "${to.name}": Drover closes its session and saves its work. ${cancel}`];
    case 'carrying':
      return [
        `It moves from "${from.name}" to "${to.name}": its work has been on its way for ${duration(now - move.since)}. ${cancel}`,
        `Its worktree on "${from.name}" is frozen: nothing starts there.`,
      ];
    case 'arriving':
      return [
        `It moves from "${from.name}" to "${to.name}", which has its work: Drover waits for its agent to start there. ${cancel}`,
        `Its files on "${from.name}" stay until its agent runs there.`,
      ];
    case 'returning':
      return [
        move.step === 'leave'
          ? `It comes back to "${from.name}" as soon as "${to.name}" confirms that its agent is not running there: ${move.why}.`
          : `It comes back to "${from.name}": ${move.why}.`,
      ];
    default:
      return move satisfies never;
  }
}

const LEVELS = ['', 'repetition', 'an alternative', "a person's advice", 'a person'] as const;

function aboutIncident({ incident, task, dialog }: Worker, asked: Asked): readonly string[] {
  const { open } = incident;
  if (open === null) return [];
  const { code, why, openedAt, level, attempts, action, lastAttemptAt } = open;
  const ofTask = task.kind === 'none' ? 0 : task.attempts;
  const since = `${code} since ${duration(asked.now - openedAt)}: ${why}${/[.?!]$/.test(why) ? '' : '.'}`;
  const count = `Tried so far: ${times(attempts)} in this incident, ${times(ofTask)} for this task; level ${level}, ${LEVELS[level]}.`;
  const when =
    lastAttemptAt > asked.now
      ? `in ${duration(lastAttemptAt - asked.now)}`
      : `${duration(asked.now - lastAttemptAt)} ago`;
  const last = action === '' ? [] : [`Last: ${action} (${when}).`];
  const pending = dialog.inHand?.label != null ? [`Drover is choosing the option "${dialog.inHand.label}".`] : [];
  return [since, count, ...last, ...ahead(open), ...pending, ...(open.escalated ? toAnswer(open, asked) : [])];
}

/** Names the fallback if another attempt does not help. */
function ahead({ code, level, escalated, attempts }: Incident): readonly string[] {
  if (escalated || level !== 1 || attempts === 0) return [];
  const { fallback } = selectStrategy(code, { mayRepeat: true, alternative: null });
  return [`If that does not help: ${FALLBACKS[fallback]}.`];
}

const FALLBACKS: Readonly<Record<Strategy, string>> = {
  retry: 'Drover tries the same again',
  restart: 'Drover restarts its agent in another way',
  skip: 'it continues without that',
  substitute: 'Drover tries another profile or worker, if there is one',
  rollback: 'Drover restores the last checkpoint, if there is one',
  escalate: 'Drover asks a person',
  abort: 'Drover tries nothing more',
};

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Returns the exact commands. */
function toAnswer({ code, options, why }: Incident, { name, escalation, profile }: Asked): readonly string[] {
  const asked = escalation === null || escalation.asked === 1 ? '' : ` --asked ${escalation.asked}`;
  const answers = options.map(
    (option) =>
      `  drover answer ${escalation?.id ?? 'ID'} --option ${shellWord(option.id)}${asked}${option.needsText ? ' --text "…"' : ''}   ${option.label}`,
  );
  const remedies =
    code === 'AGENT_BLOCKED'
      ? []
      : ERRORS[code].remediation({ worker: name, said: why, ...(profile !== undefined && { profile }) });
  return ['It waits for a person. Answer with one of these commands:', ...answers, ...remedies];
}

function aboutPauses({ account, incident, lifecycle }: Worker, { name, now }: Asked): readonly string[] {
  const said: string[] = [];
  const { trouble, coolUntil, open } = incident;
  if (lifecycle.takenOver)
    said.push(`A person works there by hand: Drover types nothing until "drover message ${name} …".`);
  if (account.kind === 'paused') {
    const until =
      account.until === null || account.until <= now ? '' : `, for about ${duration(account.until - now)} more`;
    said.push(
      `Its account is at a limit${until}: Drover sends nothing until then. One worker tests it first; if that succeeds, all continue.`,
    );
  }
  if (account.kind === 'probe') said.push('It tests for all workers of its account whether the limit has reset.');
  if (trouble?.until != null && trouble.own)
    said.push(
      `Its agent retries by itself; Drover asks it to continue in ${duration(Math.max(0, trouble.until - now))}.`,
    );
  if (coolUntil !== null && coolUntil > now && open === null)
    said.push(
      `It has just recovered; Drover acts on a new failure after ${duration(coolUntil - now)} at the earliest.`,
    );
  return said;
}

function aboutWork(
  { session, checkpoint, mailbox, incident, worktree }: Worker,
  { name, now }: Asked,
): readonly string[] {
  const said: string[] = [];
  const { restore, last } = checkpoint;
  if (restore !== null) said.push(`Drover is restoring checkpoint ${restore.id.slice(-8)}.`);
  if (doubtOf(session) !== null)
    said.push('Before Drover kills its agent, a second check must confirm that it is not working.');
  if (mailbox.restoreDue && incident.open?.escalated !== true)
    said.push('Drover gives its task again as soon as its agent shows a prompt.');
  if (last !== null)
    said.push(
      `Its work was last saved ${duration(now - last.at)} ago: "drover worker checkpoint ${name}" lists what is kept.`,
    );
  const { supplies } = worktree;
  const copied = supplies === null ? null : tellCopied(supplies);
  if (supplies !== null) said.push(...tellLacks(supplies), ...(copied === null ? [] : [copied]));
  if (worktree.setUp !== null) said.push(tellSetUp(worktree.setUp));
  return said;
}
