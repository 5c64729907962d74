/** What may tests of other rooms use of the host? */
export { hostContract } from './contract/contract.ts';
