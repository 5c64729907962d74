// Keeps the processors busy while something is measured.
import { spawn } from 'node:child_process';

/** Programs that use a processor each, until disposed. */
export function busyLoops(count: number): Disposable {
  const loops = Array.from({ length: count }, () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  return { [Symbol.dispose]: () => loops.forEach((loop) => loop.kill('SIGKILL')) };
}
