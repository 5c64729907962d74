/** What may tests of other rooms use of the host? */
export { hostContract } from './contract/contract.ts';
export { BadLink } from './link/bad-link.ts';
export { newSecret, reach, type Reached, type ReachOptions, sshHostOn } from './sshd/hosts.ts';
export { dropbearProgram, startDropbear } from './sshd/dropbear.ts';
export { freePorts, programPath, sshdProgram, startSshd, type SshdOptions, type TestSshd } from './sshd/sshd.ts';
