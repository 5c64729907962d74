/** Which machines reported what is not theirs to report. */
import type { Machine } from '@drover/store';
import type { Context } from '../context.ts';
import type { Finding } from './facts.ts';
import { orFine, warning } from './finding.ts';
import { refusalsOf } from '../machines/refusals.ts';

/** What this replica has refused since it started; another one knows of others. */
export function examineReports(ctx: Context, machines: readonly Machine[]): readonly Finding[] {
  const found = machines.flatMap(({ id, name }) =>
    refusalsOf(ctx, id).map(({ says, times }) => {
      const since = `${times} time(s) since this coordinator started; nothing followed`;
      return warning('reports', name, {
        says: `${says}, ${since}: it lies, or it joined a second time`,
        help: 'drover machines',
      });
    }),
  );
  return orFine('reports', 'machines', { says: 'each speaks for its own workers', found });
}
