/** Which commands look after what Drover keeps, and how is each explained? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** `drover export` and `drover import`. */
export function addDatabase(program: Command, define: Define): void {
  define(program, {
    usage: 'export <file>',
    about: 'write the whole database into a file; Drover must be stopped, or use a server of yours',
    args: { file: 'where to; a name that ends in .gz is compressed' },
    example:
      'drover export drover.jsonl.gz\nDATABASE_URL=postgres://me@db/drover drover export drover.jsonl.gz\ndrover export for-a-report.jsonl --redacted',
  }).option('--redacted', 'for others to read: without secrets, tokens and the key of the fleet; no import takes it');
  define(program, {
    usage: 'import <file>',
    about: 'make a file of "drover export" the content of the database, whole or not at all',
    args: { file: 'the file' },
    example:
      'drover import drover.jsonl.gz\nDATABASE_URL=postgres://me@db/drover drover import drover.jsonl.gz\ndrover import drover.jsonl.gz --replace',
  })
    .option(
      '--with-tokens',
      'take tokens along, which people, workers and joining machines show: only from a file that you trust',
    )
    .option('--replace', 'also if the database is not empty: all that is in it gives way, after a question')
    .option('--yes', 'answers that question');
}

/** `drover doctor`. */
export function addDoctor(program: Command, define: Define): void {
  define(program, {
    usage: 'doctor',
    about: 'say what is sick here and in the fleet, and repair what can be repaired safely',
    example:
      'drover doctor\ndrover doctor --repair --dry-run\ndrover doctor --repair\ndrover doctor --repair --restore 2026-11-22\ndrover doctor --rebuild',
  })
    .option('--repair', 'apply the safe repairs; each is shown first')
    .option('--rebuild', 'bring back workers whose rows are lost, from their worktrees and sessions')
    .option('--restore <date>', 'with --repair: put the newest backup of that date in the place of the database')
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--yes', 'do not ask');
}
