// Keeps many panes moving, and knows to the millisecond what each shows since when.
//
// The panes run `cat` of a FIFO; this one process writes into all of them: a frame every 100 ms, and now and then a new state. So the
// animation costs little, and the truth about every state is in one log.
import { appendFileSync, closeSync, constants, openSync, writeSync } from 'node:fs';
import { now } from '../src/wait.ts';

/** Plan of the animation. Given as JSON in the first argument. */
export interface AnimatorPlan {
  readonly fifos: readonly string[];
  /** File in which each change of a state is logged, as JSON lines of {@link StateShown}. */
  readonly log: string;
  /** Texts written when a state begins, one after the other; `{n}` is replaced by the state's number. */
  readonly states: readonly string[];
  /** Text written for each frame; `{n}` is replaced by the frame's number. */
  readonly frame: string;
  /** Shortest and longest life of a state, in milliseconds. */
  readonly stateMs: readonly [number, number];
}

/** A pane shows a new state from this moment. */
export interface StateShown {
  readonly pane: number;
  readonly state: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Frames a second of each pane, and the parts of a frame's time over which the panes are spread. */
const FRAME_MS = 100;
const SLICES = 10;

function animate({ fifos, log, states, frame, stateMs }: AnimatorPlan): void {
  // Files opened for both directions: neither side ever waits for the other or sees an end.
  const files = fifos.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  const panes = files.map((file) => ({ file, state: 0, nextAt: 0 }));
  let tick = 0;
  const [least, most] = stateMs;
  const timer = setInterval(() => {
    tick += 1;
    const at = now();
    for (let pane = tick % SLICES; pane < panes.length; pane += SLICES) {
      const one = panes[pane];
      if (one === undefined) continue;
      if (
        at >= one.nextAt &&
        say(one.file, (states[one.state % states.length] ?? '').replaceAll('{n}', String(one.state)))
      ) {
        appendFileSync(log, `${JSON.stringify({ pane, state: one.state, at: now() } satisfies StateShown)}\n`);
        one.state += 1;
        one.nextAt = at + least + ((pane * 7_919 + one.state * 104_729) % Math.max(1, most - least));
      } else {
        say(one.file, frame.replaceAll('{n}', String(tick)));
      }
    }
  }, FRAME_MS / SLICES);
  process.on('message', () => {
    clearInterval(timer);
    for (const file of files) closeSync(file);
    process.disconnect();
  });
}

/** @returns false when the pane is behind and nothing was written. */
function say(file: number, text: string): boolean {
  try {
    return writeSync(file, text) > 0;
  } catch {
    return false;
  }
}

const [given] = process.argv.slice(2);
if (given !== undefined) animate(JSON.parse(given) as AnimatorPlan);
