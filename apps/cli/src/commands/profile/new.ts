/** `drover profile new`: writes a short profile for a program of the user's own. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, text } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'write a short profile for a program that Drover does not know',
  example: 'drover profile new copilot --like codex\ndrover profile try copilot',
  args: { name: required('a lower-case letter, then letters, digits or hyphens') },
  options: {
    like: text('profile', 'the built-in profile whose program looks most like it', { default: 'generic' }),
    program: text('program', 'the program to start (default: the name)'),
  },
  async run(surroundings, { args: { name }, options: { like, program = name } }) {
    const { shortProfile } = await import('../../profiles/short.ts');
    const { directoriesFor } = await import('../../profiles/files.ts');
    const written = shortProfile({ name, like, program });
    if (written.kind === 'invalid') throw new CommandError('usage', written.problem);
    const [own = ''] = directoriesFor(surroundings);
    const file = path.join(own, `${name}.toml`);
    await mkdir(own, { recursive: true });
    await writeFile(file, written.text, { flag: 'wx' }).catch((error: unknown) => {
      const why = messageOf(error);
      throw new CommandError('refused', `Cannot write ${file}: ${why}`, { cause: error });
    });
    answer(surroundings, { file }, () => `Wrote ${file}. Try it: drover profile try ${name}`);
  },
});
