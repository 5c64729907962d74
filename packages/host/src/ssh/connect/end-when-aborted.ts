/** Ends what takes its time, such as a connection to a server that does not answer, when its caller gives up. */
import { addAbortListener } from 'node:events';

/** Calls `end` once the signal fires, at once where it has fired already. Disposing the answer takes that back. */
export function endWhenAborted(signal: AbortSignal | undefined, end: () => void): Disposable | undefined {
  return signal === undefined ? undefined : addAbortListener(signal, end);
}
