/** A person at a terminal of their own, which runs one command of `drover`: a tmux server apart from the fleet's. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { until } from '../../../../tools/fleet/wait.ts';
import type { Sandbox } from '../../../../tools/fleet/sandbox.ts';

/** Milliseconds until an output must be seen on a loaded machine. */
const SHOWN_MS = 90_000;

/** Screen and keys of the person. */
export class Visitor implements Disposable {
  readonly #socket: string;
  readonly #env: NodeJS.ProcessEnv;

  /** Runs the command in the user's root. After the command's end, its status is shown as `[ended 0]`. */
  constructor(sandbox: Sandbox, args: readonly string[]) {
    this.#socket = path.join(sandbox.directory, 'visitor');
    this.#env = { ...sandbox.env, TERM: 'xterm-256color' };
    const script = `cd '${sandbox.root}' && '${sandbox.program}' ${args.join(' ')}; echo "[ended $?]"; exec cat`;
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', 'sh', '-c', script);
  }

  get screen(): string {
    return this.#tmux('capture-pane', '-p').toString();
  }

  /** Waits for a match. @returns the screen. */
  shows(what: RegExp): Promise<string> {
    const found = (): string | undefined => (what.test(this.screen) ? this.screen : undefined);
    return until(() => `${String(what)} in:\n${this.screen}`, found, SHOWN_MS);
  }

  /** Types words, or names of keys such as `C-b`. */
  type(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  #tmux(...args: readonly string[]): Buffer {
    return execFileSync('tmux', ['-S', this.#socket, ...args], { env: this.#env });
  }

  [Symbol.dispose](): void {
    this.#tmux('kill-server');
  }
}
