/** `drover debug screen record`: keeps a worker's screen with the label that it should have had, as a test case for the detector. */
import path from 'node:path';
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required, text } from '../../../program/spec.ts';
import { keepScreen } from '../../../trial/keep.ts';

export const command = defineCommand({
  about: 'save a screen with its correct label as a test case',
  example: 'drover debug screen record adam --label permission',
  args: { worker: required('its name') },
  options: {
    label: text('label', 'the correct label: ready, processing, permission …', { isRequired: true }),
    dir: text('dir', 'the directory to write to', { default: 'screens' }),
    version: text('version', 'the version of the agent program'),
    note: text('text', 'a note about it'),
  },
  async run(surroundings, { args: { worker: name }, options: { label, dir, version = '', note = '' } }) {
    const { terminal, cwd, now } = surroundings;
    const { CAPTURE_LABELS } = await import('@drover/screen');
    if (!CAPTURE_LABELS.some((known) => known === label)) {
      throw new CommandError('usage', `"${label}" is not a label; the labels are: ${CAPTURE_LABELS.join(', ')}`);
    }
    const reading = await ask(surroundings, (client) => client.workers.screen.query({ name }));
    const { profile: program, facts, ansi } = reading;
    const base = path.join(path.resolve(cwd, dir), `${label}-${name}-${now()}`);
    await keepScreen(
      base,
      { ansi, file: { program, version, state: label, label, note, ...facts } },
      { replace: false },
    );
    answer(
      surroundings,
      { ansi: `${base}.ansi`, json: `${base}.json`, judged: reading.label },
      ({ judged }) => `Kept ${base}.ansi and .json (judged "${judged}").`,
    );
    terminal.err('It contains the text of the screen: check it for secrets before you share it.');
  },
});
