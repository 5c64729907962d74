// Puts the program together: environment, clock, terminal and files meet here and nowhere else.

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { systemClock } from '@drover/base';
import { Agent } from './agent.ts';
import { parseArgs, type Options } from './options/args.ts';
import { currentBranch } from './git-branch.ts';
import { Home } from './records/home.ts';
import { hookRunner } from './options/hooks.ts';
import { Keyboard } from './keyboard/keyboard.ts';
import { KeyDecoder } from './keyboard/keys.ts';
import { Screen, type Terminal } from './screen/screen.ts';
import { Session, type World } from './session.ts';
import { parseSettings, type Settings } from './options/settings.ts';
import { Transcript, readPast, type Past } from './records/transcript.ts';
import { openWitness } from './records/witness.ts';

/** An Escape that nothing follows for this long was the Escape key. */
const ESCAPE_WAIT_MS = 30;
/** Exit status after an error of the program itself: EX_SOFTWARE of sysexits.h, which no script step uses by default. */
const BROKEN = 70;

const TERMINAL: Terminal = {
  size: () => ({ width: process.stdout.columns, height: process.stdout.rows }),
  write: (text) => void process.stdout.write(text),
};

/** Runs the program with this process's arguments, environment and terminal. */
export function start(): void {
  const parsed = parseArgs(process.argv.slice(2), process.env);
  if (parsed.kind === 'print') return void process.stdout.write(`${parsed.text}\n`);
  if (parsed.kind === 'wrong') return refuse(parsed.message);
  const { options } = parsed;
  const home = new Home(options.home, process.cwd());
  const opened = openSession(options, home);
  if (typeof opened === 'string') return refuse(opened);
  const settings = readSettings(options.settings);
  if (typeof settings === 'string') return refuse(settings);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return refuse('error: sim-agent needs a terminal; start it in a tmux pane');
  run(options, home, { ...opened, settings });
}

interface Opened {
  readonly session: string;
  readonly past: Past | undefined;
}

function run(options: Options, home: Home, given: Opened & { readonly settings: Settings }): void {
  process.title = 'sim-agent';
  process.stdin.setRawMode(true);
  TERMINAL.write(`\u001B]2;${options.persona.title}\u001B\\`);
  const screen = new Screen(TERMINAL, systemClock, options.tickMs);
  const facts = { now: systemClock.now, pid: process.pid, session: () => session.transcript.session };
  const witness = openWitness(options.log, facts);
  const world = worldOf({ options, home, screen, witness });
  const session = new Session(world, options, {
    settings: given.settings,
    session: given.session,
    entries: given.past?.entries ?? [],
  });
  if (given.past !== undefined) session.transcript.continueFrom(given.past);
  witness({ event: 'started', cwd: world.cwd, argv: process.argv.slice(2), resumed: given.past !== undefined });
  const agent = new Agent(session);
  const keyboard = new Keyboard(agent);
  listen(agent, keyboard, screen);
  void agent.start(given.past === undefined ? 'startup' : 'resume', () => keyboard.ready());
}

function worldOf(parts: { options: Options; home: Home; screen: Screen; witness: World['witness'] }): World {
  const { options, home, screen, witness } = parts;
  const cwd = process.cwd();
  return {
    clock: systemClock,
    uuid: randomUUID,
    pid: process.pid,
    cwd,
    env: process.env,
    home,
    witness,
    runHook: hookRunner(process.env, cwd),
    openTranscript: (id) =>
      new Transcript(home.transcriptPath(id), id, {
        cwd,
        version: options.persona.version,
        model: options.model,
        gitBranch: currentBranch(cwd),
        permissionMode: options.mode,
        now: systemClock.now,
        uuid: randomUUID,
      }),
    screen: {
      show: (view) => screen.show(view),
      freeze: () => screen.freeze(),
      send: TERMINAL.write,
      enter: () => screen.enter(),
    },
    exit(code, how) {
      screen.close(how.restore);
      if (how.words !== '') writeSync(1, how.words.replaceAll('\n', '\r\n'));
      process.exit(code);
    },
    kill: (signal) => void process.kill(process.pid, signal as NodeJS.Signals),
    fileExists: existsSync,
  };
}

function listen(agent: Agent, keyboard: Keyboard, screen: Screen): void {
  const decoder = new KeyDecoder();
  let callOff: (() => void) | undefined;
  process.stdin.on('data', (bytes: Buffer) => {
    callOff?.();
    keyboard.read(decoder.feed(bytes));
    if (decoder.waiting) callOff = systemClock.after(ESCAPE_WAIT_MS, () => keyboard.read(decoder.flush()));
  });
  process.stdout.on('resize', () => screen.redraw());
  // Leaves as after a hang-up: a terminal that is gone cannot show anything.
  process.stdout.on('error', () => process.exit(129));
  // A bug, or a full disk: give the terminal back and say what happened instead of leaving a broken screen.
  process.on('uncaughtException', (error) => {
    agent.session.world.exit(BROKEN, { restore: true, words: `sim-agent: ${error.stack ?? error.message}\n` });
  });
  process.on('SIGTERM', () => void agent.leave(143, 'other'));
  process.on('SIGHUP', () => void agent.leave(129, 'other'));
}

function openSession(options: Options, home: Home): Opened | string {
  const wanted = options.resume ?? (options.continues ? home.latestSession() : undefined);
  if (wanted !== undefined) {
    if (!home.hasTranscript(wanted)) return `No conversation found with session ID: ${wanted}`;
    return { session: wanted, past: readPast(home.transcriptPath(wanted)) };
  }
  if (options.continues) return 'No conversation found to continue';
  const session = options.sessionId ?? randomUUID();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(session))
    return 'Error: Invalid session ID. Must be a valid UUID.';
  if (home.hasTranscript(session)) return `Error: Session ID ${session} is already in use.`;
  return { session, past: undefined };
}

function readSettings(given: string | undefined): Settings | string {
  if (given === undefined) return { rules: [], unknownEvents: [] };
  try {
    return parseSettings(given.trimStart().startsWith('{') ? given : readFileSync(given, 'utf8'));
  } catch (error) {
    return `Error: Settings file cannot be read: ${String(error)}`;
  }
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
