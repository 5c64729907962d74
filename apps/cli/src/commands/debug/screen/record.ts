/** `drover debug screen record`: keeps a worker's screen with the label that it should have had, as a test case for the detector. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required, text } from '../../../program/spec.ts';

export const command = defineCommand({
  about: 'keep a screen, with its right label, as a test case',
  example: 'drover debug screen record adam --label permission',
  args: { worker: required('its name') },
  options: {
    label: text('label', 'what it really is: ready, processing, permission …', { isRequired: true }),
    dir: text('dir', 'where it is kept', { default: 'screens' }),
    version: text('version', 'the version of the agent program'),
    note: text('text', 'a note about it'),
  },
  async run(surroundings, { args: { worker: name }, options: { label, dir, version = '', note = '' } }) {
    const { terminal, cwd, now } = surroundings;
    const { CAPTURE_LABELS } = await import('@drover/screen');
    if (!CAPTURE_LABELS.some((known) => known === label)) {
      throw new CommandError('usage', `"${label}" is no label; there are: ${CAPTURE_LABELS.join(', ')}`);
    }
    const reading = await ask(surroundings, (client) => client.workers.screen.query({ name }));
    const { profile: program, facts, ansi } = reading;
    const directory = path.resolve(cwd, dir);
    const base = path.join(directory, `${label}-${name}-${now()}`);
    const file = { program, version, state: label, label, note, ...facts };
    try {
      await mkdir(directory, { recursive: true });
      await writeFile(`${base}.ansi`, ansi, { flag: 'wx' });
      await writeFile(`${base}.json`, `${JSON.stringify(file, null, 1)}\n`, { flag: 'wx' });
    } catch (error) {
      throw new CommandError(
        'environment',
        `Cannot write ${base}.ansi and .json: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    answer(
      surroundings,
      { ansi: `${base}.ansi`, json: `${base}.json`, judged: reading.label },
      ({ judged }) => `Kept ${base}.ansi and .json (judged "${judged}").`,
    );
    terminal.err('It holds what the screen showed: look through it for secrets before you share it.');
  },
});
