/** Watches a directory of another machine for changed files. Writers of a file name it in the file `news`, which is followed. */
import type { LocalClock } from '@drover/base';
import type { ByteStream } from '../../host.ts';
import type { Machine } from '../../port/machine.ts';
import { ownerWord, type ShellOwner } from '../shell/bootstrap.ts';
import type { ProgramCall } from '../shell/lines.ts';

/**
 * Says `ready`, then all that comes to the file from this moment on, also where another file takes its place. The script's input tells when the
 * connection has ended: `tail` alone would stay.
 */
const FOLLOW =
  'cd "$1" || exit 1; n=0; [ -f news ] && n=$(wc -c <news); echo ready; tail -c +$((n+1)) -F news 2>/dev/null & cat >/dev/null; kill $!';

/** Word in the arguments of followers, by which they are found again. */
export const FOLLOWER_MARK = 'drover-news';

/** Milliseconds until the file is followed. */
const READY_MS = 60_000;
/** Characters of a name: no file system has longer ones. */
const NAME_LENGTH_MAX = 1_024;

interface WatchTools {
  /** Opens a stream on a channel of its own. */
  readonly open: (wanted: ProgramCall) => Promise<ByteStream>;
  readonly isDirectory: (path: string) => Promise<boolean>;
  readonly owner: ShellOwner;
  readonly clock: LocalClock;
}

/** Watches by the names that come to the directory's news. */
export function watchBy({ open, isDirectory, owner, clock }: WatchTools): Machine['watch'] {
  return async (directory, onName) => {
    if (!(await isDirectory(directory))) return undefined;
    const stream = await open({
      program: 'sh',
      args: ['-c', FOLLOW, `${FOLLOWER_MARK} ${ownerWord(owner)}`, directory],
    });
    const lines = linesOf(stream);
    // The stream's end is the end of its lines.
    const cancel = clock.after(READY_MS, () => stream.kill());
    const first = await lines.next();
    cancel();
    if (first.done === true) return undefined;
    const ended = (async () => {
      try {
        for await (const name of lines) if (name !== '') onName(name);
      } catch {
        // A reader that is torn off has ended.
      }
    })();
    return {
      ended,
      [Symbol.dispose]() {
        stream.end();
        stream.kill();
      },
    };
  };
}

/** Programs in panes write to that file too: a line that is longer than any name is passed over, and no more of it is held. */
async function* linesOf({ output }: ByteStream): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const chunk of output) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = (lines.pop() ?? '').slice(0, NAME_LENGTH_MAX + 1);
    yield* lines.filter((line) => line.length <= NAME_LENGTH_MAX);
  }
  return undefined;
}
