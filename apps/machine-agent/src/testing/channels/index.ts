/** Scripted programs that let a second client in, and the game that kills every part of a delivery to them. */
export { play, type Played } from './play.ts';
export type { ScriptedPeer } from './peer.ts';
export { ScriptedCodex } from './scripted-codex.ts';
export { ScriptedOpenCode } from './scripted-opencode.ts';
export { TIMES } from './fast-clock.ts';
