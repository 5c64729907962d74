/** Options of the coordinator that say where its database is, and where it sends traces. */
import { z } from 'zod';

/** Postgres. */
export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//u, 'expected a URL that starts with postgres://')
  .optional()
  .meta({ env: ['DROVER_DATABASE_URL', 'DATABASE_URL'], secret: true })
  .describe(
    'Postgres that keeps everything; of several hosts after commas, the writable one (docs/scale.md). Unset: the embedded Postgres in the data directory.',
  );

/** The same server past a pooler. */
export const databaseDirectUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//u, 'expected a URL that starts with postgres://')
  .optional()
  .meta({ env: ['DROVER_DATABASE_DIRECT_URL', 'DATABASE_DIRECT_URL'], secret: true })
  .describe(
    'The same Postgres without the pooler (such as PgBouncer in transaction mode) of `database_url`: migrations and notifications need a session of their own. Then set `statement_timeout` and `idle_in_transaction_session_timeout` on the database role, because a pooler refuses them from a client. Unset: `database_url` has no pooler.',
  );

/** A collector of OpenTelemetry. */
export const tracesUrl = z
  .url({ protocol: /^https?$/u, error: 'expected a URL that starts with http:// or https://' })
  .optional()
  .meta({ env: ['DROVER_TRACES_URL'] })
  .describe(
    'Collector of OpenTelemetry traces over HTTP, such as `http://localhost:4318`. A trace shows what led to each command of a machine and what came of it. Unset: no traces.',
  );
