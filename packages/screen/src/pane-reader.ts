/** What was read of one pane before? Most looks find only a spinner in another place: what is as it was is not read again. */
import { RowReader } from './ansi.ts';
import { ProgressReader } from './progress.ts';

/** For one life of a pane, given along with each look at it ({@link Look}). What is believed does not depend on it. */
export class PaneReader {
  readonly rows = new RowReader();
  readonly progress = new ProgressReader();
}
