/** The adapters of tests: real requests over loopback, and a clock whose pauses are a hundred times shorter. */
import { systemHttp } from '../http-adapter.ts';
import { systemSocket } from '../socket-adapter.ts';
import type { Nature } from '../ports.ts';

/** Every pause is so many times shorter, so that their order stays. */
const FASTER = 100;

/** Its log is kept. */
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
