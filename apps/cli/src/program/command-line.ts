/** `drover`: reads the arguments, runs one command, and ends with a documented exit status. */
import { CommanderError } from 'commander';
import { loadCommands } from '../commands/load.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { createProgram } from './program.ts';
import { readSurroundings } from '../surroundings.ts';
import { COLOR_CHOICES, onUnread, openDoor } from '../terminal/terminal.ts';
import { VERSION } from '../version.ts';
import { explain } from '../world-errors.ts';
import { refuseInPane } from './allowed-in-pane.ts';

async function main(argv: readonly string[]): Promise<void> {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const json = own.some((word) => word === '--json' || word.startsWith('--json='));
  let serves = false;
  onUnread(() => {
    // The reader of our output has read enough.
    if (!serves) process.exit();
  });
  // Node would print the error's message unchanged, past the terminal's door, and exit likewise.
  process.on('uncaughtException', (error) => process.exit(reportFailure(error, json)));
  const notes: string[] = [];
  const isVersionWanted = argv[0] === '--version' || argv[0] === '-V';
  const program = createProgram({
    commands: await loadCommands(argv[0]),
    version: isVersionWanted ? await (await import('./revision.ts')).versionText(VERSION) : VERSION,
    print: (text) => openDoor({ json: false }).out(text.replace(/\n$/, '')),
    note: (text) => notes.push(text),
    run: async ({ name, command }, given) => {
      serves = command.isServer ?? false;
      const { json: fields, quiet, wide, color } = given.options;
      const surroundings = await readSurroundings({
        json,
        fields: typeof fields === 'string' ? fields.split(',') : null,
        color: COLOR_CHOICES.find((choice) => choice === color) ?? 'auto',
        quiet: quiet === true,
        wide: wide === true,
      });
      refuseInPane(surroundings.worker, name);
      await command.start(surroundings, given);
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode =
      error instanceof CommanderError ? reportUsage(error, { json, notes }) : reportFailure(error, json);
  }
}

/** Reports invalid arguments, or a request for help. @returns the exit status. */
function reportUsage(error: CommanderError, { json, notes }: { json: boolean; notes: readonly string[] }): number {
  if (error.exitCode === 0) return EXIT_CODES.ok.status;
  if (error.code === 'commander.help' && !json) openDoor({ json }).out(notes.join('').trimEnd());
  else tell('usage', notes.join('').trim(), json);
  return EXIT_CODES.usage.status;
}

/** Reports a failure. @returns the exit status. */
function reportFailure(error: unknown, json: boolean): number {
  const { code, message } = explain(error);
  tell(code, code === 'internal' ? `This is a bug in Drover: ${message}` : message, json);
  if (code === 'internal' && error instanceof Error && !json) openDoor({ json }).err(error.stack ?? '');
  return EXIT_CODES[code].status;
}

function tell(code: keyof typeof EXIT_CODES, message: string, json: boolean): void {
  const text = json ? JSON.stringify({ error: { code, message } }) : `drover: ${message}`;
  openDoor({ json }).err(text);
}

await main(process.argv.slice(2));
