/** The starter: runs programs for the process that started it, and ends with it. */
import { HostError } from '../../errors.ts';
import { runProgram } from '../run-program.ts';
import type { Answer, Wish } from './messages.ts';

// Title of the process: no word of it is one by which an agent ends its own programs (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
process.title = 'fleet-starter';

const running = new Map<number, AbortController>();

process.on('message', (message) => {
  // The process that started this one is the only writer here.
  const wish = message as Wish;
  if (wish.kind === 'run') void run(wish);
  else running.get(wish.id)?.abort();
});
// Programs go on when the process dies for which they run, as without a starter; their output is not read.
process.on('disconnect', () => process.exit());
// Signals to that process, such as from a terminal or a supervisor, reach this one too; this process is needed until the other has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

async function run({ id, wanted, limits }: Wish & { readonly kind: 'run' }): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const { stdout: _sameAsBytes, ...outcome } = await runProgram(wanted, { ...limits, signal: stop.signal });
    answer({ id, outcome });
  } catch (error) {
    const code = error instanceof HostError ? error.code : 'spawn-failed';
    answer({ id, refused: { code, message: error instanceof Error ? error.message : String(error) } });
  } finally {
    running.delete(id);
  }
}

function answer(words: Answer): void {
  process.send?.(words);
}
