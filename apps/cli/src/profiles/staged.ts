/** Words which machines have a profile after a change. */
import type { ProfileView } from '@drover/api';
import { plain } from '../terminal/style.ts';

export function stagedText({ name, origin, revision, staged }: ProfileView): string {
  const own = origin === 'build' ? 'the built-in one' : `revision ${revision}`;
  if (staged === null) return `All machines have ${own} of the profile "${plain(name)}" within seconds.`;
  const on = staged.machines === 0 ? 'no machine has that label' : `${staged.machines} so far`;
  return `The change of the profile "${plain(name)}" is staged for machines with the label ${plain(staged.label)} (${on}). Then: drover profile adopt ${plain(name)}, or drover profile rollback ${plain(name)}`;
}
