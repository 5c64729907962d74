/** `drover debug replay`: replays a worker's history, and shows the decisions of another policy. */
import type { ReplayView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, span, text } from '../../program/spec.ts';
import { clockTime, plain } from '../../terminal/style.ts';
import { policySideOf } from './policy/side.ts';

type Step = ReplayView['steps'][number];

/** Steps that are printed; `--json` has more. */
const PRINTED_MAX = 20;

/** Exits with `problems` if a decision is not reproduced. */
export const command = defineCommand({
  about: 'replay the decisions about a worker, also under another policy',
  example: 'drover debug replay adam\ndrover debug replay adam --since 2h --policy patient.toml',
  args: { worker: required('its name') },
  options: {
    since: span('only events of this period: 90s, 30m, 2h, 7d'),
    policy: text('policy', 'a file, a version, "default" or "current" to compare with'),
  },
  async run(surroundings, { args: { worker }, options: { since, policy: other } }) {
    const policy = other === undefined ? undefined : await policySideOf(surroundings, other, worker);
    const input = { worker, ...defined({ sinceMs: since, policy }) };
    const replay = await ask(surroundings, (client) => client.policy.replay.query(input));
    answer(surroundings, replay, replayText);
    const { firstSkipped } = replay;
    if (firstSkipped?.why === 'not-reproduced')
      throw new CommandError(
        'problems',
        `Event ${firstSkipped.event} at ${clockTime(firstSkipped.at)} now has another result: another build of Drover decided it, or somebody changed the row by hand`,
      );
  },
});

/** Formats the whole answer. */
export function replayText(replay: ReplayView): string {
  const { worker, from, decisions, reproduced, skipped, firstSkipped, policies, against, differing, steps } = replay;
  if (decisions === 0)
    return `There is no recorded decision about ${worker} to replay: Drover keeps such records for 24 h.`;
  const lines = [
    `${worker}: ${reproduced} of ${decisions} decisions since ${clockTime(from ?? 0)} have the recorded result, under policy ${policies.join(', ')}.`,
  ];
  if (firstSkipped !== null) lines.push(`${skipped} could not be replayed: ${WHY[firstSkipped.why]}.`);
  if (against === null) return lines.join('\n');
  if (differing === 0) return [...lines, `Policy ${against} makes the same decisions.`].join('\n');
  lines.push(
    `Policy ${against} differs at ${differing}. After the first difference this is an estimate: later events depend on the real decisions.`,
  );
  const shown = steps.filter((step, index) => !saysTheSame(step, steps[index - 1]));
  for (const step of shown.slice(0, PRINTED_MAX)) {
    lines.push(
      '',
      `${clockTime(step.at)} event ${step.event}: ${plain(step.heard)}${step.isFirst ? ' (first difference)' : ''}`,
    );
    for (const { name, at } of step.passed)
      lines.push(`  before it: the deadline "${name}" would have expired at ${clockTime(at)}`);
    for (const { what, was, wouldBe } of step.differences)
      lines.push(`  ${what}: ${plain(was)}`, `  ${' '.repeat(what.length)}→ ${plain(wouldBe)}`);
  }
  const rest = differing - Math.min(shown.length, PRINTED_MAX);
  if (rest > 0) lines.push('', `… and ${rest} more, some with the same difference as the one before: see --json`);
  return lines.join('\n');
}

/** Tells whether a difference repeats from one step to the next, such as a note, so that it is printed once. */
function saysTheSame(step: Step, before: Step | undefined): boolean {
  const told = ({ differences }: Step): string => JSON.stringify(differences);
  return before !== undefined && step.passed.length === 0 && told(step) === told(before);
}

const WHY: Readonly<Record<NonNullable<ReplayView['firstSkipped']>['why'], string>> = {
  'no-worker-before': 'earlier events are no longer kept',
  'policy-unknown': 'their policy is no longer kept',
  'not-reproduced': 'the first of them now has another result, and the others depend on it',
};
