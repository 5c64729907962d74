/** Which commands has the recovery policy? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** Adds `drover policy` and `drover replay`. */
export function addPolicy(program: Command, define: Define): void {
  const policy = program.command('policy').description('the numbers that recovery is decided by');
  define(policy, {
    usage: 'show',
    name: 'policy-show',
    about: 'show the values that hold, and where each comes from',
    example: 'drover policy show\ndrover policy show --worker adam --json',
  }).option('--worker <name>', 'of this worker (default: of the project)');
  define(policy, {
    usage: 'check [file]',
    name: 'policy-check',
    about: 'say what is wrong with a policy file',
    args: { file: 'a policy as TOML or JSON, or a whole drover.toml (default: the one here)' },
    example: 'drover policy check\ndrover policy check patient.toml',
  });
  define(policy, {
    usage: 'diff [one] [other]',
    name: 'policy-diff',
    about: 'show in which values two policies differ',
    args: {
      one: 'a file, a version, "default" or "current" (default: what is changed here)',
      other: 'the same (default: the first is compared with what holds)',
    },
    example: 'drover policy diff\ndrover policy diff patient.toml\ndrover policy diff 3f0c12aa90de current',
  });
  define(program, {
    usage: 'replay <worker>',
    about: "decide a worker's history again, also under another policy",
    args: { worker: 'its name' },
    example: 'drover replay adam\ndrover replay adam --since 2h --policy patient.toml',
  })
    .option('--since <span>', 'only what happened within this time: 90s, 30m, 2h, 7d')
    .option('--policy <policy>', 'a file, a version, "default" or "current" to compare with');
}
