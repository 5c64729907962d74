/** Remembers the previous reads of one pane. Most looks find only a spinner in another place: rows that stay the same are not read again. */
import { RowReader } from './ansi.ts';
import { ProgressReader } from './progress.ts';

/** Reader for one life of a pane, given along with each look at it ({@link Look}). Beliefs do not depend on it. */
export class PaneReader {
  readonly rows = new RowReader();
  readonly progress = new ProgressReader();
}
