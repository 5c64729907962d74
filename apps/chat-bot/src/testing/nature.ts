/** The adapters of tests: real requests over loopback, and pauses that are short. */
import { systemHttp } from '../http-adapter.ts';
import { systemSocket } from '../socket-adapter.ts';
import type { Nature } from '../ports.ts';

/** Longest pause of a test, in milliseconds. */
const PAUSE_MAX_MS = 20;

/** Its log is kept. */
export function testNature(): Nature & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    clock: {
      now: () => Date.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, Math.min(ms, PAUSE_MAX_MS));
        return () => clearTimeout(timer);
      },
    },
    log: (level, message) => void lines.push(`${level} ${message}`),
    http: systemHttp,
    socket: systemSocket,
    random: () => 0.5,
  };
}
