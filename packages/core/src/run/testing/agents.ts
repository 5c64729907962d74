/** Simulated agents and people of a run: they forget, forge, repeat, contradict, never approve, and change their minds. */
import type { Dice } from '../../testing/dice.ts';
import type { RunAnswered, RunEvent } from '../event.ts';
import type { RunQuestion, RunRequest } from '../request.ts';
import type { Finding, Part, Returns, TaskResult } from '../result.ts';
import type { TaskEnd } from '../task.ts';

const NOTHING: TaskResult = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] };

/** Draws the end of a task, as an agent of some mood reports it. `fresh` names a commit that is used nowhere else. */
export function drawEnd(
  dice: Dice,
  { returns, fresh, findings }: { returns: Returns; fresh: string; findings: readonly string[] },
): TaskEnd {
  const roll = dice.next();
  const commit = returns === 'commit' && dice.chance(0.9) ? fresh : null;
  if (roll < 0.06) return { kind: 'no-result', commit: dice.pick([null, commit]), problem: 'There is no file.' };
  if (roll < 0.1)
    return {
      kind: 'failed',
      code: dice.pick(['AGENT_CRASHED', 'MACHINE_LOST', 'NONSENSE']),
      commit,
      problem: 'It failed.',
    };
  if (roll < 0.12) return { kind: 'taken-away', by: 'ben', commit };
  // A reviewer that writes code is no reviewer.
  const made = returns === 'review' && dice.chance(0.05) ? fresh : commit;
  return { kind: 'result', result: drawResult(dice, returns, findings), commit: made, base: 'base' };
}

function drawResult(dice: Dice, returns: Returns, findings: readonly string[]): TaskResult {
  if (dice.chance(0.04)) return { ...NOTHING, verdict: 'approve' };
  if (dice.chance(0.05)) return { ...NOTHING, verdict: 'blocked', summary: 'I cannot.' };
  const answers = findings.map((finding) => ({
    finding,
    did: dice.pick(['fixed', 'fixed', 'declined'] as const),
    why: 'So.',
  }));
  switch (returns) {
    case 'commit':
      return { ...NOTHING, answers: dice.chance(0.9) ? answers : [] };
    case 'report':
      return { ...NOTHING, report: dice.chance(0.9) ? 'It is so.' : '' };
    case 'parts':
      return { ...NOTHING, parts: dice.chance(0.9) ? drawParts(dice) : [] };
    case 'review':
      return drawReview(dice, findings);
  }
}

function drawReview(dice: Dice, known: readonly string[]): TaskResult {
  if (dice.chance(0.4))
    return { ...NOTHING, verdict: 'approve', findings: dice.chance(0.1) ? [drawFinding(dice, known)] : [] };
  const findings = [drawFinding(dice, known), drawFinding(dice, known)].filter(
    (one, at, all) => all.findIndex(({ id }) => id === one.id) === at,
  );
  return { ...NOTHING, verdict: 'revise', findings: dice.chance(0.95) ? findings : [] };
}

function drawFinding(dice: Dice, known: readonly string[]): Finding {
  const [first = 'F1'] = known;
  const id = dice.chance(0.3) ? first : `F${Math.floor(dice.next() * 9)}`;
  return {
    id,
    severity: dice.pick(['blocker', 'major', 'minor', 'note']),
    file: null,
    line: null,
    text: `${id} is wrong`,
  };
}

export function drawParts(dice: Dice): readonly Part[] {
  const count = dice.pick([1, 2, 3, 5, 7]);
  return Array.from({ length: count }, (_, at) => ({
    title: `Part ${at + 1}`,
    prompt: 'Do it',
    paths: [dice.pick(['src/a', 'src/b', 'src/b/c.ts', 'docs/**', `own/${at}`, '*.md'])],
    ...(dice.chance(0.2) ? { check: ['npm run part'] } : {}),
  }));
}

/** Draws an answer; some are to nothing that was asked. */
export function drawAnswer(dice: Dice, question: RunQuestion): RunAnswered {
  const [first = { option: 'stop' }, ...others] = question.options.filter(({ option }) => option !== 'stop');
  const option = dice.chance(0.08) ? 'stop' : dice.pick([first, ...others]).option;
  return {
    kind: 'answered',
    question: dice.chance(0.03) ? 'another' : question.id,
    option: dice.chance(0.03) ? 'nonsense' : option,
    by: 'mia',
    words: dice.chance(0.8) ? 'Do it so.' : '',
    parts: dice.chance(0.8) ? drawParts(dice) : [],
    commit: dice.chance(0.05) ? 'another' : question.commit,
  };
}

/** Draws news of the budgets of `drover.toml`. */
export function drawBudgetNews(dice: Dice): RunEvent {
  if (dice.chance(0.2)) return { kind: 'budget-changed' };
  return {
    kind: 'budget-told',
    workerId: dice.pick(['w1', 'w2', 'w3']),
    uses: [{ scope: dice.pick(['worker', 'day']), share: dice.pick([0.5, 0.9, 1, 1.4, 1.9]), words: 'so much' }],
  };
}

/** Draws the failure to keep a commit: it is tried again, or the work stays on a machine. `fresh` names a commit that is used nowhere else. */
export function drawNotPinned(
  dice: Dice,
  { id, commit }: Extract<RunRequest, { kind: 'pin' }>,
  fresh: string,
): RunEvent {
  const told = { kind: 'not-pinned', request: id, text: 'the depot is full' } as const;
  if (dice.chance(0.5)) return told;
  return { ...told, text: 'it is away', left: { on: 'm2', commit: dice.chance(0.5) ? (commit ?? fresh) : null } };
}
