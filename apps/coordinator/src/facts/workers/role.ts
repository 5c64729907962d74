/** Role of a worker that names none. Source: docs/configuration.md, workers.X.role. */
export const DEFAULT_ROLE = 'developer';
