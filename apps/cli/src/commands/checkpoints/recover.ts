/** `drover recover`: brings a worker back to a checkpoint, and waits until its agent answers. */
import type { RecoveryPlanView, RecoveryProgressView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { flag, optional, text } from '../../program/options.ts';
import { planText } from './text.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** How long to wait for the agent, in milliseconds: a restore and three starts of it. */
const PATIENCE_MS = 5 * 60_000;
/** Time between two looks, in milliseconds. */
const LOOK_EVERY_MS = 200;

/** Runs the command. @throws {CommandError} `refused` with the reason and the way out. */
export async function run(
  surroundings: Surroundings,
  [worker]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const dryRun = flag(options, 'dryRun');
  const input = {
    orderId: surroundings.uuid(),
    resetAgent: flag(options, 'resetAgents'),
    dryRun,
    ...optional('worker', worker),
    ...optional('checkpoint', text(options, 'checkpoint')),
  };
  const plan = await ask(surroundings, (client) => client.checkpoints.recover.mutate(input));
  if (!terminal.json) terminal.out(planText(plan, { now: now(), terminal }));
  if (dryRun) {
    if (terminal.json) terminal.out(JSON.stringify(plan));
    return;
  }
  const end = await untilItAnswers(surroundings, plan);
  if (terminal.json) terminal.out(JSON.stringify({ ...plan, ...end }));
  else {
    if (end.kept !== null) terminal.out(`What was there before is kept as ${end.kept}`);
    terminal.out(`Done: ${plain(end.note)}. Watch it: drover attach ${plan.worker}`);
  }
}

async function untilItAnswers(surroundings: Surroundings, plan: RecoveryPlanView): Promise<RecoveryProgressView> {
  const { terminal } = surroundings;
  const { worker, orderId } = plan;
  const end = surroundings.now() + PATIENCE_MS;
  let last = '';
  for (;;) {
    const progress = await ask(surroundings, (client) => client.checkpoints.recovery.query({ worker, orderId }));
    const { stage, note } = progress;
    if (stage === 'answers') return progress;
    const next = `see "drover why ${worker}"`;
    if (stage === 'failed') throw new CommandError('refused', `${worker}: ${plain(note)}; ${next}`);
    if (surroundings.now() > end) {
      throw new CommandError(
        'refused',
        `${worker} does not answer yet (${plain(note)}). It goes on by itself: ${next}`,
      );
    }
    if (stage !== last) terminal.err(`${worker}: ${plain(note)} …`);
    last = stage;
    await surroundings.sleep(LOOK_EVERY_MS);
  }
}
