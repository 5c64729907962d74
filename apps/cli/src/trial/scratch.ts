/** Starts a coding agent on trial: in a repository of its own, in a tmux server of its own, both gone afterwards. */
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import type { Profile } from '@drover/screen';
import { factsAsText, TmuxServer } from '@drover/tmux';
import type { PaneAddress } from '@drover/tmux';
import { CommandError } from '../exit-codes.ts';

const run = promisify(execFile);
const SESSION = 'trial';
/** Characters of one write, and milliseconds between two, where a profile types by keys. */
const BY_HAND = { chunk: 60, gapMs: 20 } as const;

/** A screen of the program on trial. */
export interface Shown {
  readonly ansi: string;
  /** Facts of the pane, as tmux names them. */
  readonly facts: Readonly<Record<string, string>>;
}

interface ScratchOptions {
  /** Program and arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly width: number;
  readonly height: number;
  readonly profile: Profile;
}

/** The place of a trial. */
export class Scratch implements AsyncDisposable {
  readonly #directory: string;
  readonly #server: TmuxServer;
  readonly #pane: PaneAddress;

  private constructor(directory: string, server: TmuxServer, pane: PaneAddress) {
    this.#directory = directory;
    this.#server = server;
    this.#pane = pane;
  }

  /** @throws {CommandError} `environment` if the program cannot be started. */
  static async open({ argv, env, width, height, profile }: ScratchOptions): Promise<Scratch> {
    // The path is short, because a socket lies in it and its path may have 103 bytes.
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'drover-try-')));
    const cwd = path.join(directory, 'repository');
    await makeRepository(cwd);
    const server = await TmuxServer.open({
      host: createLocalHost({ env }),
      clock: systemClock,
      socket: { kind: 'path', path: path.join(directory, 's') },
      secret: randomUUID(),
    });
    const { set, unset } = profile.launch.env;
    const plan = { name: SESSION, width, height, cwd, argv, env: set, unsetEnv: unset };
    const outcome = await server.createSession(plan);
    if (outcome.kind === 'created') return new Scratch(directory, server, outcome.pane.incarnation);
    await server.killServer();
    throw new CommandError('environment', `tmux did not start ${argv.join(' ')}: ${outcome.kind}`);
  }

  /** Command by which a person reaches the program from another terminal. */
  get attach(): string {
    return `tmux -S ${this.#server.socket} attach -t ${SESSION}`;
  }

  /** @throws {CommandError} `environment` if the pane is gone. */
  async shown(): Promise<Shown> {
    const outcome = await this.#server.capture(this.#pane, { colours: true });
    if (outcome.kind === 'pane-gone')
      throw new CommandError('environment', 'The pane of the trial is gone: was its session killed? Start again');
    const { capture } = outcome;
    return { ansi: capture.ansi ?? capture.text, facts: factsAsText(capture.facts) };
  }

  /** Puts a text into the program's box as its profile says. */
  async type(text: string, { typing }: Profile): Promise<void> {
    await this.#server.withPane(this.#pane, (hands) =>
      typing.method === 'paste' ? hands.paste(text) : hands.typeText(text, BY_HAND),
    );
  }

  async press(keys: readonly string[]): Promise<void> {
    await this.#server.withPane(this.#pane, (hands) => hands.pressKeys(keys));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.killServer();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function makeRepository(at: string): Promise<void> {
  await mkdir(at);
  await writeFile(path.join(at, 'README.md'), '# A repository to try a coding agent in\n');
  const git = (...args: readonly string[]): Promise<unknown> => run('git', ['-C', at, ...args]);
  await git('init', '--quiet');
  await git('add', '.');
  const who = ['-c', 'user.name=Drover', '-c', 'user.email=drover@localhost'];
  await git(...who, 'commit', '--quiet', '--message', 'First');
}
