/** Entry of the host for tests of other rooms. */
export { hostContract } from './contract/contract.ts';
export { BadLink } from './link/bad-link.ts';
export { newSecret, reach, type Reached, type ReachOptions, sshHostOn } from './sshd/hosts.ts';
export { dropbearProgram, startDropbear } from './sshd/dropbear.ts';
export { freePorts, programPath, sshdProgram, startSshd, type SshdOptions, type TestSshd } from './sshd/sshd.ts';
