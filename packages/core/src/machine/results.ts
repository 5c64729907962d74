/** Which results belong to which command? What a machine answers beyond them says nothing of the command. */
import type { Command, CommandKind, CommandResult, Commands, Success } from './commands.ts';

/** How each command can end, beside `failed` and `unknown`: what the types of `Commands` say, for when a machine answers. */
export const RESULTS = {
  prepare: ['prepared'],
  open: ['opened', 'pane-gone'],
  respawn: ['opened', 'pane-gone'],
  close: ['closed'],
  deliver: ['delivered', 'queued', 'refused', 'lost', 'partial'],
  look: ['looked'],
  answer: ['answered', 'stale', 'pane-gone'],
  checkpoint: ['checkpointed'],
  restore: ['restored'],
  rebase: ['rebased', 'conflict', 'changed'],
  validate: ['valid', 'invalid', 'changed'],
  squash: ['squashed', 'nothing-to-merge', 'changed'],
  'fast-forward': ['merged', 'moved', 'blocked', 'changed'],
  recycle: ['recycled', 'changed'],
  remove: ['removed', 'not-removed'],
} as const satisfies { readonly [K in CommandKind]: readonly Commands[K]['result']['kind'][] };

/** Does not compile while a result of a command is missing from its list. */
const COMPLETE: {
  readonly [K in CommandKind]: Exclude<Success<K>['kind'], (typeof RESULTS)[K][number]>;
} extends Readonly<Record<CommandKind, never>>
  ? true
  : never = true;

/** Whether a command can end in this way. */
export function belongsTo(command: Command, result: CommandResult): boolean {
  const own: readonly string[] = RESULTS[command.kind];
  return (COMPLETE && own.includes(result.kind)) || result.kind === 'failed' || result.kind === 'unknown';
}
