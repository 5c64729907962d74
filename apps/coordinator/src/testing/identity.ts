/** Who a coordinator of tests is. */
import { createFleetIdentity } from '../context/identity.ts';

/** Always the same. */
export const TEST_IDENTITY = createFleetIdentity(Buffer.alloc(32, 1).toString('base64url'));
