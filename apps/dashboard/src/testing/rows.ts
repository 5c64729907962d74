/** Questions of tests. */
import type { EscalationView } from '@drover/api';

export function questionRow(given: { readonly worker: string; readonly createdAt: number }): EscalationView {
  const { worker, createdAt } = given;
  return {
    id: `q-${worker}`,
    shortId: worker,
    worker,
    workers: [],
    createdAt,
    context: { project: 'demo' },
  } as unknown as EscalationView;
}
