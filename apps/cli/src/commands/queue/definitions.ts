/** Which commands has the work queue? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** Adds `drover queue` and what stands under it. */
export function addQueue(program: Command, define: Define): void {
  const queue = define(program, {
    usage: 'queue',
    about: 'show the work that waits for a worker',
    example: 'drover queue\ndrover queue add --priority S1 --prompt "Fix the flaky login test"',
  })
    .option('--all', 'also what is done or dropped')
    .option('-n, --limit <count>', 'how many items', '50');
  define(queue, {
    usage: 'list',
    name: 'queue',
    about: 'the same as "drover queue"',
    example: 'drover queue list --all',
  })
    .option('--all', 'also what is done or dropped')
    .option('-n, --limit <count>', 'how many items', '50');
  define(queue, {
    usage: 'add',
    name: 'queue-add',
    about: 'add a task for whoever of the pool is idle next',
    example: 'drover queue add --prompt "Add a --version flag"\ndrover queue add --priority S0 --prompt-file fix.md',
  })
    .option('--priority <priority>', 'S0 (most urgent) to S3', 'S2')
    .option('--prompt <text>', 'what is to be done')
    .option('--prompt-file <file>', 'a file that says it; "-" reads stdin');
  define(queue, {
    usage: 'show <id>',
    name: 'queue-show',
    about: 'show an item with its words',
    args: { id: 'its id, or the last characters of it' },
    example: 'drover queue show 4f1e22ab',
  });
  define(queue, {
    usage: 'drop <id>',
    name: 'queue-drop',
    about: 'do without an item that nobody has taken',
    args: { id: 'its id, or the last characters of it' },
    example: 'drover queue drop 4f1e22ab',
  });
  define(queue, {
    usage: 'retry <id>',
    name: 'queue-retry',
    about: 'open an item again that came to nothing, was dropped or is done',
    args: { id: 'its id, or the last characters of it' },
    example: 'drover queue retry 4f1e22ab',
  });
}
