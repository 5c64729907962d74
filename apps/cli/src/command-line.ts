/** `drover`: reads the arguments, runs one command, and ends with a documented exit status. */
import { CommanderError } from 'commander';
import { LOADERS } from './commands.ts';
import type { CommandName } from './commands.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { lookAround } from './surroundings.ts';
import { VERSION } from './version.ts';
import { explain } from './world-errors.ts';

/** They serve others: whoever stops reading what they print does not end them. */
const SERVERS: ReadonlySet<CommandName> = new Set(['up', 'coordinator', 'agent']);

async function main(argv: readonly string[]): Promise<void> {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const json = own.includes('--json');
  let serves = false;
  process.stdout.on('error', () => {
    // Whoever read our output has read enough.
    if (!serves) process.exit();
  });
  process.stderr.on('error', () => {});
  const notes: string[] = [];
  const program = createProgram({
    version: VERSION,
    note: (text) => notes.push(text),
    run: async (name, args, options) => {
      serves = SERVERS.has(name);
      const command = await LOADERS[name]();
      await command.run(await lookAround({ json }), args, options);
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? misread(error, { json, notes }) : failed(error, json);
  }
}

/** The arguments were not understood, or only help was asked for. @returns the exit status. */
function misread(error: CommanderError, { json, notes }: { json: boolean; notes: readonly string[] }): number {
  if (error.exitCode === 0) return EXIT_CODES.ok.status;
  if (error.code === 'commander.help' && !json) process.stdout.write(notes.join(''));
  else tell('usage', notes.join('').trim(), json);
  return EXIT_CODES.usage.status;
}

/** Says what went wrong. @returns the exit status. */
function failed(error: unknown, json: boolean): number {
  const { code, message } = explain(error);
  tell(code, code === 'internal' ? `This is a bug in Drover: ${message}` : message, json);
  if (code === 'internal' && error instanceof Error && !json) process.stderr.write(`${error.stack ?? ''}\n`);
  return EXIT_CODES[code].status;
}

function tell(code: keyof typeof EXIT_CODES, message: string, json: boolean): void {
  const text = json ? JSON.stringify({ error: { code, message } }) : `drover: ${message}`;
  process.stderr.write(`${text}\n`);
}

await main(process.argv.slice(2));
