/** What may a composition root use of gateways? Apart from the agent's own entry, so that only those who need it load what speaks SSH. */
export { startGateway, type GatewayStart, type RunningGateway } from './start.ts';
