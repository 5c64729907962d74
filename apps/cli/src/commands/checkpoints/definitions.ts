/** Which commands does `drover` have around checkpoints, and how is each explained? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** Adds the list of checkpoints, and the way back to one. */
export function addCheckpoints(program: Command, define: Define): void {
  const checkpoints = define(program, {
    usage: 'checkpoints [worker]',
    about: 'show what is kept of the work, newest first',
    args: { worker: 'of this worker only' },
    example: 'drover checkpoints\ndrover checkpoints adam\ndrover checkpoints show 3f9a1c2e',
  }).option('-n, --limit <count>', 'how many', '50');
  define(checkpoints, {
    usage: 'show <id>',
    name: 'checkpoints-show',
    about: 'show what one holds, and whether it is whole',
    args: { id: 'its id, or the part of it that is shown' },
    example: 'drover checkpoints show 3f9a1c2e',
  });
  define(checkpoints, {
    usage: 'create [worker]',
    name: 'checkpoints-create',
    about: "keep a worker's work as it is now",
    args: { worker: 'whose (default: the only one)' },
    example: 'drover checkpoints create adam --why "before the big change"',
  }).option('--why <text>', 'words that the list shows');
  define(program, {
    usage: 'recover [worker]',
    about: 'bring a worker back to a checkpoint; what it has now is kept',
    args: { worker: 'which (default: the only one in error)' },
    example:
      'drover recover adam --dry-run\ndrover recover adam\ndrover recover adam --checkpoint 3f9a1c2e --reset-agents',
  })
    .option('--checkpoint <id>', 'to which (default: the newest whole one)')
    .option('--reset-agents', 'with a new conversation instead of the one of that time')
    .option('--dry-run', 'say what would be done, and do nothing');
}
