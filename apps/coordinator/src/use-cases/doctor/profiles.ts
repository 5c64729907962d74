/** Reminds people of profiles that only a part of the fleet has. */
import type { ProfileView } from '@drover/api';
import type { Finding } from './facts.ts';
import { warning } from './finding.ts';

export function examineProfiles(profiles: readonly ProfileView[]): readonly Finding[] {
  return profiles.flatMap(({ name, staged }) => {
    if (staged === null) return [];
    const says = `a change is staged for machines with the label "${staged.label}" (${staged.machines} so far); the others have the former profile`;
    return [
      warning('profile', name, { says, help: `drover profile adopt ${name}   (or: drover profile rollback ${name})` }),
    ];
  });
}
