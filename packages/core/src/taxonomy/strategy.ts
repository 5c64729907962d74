/** Names the strategies against an error. */

/**
 * The ways out of an error: the same again; start the thing again; go on without it; let another do it; undo and try
 * another way; ask a person; stop here and keep what there is.
 */
export type Strategy = 'retry' | 'restart' | 'skip' | 'substitute' | 'rollback' | 'escalate' | 'abort';
