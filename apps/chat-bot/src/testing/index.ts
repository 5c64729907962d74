/** Scripted chat services and a double of the coordinator, for tests and the demo. */
export { CoordinatorDouble, testCard } from './coordinator-double.ts';
export { testNature } from './nature.ts';
export type { Fault, Press, ScriptedPeer, Seen } from './peer.ts';
export { startDiscordPeer } from './discord-peer.ts';
export { startNtfyPeer } from './ntfy-peer.ts';
export { startSlackPeer } from './slack-peer.ts';
export { startTelegramPeer } from './telegram-peer.ts';
export type { TelegramScript } from './telegram-peer.ts';
export { waitFor } from './wait-for.ts';
