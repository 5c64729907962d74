/** What may other rooms use of machines over SSH? Apart from the host's own entry, so that only those who need it load a library. */
export { type Carrier, CarrierError } from './carrier.ts';
export { connectOpenssh } from './carriers/openssh-carrier.ts';
export { connectSsh2, offerKeys } from './carriers/ssh2-carrier.ts';
export { ConnectError } from './connect/errors.ts';
export type { Arrival } from './link/arrive.ts';
export { createSshHost, type SshHost } from './ssh-host.ts';
