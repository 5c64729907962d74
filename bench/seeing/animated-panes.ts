// Sets up many animated panes on a tmux server, and takes them down again.
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Incarnation, TmuxServer } from '@drover/tmux';
import type { AnimatorPlan, StateShown } from './animator.ts';
import { openServer, TMUX } from './driver.ts';
import { SHOWN, SIZE } from './recorded-screens.ts';

/** Panes on a tmux server of their own, moving ten times a second. */
export class AnimatedPanes implements AsyncDisposable {
  readonly dir: string;
  readonly socket: string;
  readonly panes: readonly Incarnation[];
  readonly serverPid: number;
  readonly version: string;
  readonly #animator: ChildProcess;

  private constructor(
    dir: string,
    found: { panes: readonly Incarnation[]; server: TmuxServer; animator: ChildProcess },
  ) {
    this.dir = dir;
    this.socket = join(dir, 's');
    this.panes = found.panes;
    this.serverPid = found.server.identity.pid;
    this.version = found.server.abilities.version;
    this.#animator = found.animator;
  }

  static async start(count: number): Promise<AnimatedPanes> {
    const dir = mkdtempSync(join(tmpdir(), 'drover-bench-'));
    const fifos = makeFifos(dir, count);
    await using server = await openServer(join(dir, 's'));
    const panes: Incarnation[] = [];
    for (const [index, fifo] of fifos.entries()) {
      const made = await server.createSession({ name: `w${index}`, argv: ['cat', fifo], cwd: dir, ...SIZE });
      if (made.kind !== 'created') throw new Error(`Could not open pane ${index}: ${made.kind}`);
      panes.push(made.pane.incarnation);
    }
    const animator = startAnimator({ ...SHOWN, fifos, log: join(dir, 'states.jsonl'), stateMs: [1_000, 3_000] });
    return new AnimatedPanes(dir, { panes, server, animator });
  }

  get animatorPid(): number {
    return this.#animator.pid ?? 0;
  }

  /** Every state shown so far. */
  shown(): readonly StateShown[] {
    return readLines<StateShown>(join(this.dir, 'states.jsonl'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopAnimator(this.#animator);
    execFileSync(TMUX, ['-S', this.socket, 'kill-server'], { stdio: 'ignore' });
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** FIFOs named after their number. */
export function makeFifos(dir: string, count: number): readonly string[] {
  const fifos = Array.from({ length: count }, (_, index) => join(dir, `pane-${index}`));
  if (fifos.length > 0) execFileSync('mkfifo', fifos);
  return fifos;
}

/** Starts the animation in a process of its own. */
export function startAnimator(plan: AnimatorPlan): ChildProcess {
  return fork(join(import.meta.dirname, 'animator.ts'), [JSON.stringify(plan)]);
}

/** Ends the animation. */
export async function stopAnimator(animator: ChildProcess): Promise<void> {
  if (animator.exitCode !== null || !animator.connected) return;
  animator.send('stop');
  await once(animator, 'exit');
}

/** The JSON lines of a log; none when there is no log yet. The last line may still be in writing. */
export function readLines<T>(path: string): readonly T[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
