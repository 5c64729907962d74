/** What do simulations run of a machine agent? Its core, with hands, panes and a network of their own. */
export { Core, openStores } from '../core.ts';
export type { CoreOptions, Stores } from '../core.ts';
export type { Hands, Hold, Order, Panes } from '../execute/ports.ts';
export type { MachineKey } from '../identity/machine-key.ts';
export type { Clock, CrashPoint, Log } from '../options.ts';
export { isWorthTelling, keyOf } from '../panes/novelty.ts';
export type { Told } from '../panes/novelty.ts';
export { Profiles } from '../panes/agent-profile.ts';
export type { Post } from '../sync/http-adapter.ts';
export { MemoryDisk } from './memory-disk.ts';
