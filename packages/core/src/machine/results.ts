/** How commands to machines can end, as a list: what a machine answers beyond it says nothing. */
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
  resolution: ['judged'],
  candidate: ['candidate', 'clash', 'contained', 'changed'],
  extend: ['extended'],
  validate: ['valid', 'invalid', 'changed'],
  publish: ['published', 'offered', 'moved', 'blocked', 'rejected'],
  prove: ['proven', 'unproven'],
  recycle: ['recycled', 'changed'],
  freeze: ['frozen'],
  'let-in': ['let-in'],
  remove: ['removed', 'not-removed'],
} as const satisfies { readonly [K in CommandKind]: readonly Commands[K]['result']['kind'][] };

/** Does not compile while a result of a command is missing from its list. */
const COMPLETE: {
  readonly [K in CommandKind]: Exclude<Success<K>['kind'], (typeof RESULTS)[K][number]>;
} extends Readonly<Record<CommandKind, never>>
  ? true
  : never = true;

/** Whether a command can end in this way. What a machine answers beyond it says nothing of the command. */
export function belongsTo(command: Command, result: CommandResult): boolean {
  const own: readonly string[] = RESULTS[command.kind];
  return (COMPLETE && own.includes(result.kind)) || result.kind === 'failed' || result.kind === 'unknown';
}
