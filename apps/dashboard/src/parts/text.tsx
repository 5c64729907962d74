/** Shows text of agents, people and repositories: as text, with marks for characters that do not show. */
import { showHidden } from '@drover/core/hidden-characters';

export function Text({ of }: { readonly of: string }) {
  return <>{showHidden(of)}</>;
}
