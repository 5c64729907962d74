/** The adapters of tests: real requests over loopback, and a clock whose pauses are a hundred times shorter. */
import { systemHttp } from '../http-adapter.ts';
import { systemSocket } from '../socket-adapter.ts';
import type { Nature } from '../ports.ts';

/** Divisor of every pause; the order of pauses stays. */
const FASTER = 100;

/** Makes the adapters, and keeps the log. */
export function testNature(): Nature & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    clock: {
      now: () => Date.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms / FASTER);
        return () => clearTimeout(timer);
      },
    },
    log: (level, message) => void lines.push(`${level} ${message}`),
    http: systemHttp,
    socket: systemSocket,
    random: () => 0.5,
  };
}
