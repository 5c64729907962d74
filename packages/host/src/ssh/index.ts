/** Entry of machines over SSH for other rooms. Stands apart from the host's own entry, so that only rooms that need it load a library. */
export { type Carrier, CarrierError } from './carrier.ts';
export {
  connectTo,
  readShownKey,
  type ConnectOptions,
  type ConnectTools,
  type Made,
  type ShownKey,
} from './connect/connect.ts';
export { type Destination, resolveDestination, type Resolved } from './connect/destination.ts';
export { ConnectError } from './connect/errors.ts';
export { fingerprintOf, type HostKey, judge, type Trust } from './connect/host-key.ts';
export type { Examination } from './examine/examine.ts';
export type { HostCheck, HostFinding } from './examine/findings.ts';
export type { NeededProgram } from './examine/install.ts';
export { SystemError } from './files/system-error.ts';
export type { Arrival } from './link/arrive.ts';
export { helpForDirectory } from './link/state-directory.ts';
export { createSshHost, type SshHost } from './ssh-host.ts';
