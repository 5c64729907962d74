/** Which commands does `drover` have around recovery, and how is each explained? */
import type { Command } from 'commander';
import { addCheckpoints } from '../checkpoints/definitions.ts';
import type { Define } from '../../program/program.ts';

/** Adds questions to people, checkpoints, the error log and the report. */
export function addRecovery(program: Command, define: Define): void {
  addEscalations(program, define);
  addCheckpoints(program, define);
  define(program, {
    usage: 'errors',
    about: 'show what went wrong and is still open',
    example: 'drover errors --since 2h\ndrover errors --all --worker adam --code AGENT_CRASHED',
  })
    .option('--worker <name>', 'of this worker only')
    .option('--code <code>', 'of this code only')
    .option('--since <span>', 'not older than that: 90s, 30m, 2h, 7d')
    .option('--all', 'also what recovered, was called off or taken over')
    .option('-n, --limit <count>', 'how many', '50');
  define(program, {
    usage: 'report [worker]',
    about: 'sum up errors, recoveries and escalations',
    args: { worker: 'of this worker only' },
    example: 'drover report\ndrover report adam --since 7d',
  }).option('--since <span>', 'how far back: 90s, 30m, 2h, 7d (default: 24h)');
}

function addEscalations(program: Command, define: Define): void {
  const id = 'its id, or the part of it that is shown';
  const escalations = define(program, {
    usage: 'escalations',
    about: 'show questions that wait for your answer',
    example: 'drover escalations\ndrover escalations show 3f9a1c2e',
  })
    .option('--worker <name>', 'about this worker only')
    .option('--all', 'also what was answered')
    .option('-n, --limit <count>', 'how many', '50');
  define(escalations, {
    usage: 'list',
    name: 'escalations',
    about: 'the same as "drover escalations"',
    example: 'drover escalations list --all',
  })
    .option('--worker <name>', 'about this worker only')
    .option('--all', 'also what was answered')
    .option('-n, --limit <count>', 'how many', '50');
  define(escalations, {
    usage: 'show <id>',
    name: 'escalations-show',
    about: 'show one with everything that is known, and how to answer it',
    args: { id },
    example: 'drover escalations show 3f9a1c2e',
  });
  define(escalations, {
    usage: 'ack <id>',
    name: 'escalations-ack',
    about: 'tell the others that you look at it',
    args: { id },
    example: 'drover escalations ack 3f9a1c2e',
  });
  define(escalations, {
    usage: 'resolve <id>',
    name: 'escalations-resolve',
    about: 'answer it; the first valid answer wins',
    args: { id },
    example:
      'drover escalations resolve 3f9a1c2e --option retry\ndrover escalations resolve 3f9a1c2e --option retry-with-changes --text "Leave the tests alone"',
  })
    .option('--option <option>', 'which answer')
    .option('--text <text>', 'words for answers that need them')
    .option('--file <file>', 'a file with the words; "-" reads stdin');
}
