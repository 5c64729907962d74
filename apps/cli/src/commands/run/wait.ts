/** `drover run wait`: waits until a run ends or needs a person; the exit status says which. */
import type { RunView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { openProgress } from '../../terminal/progress.ts';
import { RUN_ID } from './one.ts';
import { runText } from './text.ts';

export const command = defineCommand({
  about: 'wait until a run ends, or waits for a person',
  example: 'drover run wait 1a2b3c4d && drover run show 1a2b3c4d',
  more: `Exit status: 0 finished, 10 partial, 11 failed, 12 stopped, 13 waits for a person.`,
  args: RUN_ID,
  async run(surroundings, { args: { run: id } }) {
    let run = await ask(surroundings, (client) => client.runs.show.query({ id }));
    let ended = endOf(run);
    using _ = openProgress(surroundings, () => `The run ${run.shortId} is ${run.status}`);
    while (ended === null) {
      const known = { id: run.id, seq: run.seq };
      run = await ask(surroundings, (client) => client.runs.await.query(known));
      ended = endOf(run);
    }
    answer(surroundings, run, runText);
    process.exitCode = EXIT_CODES[ended].status;
  },
});

/** Null: the run goes on by itself. */
function endOf({ status, questions, endedAt }: RunView): ExitCode | null {
  if (endedAt === null) return questions.length > 0 ? 'run-waits' : null;
  switch (status) {
    case 'finished':
      return 'ok';
    case 'partial':
      return 'run-partial';
    case 'stopped':
      return 'run-stopped';
    default:
      return 'run-failed';
  }
}
