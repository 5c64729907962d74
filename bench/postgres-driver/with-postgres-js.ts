// Tests how postgres.js takes the death of its server.
import postgres from 'postgres';
import { surviveRestart } from './report.ts';

const url = new URL(process.env['DATABASE_URL'] ?? '');
const sql = postgres({
  path: `${decodeURIComponent(url.hostname)}/.s.PGSQL.5432`, // it does not take a socket's directory from a URL
  username: url.username,
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
  max: 4,
});

await surviveRestart(
  async (whileOpen) => {
    await sql.begin(async (transaction) => {
      await transaction`select 1`;
      await whileOpen();
      await transaction`select 2`;
    });
  },
  () => sql`select 1`,
);
await sql.end({ timeout: 1 });
