/** Time that a person stays at a terminal whose connection is lost, and reasons for the end of the visit. */
import type { TerminalLine } from '../../../client/terminal-line.ts';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Milliseconds for which a lost connection is retried, and the pause between two tries. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 1_000;
/** Last words after which a new connection helps: the other end did not mean this worker. */
const PASSING: ReadonlySet<string> = new Set(['lost', 'stopping', 'no-answer', 'not-connected']);

type Line = Pick<TerminalLine, 'over' | 'close'>;

/** Parts that stay in place while connections come and go. */
export interface Staying<L extends Line> {
  readonly clock: Pick<Surroundings, 'now' | 'sleep'>;
  /** Fires when the person leaves. */
  readonly left: AbortSignal;
  /** Opens another connection. @throws {CommandError} if none helps, with the reason, or `unreachable`; any other error: retry. */
  readonly open: () => Promise<L>;
  readonly onOpened: (line: L) => void;
  readonly onLost: () => void;
  /** Tells whether the last connection has shown the pane: one that shows nothing does not count. */
  readonly hasShown: () => boolean;
}

/** Stays until the person leaves (null), or no connection can help. */
export async function stay<L extends Line>(
  first: L,
  { clock, left, open, onOpened, onLost, hasShown }: Staying<L>,
): Promise<{ readonly message: string } | null> {
  const leaving = new Promise<null>((resolve) => {
    if (left.aborted) resolve(null);
    left.addEventListener('abort', () => resolve(null));
  });
  let line: L | null = first;
  let lostAt = clock.now();
  let why = 'the coordinator no longer answers';
  for (;;) {
    if (line !== null) {
      const last = await Promise.race([line.over, leaving]);
      if (left.aborted) {
        line.close();
        return null;
      }
      if (last !== null && !PASSING.has(last.code)) return last;
      why = last?.message ?? why;
      if (hasShown()) lostAt = clock.now();
    }
    if (clock.now() - lostAt > PATIENCE_MS) return { message: why };
    onLost();
    await clock.sleep(AGAIN_MS, left);
    if (left.aborted) return null;
    const opened: L | CommandError | null = await open().catch((error: unknown) =>
      error instanceof CommandError && error.code !== 'unreachable' ? error : null,
    );
    if (opened instanceof CommandError) return opened;
    line = opened;
    if (line !== null) onOpened(line);
  }
}
