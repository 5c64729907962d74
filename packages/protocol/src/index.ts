/** Entry of protocol: schemas and types of everything that crosses a wire between coordinator and machine agent. */
export * from './channels/index.ts';
export { tellMisfit, type Misfit } from './misfit.ts';
export { epochMs, MESSAGE_BYTES_MAX, NAME_MAX, PROMPT_BYTES_MAX, shownName, uuid } from './names.ts';
export { invitationText, readInvitation, type Invitation } from './invitation.ts';
export { reading, command, commandResult } from './command.ts';
export * from './machine/condition.ts';
export { conversationEntry, ENTRIES_MAX, ENTRY_CHARS_MAX, type ConversationEntry } from './machine/conversation.ts';
export { inventory, INVENTORY_ENTRIES_MAX, type Inventory } from './machine/inventory.ts';
export { workerSettings, type WorkerSettings, type UnreadSettings } from './worker-settings.ts';
export * from './hello.ts';
export { diffLines, type DiffLine } from './review/diff-lines.ts';
export { reviewNotes, standing, type ReviewNote, type ReviewSides, type Standing } from './review/notes.ts';
export * from './home.ts';
export * from './parcel.ts';
export {
  checkReplaced,
  checkResult,
  itemName,
  OWED_FILE,
  readOwed,
  readResult,
  resultFileName,
  resultSeen,
  runItem,
  taskResult,
  type ResultRead,
} from './run/results.ts';
export { storableJson } from './machine/storable.ts';
export * from './sync.ts';
export * from './machine/ssh.ts';
export { WORKED_MS_MAX } from './machine/usage.ts';
export * from './machine/terminal.ts';
export { toolFailureReport } from './tool-failure.ts';
export type { UnreadCommand } from './unread/unread-command.ts';
export * from './worker-token.ts';
export { isSecretName, REDACTED, Redactor, VALUE_LENGTH_MIN } from './redact/index.ts';
export {
  isTooOld,
  lackedBy,
  PROTOCOL_VERSION,
  PROTOCOL_VERSION_MIN,
  speaks,
  UPGRADE_AGENT,
  UPGRADE_GATEWAY,
} from './version.ts';
export type { Minor } from './version.ts';
