/** Chooses the carrier of a target. */
import type { Git } from '../../git/git.ts';
import type { Target } from '../place.ts';
import type { Carrier } from './carrier.ts';
import { homeCarrier } from './home.ts';
import { remoteCarrier } from './remote.ts';
import { sourceCarrier } from './source.ts';

/** The carrier of a target. `context` runs git with the rights, and the hooks, that the target may have. */
export function carrierOf(context: Git, target: Target): Carrier {
  switch (target.kind) {
    case 'source':
      return sourceCarrier(context, target);
    case 'remote':
      return remoteCarrier(context, target);
    case 'home':
      return homeCarrier(context, target);
    default:
      return target satisfies never;
  }
}
