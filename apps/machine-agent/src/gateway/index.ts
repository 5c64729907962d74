/** Entry for composition roots that use gateways. Apart from the agent's own entry, so that only its users load the code that speaks SSH. */
export { startGateway, type GatewayStart, type RunningGateway } from './start.ts';
