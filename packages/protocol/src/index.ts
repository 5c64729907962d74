/** What does protocol offer? Schemas and types of everything that crosses a wire between coordinator and machine agent. */
export { agentState } from './agent-state.ts';
export { tellMisfit, type Misfit } from './misfit.ts';
export { commitName, epochMs, MESSAGE_BYTES_MAX, PROMPT_BYTES_MAX, uuid } from './names.ts';
export { look, op, opResult } from './op.ts';
export { inventory, INVENTORY_ENTRIES_MAX, type Inventory } from './inventory.ts';
export { seat, type Seat, type UnreadSeat } from './seat.ts';
export * from './sync.ts';
export { toolFailureReport } from './tool-failure.ts';
export type { UnreadCommand } from './unread-command.ts';
export { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN, speaks } from './version.ts';
