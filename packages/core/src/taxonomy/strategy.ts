/** Names the strategies against an error. */

/**
 * Strategies against an error: retry; start the thing again; go on without it; let another do it; undo and try another way; ask a person; stop
 * here and keep the results.
 */
export type Strategy = 'retry' | 'restart' | 'skip' | 'substitute' | 'rollback' | 'escalate' | 'abort';
