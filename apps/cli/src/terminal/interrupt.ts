/** Prints a message when a person ends a command by Ctrl-C. */

/** The needed parts of a process. */
type Interrupted = Pick<NodeJS.Process, 'once' | 'off' | 'kill' | 'pid'>;

/** Calls `say` at the first Ctrl-C, which then ends the process as any other program. Disposing removes the handler. */
export function onInterrupt(say: () => void, self: Interrupted = process): Disposable {
  const interrupted = (): void => {
    say();
    // Nothing listens any more: shells and scripts see a program that the signal ended.
    self.kill(self.pid, 'SIGINT');
  };
  self.once('SIGINT', interrupted);
  return { [Symbol.dispose]: () => self.off('SIGINT', interrupted) };
}
