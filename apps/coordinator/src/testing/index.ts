/** What simulations drive of a coordinator, below its HTTP: the use cases themselves. */
export { challenge, hello, join, sha256 } from '../agent/enrol.ts';
export type { Answer } from '../agent/enrol.ts';
export { createFleetIdentity } from '../agent/identity.ts';
export type { FleetIdentity } from '../agent/identity.ts';
export { answer, endOf, newerProfiles, notRegistered, takeCommands, takePoll, takeRequest } from '../agent/sync.ts';
export { nextHint, Waiters } from '../agent/waiters.ts';
export { DatabaseClock } from '../database-clock.ts';
export { drainDueWork } from '../due/drain.ts';
export type { Clock, Hints, LocalClock } from '../ports.ts';
export type { Context } from '../use-cases/context.ts';
export { createFleet } from '../use-cases/fleet.ts';
export { askHome } from '../use-cases/parcels/home.ts';
export { digest } from '../use-cases/policies/in-force.ts';
export { PATROL_KEY } from '../use-cases/patrol.ts';
export { WebhookLoop } from '../webhooks/loop.ts';
export { TEST_IDENTITY } from './identity.ts';
export { replica, SECRET } from './replica.ts';
