/** Checks that the machine of this process keeps the contract of a host. */
import { createLocalHost } from '../src/index.ts';
import { hostContract } from '../src/testing/index.ts';

hostContract(() => Promise.resolve(createLocalHost({ env: { ...process.env, OWN: 'own', REMOVED: 'x' } })));
