// Checks that a turn which leaves work running beside its prompt is not over until that work is.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import type { Program } from '@drover/real-agents';
import { HISTORY_MAX, type Finding, type Trial } from '../trial.ts';

/** Seconds of the work: longer than Drover lets a prompt stand before it judges the turn. */
const WORK_SECONDS = 25;
const COMMIT = 'git add -A && git -c user.name=Ada -c user.email=ada@example.org commit -q -m Early';

/** Words by which the model starts a line of shell that goes on after its turn. */
type Start = (line: string) => string;

export const IN_BACKGROUND: Start = (line) => `BACKGROUND ${line}`;
/** The program itself moves a command to the background that takes longer than it may. The command then fails. */
export const OVER_TIME: Start = (line) =>
  `CALL Bash ${JSON.stringify({ command: `${line}; exit 3`, description: 'Run a command', timeout: 2_000 })}`;

/** The agent commits, and its turn ends while the command goes on. A person who accepts meanwhile is told no; the review comes after the end. */
export async function leavesWorkRunning(trial: Trial, { keys }: Program, start: Start): Promise<Finding> {
  const { site, worker } = trial;
  const over = path.join(await site.worktree(worker), 'over.txt');
  const { before } = await trial.tell(
    start(`echo early >> work.txt && ${COMMIT} && sleep ${WORK_SECONDS} && touch over.txt`),
  );
  await trial.believes('asks for permission', ({ screen }) => screen === 'permission');
  await trial.press(keys.allow, ({ screen }) => screen === 'permission');
  const turn = await trial.knows('the end of the turn', (all) =>
    all.slice(before).find(({ asked, action, ended }) => asked.results > 0 && action === 'say' && ended === 'answered'),
  );
  const waits = await trial.believes(
    'waits',
    ({ status, note }) => status === 'working' && note.startsWith('waits for its'),
  );
  const refusal = await site.fleet.accept(worker).then(() => 'accepted', messageOf);
  const overAt = await trial.knows('the end of the work', () =>
    stat(over).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    ),
  );
  const view = await trial.believes('needs review', ({ status }) => status === 'needs_review');
  const { history } = await site.fleet.why(worker, HISTORY_MAX);
  const endedAt = turn.endedAt ?? Number.NaN;
  const early = history.filter(({ at, to, asks }) => at > endedAt && at < overAt && (to !== 'working' || asks));
  return {
    believed: `working (${waits.note}), accept: ${refusal}; then ${view.status} (${view.note}); early: ${early.map(({ to }) => to).join(', ') || 'nothing'}`,
    truth: `its work went on for ${Math.round((overAt - endedAt) / 1_000)} s after the end of the turn`,
    ok: early.length === 0 && refusal !== 'accepted' && overAt > endedAt,
  };
}
