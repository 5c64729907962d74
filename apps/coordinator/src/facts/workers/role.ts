/** What a worker is for, where nothing says it. Source: docs/configuration.md, workers.X.role. */
export const DEFAULT_ROLE = 'developer';
