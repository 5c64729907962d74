/** Faults planted around the policy: a test shows that the properties find each of them. */
import { decide } from '../decide.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import { changeIncident, endIncident } from '../worker/incident.ts';
import type { Mailbox, Text } from '../worker/mailbox.ts';
import { agreeToEnd, seenOf } from '../worker/session.ts';
import { renewAttempts } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { changeSlices } from './change.ts';
import type { Changes } from './change.ts';
import type { Decide } from './history.ts';
import { afterwards, misheard, misread, row } from './plant.ts';
import type { Planted } from './plant.ts';
import { PLANTED_IN_MOVES } from './planted-moves.ts';
import { PLANTED_IN_MERGES } from './planted-merges.ts';

function without({ deadlines }: Worker, name: DeadlineName): Pick<Worker, 'deadlines'> {
  const { [name]: _dropped, ...others } = deadlines;
  return { deadlines: others };
}

function incarnationOf({ session: { pane } }: Worker): string {
  return pane.kind === 'absent' ? 'none' : pane.incarnation;
}

function changeText(mailbox: Mailbox, change: Partial<Text>): Changes {
  const { current } = mailbox;
  return { mailbox: { current: current === null ? null : { ...current, ...change } } };
}

const BOUNDLESS = { maxAttemptsPerError: 1_000, maxTotalAttempts: 1_000 };

/** Faults that a slip of the pen could make, two and more for each rule. */
export const PLANTED: readonly Planted[] = [
  { rule: 'R1', fault: 'does not wait for the end of a command', decide: row((after) => without(after, 'command')) },
  { rule: 'R1', fault: 'forgets the stuck check', decide: row((after) => without(after, 'check')) },
  {
    rule: 'R1',
    fault: 'marks a question as asked and asks nobody',
    decide: afterwards((decision) => ({
      ...decision,
      records: decision.records.filter(({ kind }) => kind !== 'escalated'),
    })),
  },
  {
    rule: 'R2',
    fault: 'spends no budget',
    decide: row(({ task, incident }) => ({
      task: renewAttempts(task),
      incident: changeIncident(incident, { attempts: 0 }),
    })),
  },
  {
    rule: 'R2',
    fault: 'has budgets without bounds',
    decide: (worker, event, ctx) =>
      decide(worker, event, { ...ctx, policy: { ...ctx.policy, incident: { ...ctx.policy.incident, ...BOUNDLESS } } }),
  },
  {
    rule: 'R2',
    fault: 'forgets which alternatives were tried',
    decide: row(({ incident }) => ({ incident: changeIncident(incident, { tried: [] }) })),
  },
  {
    rule: 'R2',
    fault: 'sends a text again at once',
    decide: row(({ mailbox }) => changeText(mailbox, { notBefore: 0 })),
  },
  {
    rule: 'R2',
    fault: 'restarts at once after a crash',
    decide: row(({ session: { pane } }, before) => {
      const isToRestart = pane.kind === 'dead' && pane.restartAt !== null && before.session.pane.kind === 'up';
      return isToRestart ? { session: { pane: { ...pane, restartAt: 1 } } } : {};
    }),
  },
  { rule: 'R2', fault: 'repeats a failed command at once', decide: row(() => ({ command: { holdUntil: null } })) },
  { rule: 'R2', fault: 'does not pause between two incidents', decide: row(() => ({ incident: { coolUntil: null } })) },
  { rule: 'R3', fault: 'asks for no second signal', decide: row(({ session }) => ({ session: agreeToEnd(session) })) },
  {
    rule: 'R3',
    fault: 'reads a working agent as one whose end a check agrees to',
    decide: misread((result) =>
      result.kind === 'observed' && result.screen?.state.kind === 'processing'
        ? { ...result, screen: { ...result.screen, state: { kind: 'unknown', why: 'empty' } } }
        : result,
    ),
  },
  {
    rule: 'R4',
    fault: 'takes a screen of another incarnation for the present one',
    decide: misheard((event, worker) =>
      event.kind === 'screen-seen' ? { ...event, incarnation: incarnationOf(worker) } : event,
    ),
  },
  {
    rule: 'R4',
    fault: 'types into a former incarnation',
    decide: misread((result, worker) =>
      result.kind === 'opened' && worker.session.pane.kind !== 'absent'
        ? { ...result, incarnation: worker.session.pane.incarnation }
        : result,
    ),
  },
  {
    rule: 'R4',
    fault: 'answers a dialog on any screen that is there now',
    decide: (worker, event, ctx) => {
      const { inHand } = worker.dialog;
      const seen = seenOf(worker.session);
      const moved = inHand === null || seen === null ? inHand : { ...inHand, fingerprint: seen.fingerprint };
      return decide(changeSlices(worker, { dialog: { inHand: moved } }), event, ctx);
    },
  },
  {
    rule: 'R5',
    fault: 'types again without a check after an unknown outcome',
    decide: row(({ mailbox }) => changeText(mailbox, { verify: null })),
  },
  {
    rule: 'R5',
    fault: 'takes an unknown outcome for a loss',
    decide: misread((result, { command }) =>
      result.kind === 'unknown' && command.inFlight?.command.kind === 'deliver'
        ? { kind: 'lost', receipt: { evidence: [], steps: [], method: 'profile', bytes: 1, enters: 1 } }
        : result,
    ),
  },
  {
    rule: 'R5',
    fault: 'does not believe that a text was taken',
    decide: misread((result) =>
      result.kind === 'observed' && result.delivery?.kind === 'taken'
        ? { ...result, delivery: { kind: 'absent' } }
        : result,
    ),
  },
  {
    rule: 'R6',
    fault: 'begins at level 1 with each failure',
    decide: row(({ incident }) => ({ incident: changeIncident(incident, { level: 1 }) })),
  },
  {
    rule: 'R6',
    fault: 'forgets an incident when a session is opened',
    decide: row(({ incident }, _before, event) => ({
      incident: event.kind === 'command-finished' && event.result.kind === 'opened' ? endIncident(incident) : incident,
    })),
  },
  {
    rule: 'R7',
    fault: 'honours a late screen',
    decide: misheard((event) =>
      event.kind === 'screen-seen' ? { ...event, reading: { ...event.reading, at: Number.MAX_SAFE_INTEGER } } : event,
    ),
  },
  {
    rule: 'R7',
    fault: 'honours the result of a former command',
    decide: misheard((event, { command: { inFlight } }) =>
      event.kind === 'command-finished' && inFlight !== null ? { ...event, seq: inFlight.seq } : event,
    ),
  },
  {
    rule: 'R7',
    fault: 'honours a timer that rings too soon',
    decide: (worker, event, ctx) => {
      const due = event.kind === 'deadline-expired' ? worker.deadlines[event.name] : undefined;
      return decide(worker, event, due === undefined || due <= ctx.now ? ctx : { ...ctx, now: due });
    },
  },
  {
    rule: 'R7',
    fault: 'honours the end of a former incarnation',
    decide: misheard((event, worker) =>
      event.kind === 'pane-exited' ? { ...event, exit: { ...event.exit, incarnation: incarnationOf(worker) } } : event,
    ),
  },
  {
    rule: 'R8',
    fault: 'counts an exit each time that it is told',
    decide: row((_after, { session: { pane } }, event) => (event.kind === 'pane-exited' ? { session: { pane } } : {})),
  },
  {
    rule: 'R8',
    fault: 'takes a result each time that it is told',
    decide: row(({ command }, before) =>
      command.seq === before.command.seq ? { command: { inFlight: before.command.inFlight } } : {},
    ),
  },
  {
    rule: 'R8',
    fault: 'hears a timer each time that it rings',
    decide: row(({ deadlines }, before, event) => {
      const due = event.kind === 'deadline-expired' ? before.deadlines[event.name] : undefined;
      return event.kind === 'deadline-expired' && due !== undefined
        ? { deadlines: { ...deadlines, [event.name]: due } }
        : {};
    }),
  },
  ...PLANTED_IN_MERGES,
  ...PLANTED_IN_MOVES,
  {
    rule: 'G9',
    fault: 'takes committed conflict markers for a resolution',
    decide: misread((result) =>
      result.kind === 'judged' && result.verdict === 'markers' ? { ...result, verdict: 'resolved' } : result,
    ),
  },
  {
    rule: 'G9',
    fault: 'forgets conflicts when its agent asks something meanwhile',
    decide: row(({ merge, lifecycle }) =>
      merge.conflicts !== null && lifecycle.status !== 'rebasing'
        ? { merge: { conflicts: { ...merge.conflicts, open: false } } }
        : {},
    ),
  },
  {
    rule: 'total',
    fault: 'knows no answer to a dialog that is gone',
    decide: misread((result) => {
      if (result.kind === 'stale') throw new Error('never heard of');
      return result;
    }),
  },
  {
    rule: 'total',
    fault: 'sends work to review from anywhere',
    decide: row((_after, before) =>
      before.lifecycle.status === 'idle' ? { lifecycle: { status: 'needs_review' } } : {},
    ),
  },
  { rule: 'json', fault: 'leaves a field without a value', decide: leavesAField() },
  { rule: 'json', fault: 'remembers something beside the row', decide: remembers() },
];

function leavesAField(): Decide {
  return afterwards((decision) => {
    const command = { ...decision.worker.command };
    Reflect.set(command, 'holdUntil', command.holdUntil ?? undefined);
    return { ...decision, worker: { ...decision.worker, command } };
  });
}

function remembers(): Decide {
  let decisions = 0;
  return row(() => {
    decisions += 1;
    return { lifecycle: { note: `decision ${decisions}` } };
  });
}
