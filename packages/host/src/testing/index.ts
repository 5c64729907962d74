/** What may tests of other rooms use of the host? */
export { hostContract } from './contract/contract.ts';
export { BadLink } from './link/bad-link.ts';
export { reach, type Reached, sshHostOn } from './sshd/hosts.ts';
export { freePorts, programPath, sshdProgram, startSshd, type TestSshd } from './sshd/sshd.ts';
