// Tests how `pg` takes the death of its server.
import { Pool } from 'pg';
import { surviveRestart } from './report.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 4 });
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));

await surviveRestart(
  async (whileOpen) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select 1');
      await whileOpen();
      await client.query('select 2');
      await client.query('commit');
    } finally {
      client.release(true);
    }
  },
  () => pool.query('select 1'),
);
await pool.end();
