/** Says something when a person ends a command by Ctrl-C. */

/** The parts of a process that are needed. */
type Interrupted = Pick<NodeJS.Process, 'once' | 'off' | 'kill' | 'pid'>;

/** Says it at the first Ctrl-C, which then ends the process as any other program. Disposing ends that. */
export function onInterrupt(say: () => void, self: Interrupted = process): Disposable {
  const interrupted = (): void => {
    say();
    // Nothing listens any more: shells and scripts see a program that the signal ended.
    self.kill(self.pid, 'SIGINT');
  };
  self.once('SIGINT', interrupted);
  return { [Symbol.dispose]: () => self.off('SIGINT', interrupted) };
}
