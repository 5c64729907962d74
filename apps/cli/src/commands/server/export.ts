/** `drover server export`: writes the whole database into one file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import { sizeText } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'export the database to a file; stop Drover first, unless DATABASE_URL names your own server',
  example:
    'drover server export drover.jsonl.gz\nDATABASE_URL=postgres://me@db/drover drover server export drover.jsonl.gz\ndrover server export for-a-report.jsonl --redacted',
  args: { file: required('the file to write; compressed if its name ends in .gz') },
  options: {
    redacted: flag('without secrets, tokens and the key of the fleet, for other people to read; it cannot be imported'),
  },
  async run(surroundings, { args, options: { redacted } }) {
    const { offline } = await import('../../compose/database.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readSettings } = await import('../../compose/settings.ts');
    const { terminal, cwd } = surroundings;
    const settings = await readSettings(surroundings, {});
    const database = offline(surroundings, settings);
    if (!(await database.exists()))
      throw new CommandError('not-found', `${settings.paths.root} has no database yet: "drover up" makes one`);
    const file = path.resolve(cwd, args.file);
    await refuseUnwritable(file);
    if (redacted) {
      using redaction = await openRedaction(surroundings, settings, { level: 'warn' });
      await database.exportTo(file, (text) => redaction.redactor.text(text));
    } else await database.exportTo(file);
    const { size } = await stat(file);
    if (terminal.json) {
      terminal.out(JSON.stringify({ file, bytes: size, redacted }));
      return;
    }
    terminal.out(`Exported to ${file} (${sizeText(size)}), readable by you alone.`);
    terminal.out(
      redacted
        ? 'Drover removed known secrets, tokens and the key of the fleet from it. It is for reading and cannot be imported.'
        : 'It contains unredacted prompts, the key of the fleet and hashes of tokens: keep it as safe as the database. Export with --redacted for other readers.',
    );
  },
});

/** Refuses before the export begins if its end would fail. */
async function refuseUnwritable(file: string): Promise<void> {
  const facts = await stat(path.dirname(file)).catch(() => null);
  if (facts === null || !facts.isDirectory())
    throw new CommandError(
      'not-found',
      `The directory ${path.dirname(file)} does not exist: make it, or choose another file`,
    );
  const there = await stat(file).catch(() => null);
  if (there !== null && !there.isFile())
    throw new CommandError('usage', `${file} is not a file: name a file to export to`);
}
