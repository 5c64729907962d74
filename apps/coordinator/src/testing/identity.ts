/** Holds the identity of a coordinator in tests. */
import { createFleetIdentity } from '../context/identity.ts';

/** Identity that never changes. */
export const TEST_IDENTITY = createFleetIdentity(Buffer.alloc(32, 1).toString('base64url'));
