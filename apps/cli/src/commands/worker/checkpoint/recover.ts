/** `drover worker recover`: restores a worker to a checkpoint, and waits until its agent answers. */
import type { RecoveryPlanView, RecoveryProgressView } from '@drover/api';
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { flag, optional, text } from '../../../program/spec.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { plain } from '../../../terminal/style.ts';
import { planText } from './text.ts';

/** Milliseconds to wait for the agent: a restore and three starts of it. */
const PATIENCE_MS = 5 * 60_000;
/** Milliseconds to wait for a checkpoint of another machine: a gibibyte over a slow line. */
const FETCH_PATIENCE_MS = 40 * 60_000;
/** Milliseconds between two polls of its progress. */
const ASK_EVERY_MS = 200;

/** Exits with `refused`, the reason and the way out if the recovery fails. */
export const command = defineCommand({
  about: 'restore a worker to a checkpoint; Drover keeps its present work',
  example:
    'drover worker recover adam --dry-run\ndrover worker recover adam\ndrover worker recover adam --checkpoint 3f9a1c2e --reset-agents',
  args: { worker: optional('the worker (default: the only one in error)') },
  options: {
    checkpoint: text('id', 'the checkpoint (default: the newest whole one)'),
    resetAgents: flag('start a new conversation instead of the one of the checkpoint'),
    dryRun: flag('show what would be done, without doing it'),
  },
  async run(surroundings, { args: { worker }, options: { checkpoint, resetAgents, dryRun } }) {
    const { terminal, now } = surroundings;
    const input = {
      requestId: surroundings.uuid(),
      resetAgent: resetAgents,
      dryRun,
      ...defined({ worker, checkpoint }),
    };
    const plan = await whenFetched(surroundings, () =>
      ask(surroundings, (client) => client.checkpoints.recover.mutate(input)),
    );
    if (!terminal.json) terminal.out(planText(plan, { now: now() }));
    if (dryRun) {
      if (terminal.json) terminal.out(JSON.stringify(plan));
      return;
    }
    const end = await untilItAnswers(surroundings, plan);
    if (terminal.json) terminal.out(JSON.stringify({ ...plan, ...end }));
    else {
      if (end.kept !== null) terminal.out(`The previous work is saved as ${end.kept}`);
      terminal.out(`Done: ${plain(end.note)}. To watch it: drover attach ${plan.worker}`);
    }
  },
});

/** Waits for the fetch of a checkpoint of another machine; each call reports the progress. */
async function whenFetched(
  surroundings: Surroundings,
  call: () => Promise<RecoveryPlanView>,
): Promise<RecoveryPlanView> {
  const { terminal, now } = surroundings;
  const end = now() + FETCH_PATIENCE_MS;
  let last = '';
  for (;;) {
    const plan = await call();
    if (plan.fetching === null) return plan;
    if (now() > end) {
      const message = `The checkpoint is not fetched yet (${plain(plan.fetching)}): see "drover machine", then repeat`;
      throw new CommandError('refused', message);
    }
    if (plan.fetching !== last) terminal.err(`Fetching the checkpoint: ${plain(plan.fetching)} …`);
    last = plan.fetching;
    await surroundings.sleep(ASK_EVERY_MS);
  }
}

async function untilItAnswers(surroundings: Surroundings, plan: RecoveryPlanView): Promise<RecoveryProgressView> {
  const { terminal } = surroundings;
  const { worker, requestId } = plan;
  const end = surroundings.now() + PATIENCE_MS;
  let last = '';
  for (;;) {
    const progress = await ask(surroundings, (client) => client.checkpoints.recovery.query({ worker, requestId }));
    const { stage, note } = progress;
    if (stage === 'answers') return progress;
    const next = `see "drover why ${worker}"`;
    if (stage === 'failed') throw new CommandError('refused', `${worker}: ${plain(note)}; ${next}`);
    if (surroundings.now() > end) {
      throw new CommandError(
        'refused',
        `${worker} does not answer yet (${plain(note)}). The recovery continues by itself: ${next}`,
      );
    }
    if (stage !== last) terminal.err(`${worker}: ${plain(note)} …`);
    last = stage;
    await surroundings.sleep(ASK_EVERY_MS);
  }
}
