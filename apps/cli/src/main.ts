/** `drover`: reads the arguments, runs one command, and ends with a documented exit status. */
import { CommanderError } from 'commander';
import { CommandError, EXIT_CODES } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { createProgram } from './program.ts';
import type { CommandName } from './program.ts';
import { lookAround } from './surroundings.ts';
import type { Surroundings } from './surroundings.ts';
import { VERSION } from './version.ts';

/** What a file in `commands/` exports. */
export interface CommandModule {
  run(surroundings: Surroundings, args: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Loaded when called, so that `drover status` does not read what only `drover up` needs. */
const LOADERS: Readonly<Record<CommandName, () => Promise<CommandModule>>> = {
  init: () => import('./commands/init.ts'),
  up: () => import('./commands/up.ts'),
  down: () => import('./commands/down.ts'),
  add: () => import('./commands/add.ts'),
  nuke: () => import('./commands/nuke.ts'),
  status: () => import('./commands/status.ts'),
  start: () => import('./commands/start.ts'),
  message: () => import('./commands/message.ts'),
  attach: () => import('./commands/attach.ts'),
  review: () => import('./commands/review.ts'),
  reject: () => import('./commands/reject.ts'),
  accept: () => import('./commands/accept.ts'),
  why: () => import('./commands/why.ts'),
  logs: () => import('./commands/logs.ts'),
  doctor: () => import('./commands/doctor.ts'),
  machines: () => import('./commands/machines.ts'),
  invite: () => import('./commands/invite.ts'),
  'screen-explain': () => import('./commands/screen-explain.ts'),
  'screen-record': () => import('./commands/screen-record.ts'),
  'screen-test': () => import('./commands/screen-test.ts'),
  'config-check': () => import('./commands/config-check.ts'),
  coordinator: () => import('./commands/coordinator.ts'),
  agent: () => import('./commands/agent.ts'),
};

async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json');
  const program = createProgram(async (name, args, options) => {
    const command = await LOADERS[name]();
    await command.run(await lookAround({ json }), args, options);
  }, VERSION);
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride();
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = told(error, json);
  }
}

/** Says what went wrong. @returns the exit status. */
function told(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage.status;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const text = json ? JSON.stringify({ error: { code, message } }) : `drover: ${message}`;
  process.stderr.write(`${text}\n`);
  if (code === 'internal' && error instanceof Error && !json) process.stderr.write(`${error.stack ?? ''}\n`);
  return EXIT_CODES[code].status;
}

/** Failures of the world that come from below carry their own words; where they come from tells the status. */
function codeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.code;
  if (!(error instanceof Error)) return 'internal';
  return WORLD.has(error.name) ? 'environment' : 'internal';
}

const WORLD: ReadonlySet<string> = new Set([
  'ConfigError',
  'EmbeddedPostgresError',
  'GitError',
  'HostError',
  'ListenError',
  'MachineAgentError',
  'MigrationError',
  'TmuxError',
]);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read our output has read enough.
  if (error.code === 'EPIPE') process.exit(0);
});
await main(process.argv.slice(2));
