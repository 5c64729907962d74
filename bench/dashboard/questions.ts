// Questions of workers of the shown fleet, as if their agents showed a dialog.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** Asks about the first workers of the fleet, one question each, a minute apart. */
export async function ask(client: Client, count: number): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string; project_id: string }>(
    'select id, name, project_id from workers order by length(name), name limit $1',
    [count],
  );
  for (const [at, { id, name, project_id: project }] of rows.entries()) {
    const title = `asks: Which name shall file ${at + 1} have?`;
    const options = ['short', 'long'].map((label) => ({ id: label, label, needsText: false }));
    const context = {
      worker: name,
      project: 'bench',
      machine: 'm1',
      machineState: 'connected',
      profile: 'sim',
      account: '',
      status: 'needs_input',
      note: title,
      lastActivityAt: null,
      prompt: null,
      worktree: '',
      code: 'AGENT_BLOCKED',
      errorId: null,
      attempts: 0,
      tried: [],
      history: [],
      pane: ['Which name?', '❯ short', '  long'],
      gitStatus: [],
      git: null,
      remediation: [],
      fingerprint: null,
      storm: null,
    };
    await client.query(
      `insert into escalations (id, dedupe_key, worker_id, worker_name, project_id, level, severity, status, title, body, context,
         question, asked, members, version, occurrences, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 4, 'warning', 'open', $6, '', $7, $8, 1, $9, 1, 1, now() - $10 * interval '1 minute', now())`,
      [
        randomUUID(),
        `incident:${id}`,
        id,
        name,
        project,
        title,
        JSON.stringify(context),
        JSON.stringify({ kind: 'choice', title, body: '', options }),
        JSON.stringify([{ workerId: id, workerName: name, incidentId: null, over: false }]),
        count - at,
      ],
    );
  }
  await client.query("select pg_notify('drover_events', '*')");
}
