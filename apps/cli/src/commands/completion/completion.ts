/** `drover completion`: prints the completion script of a shell. The script asks `drover completion words` for each word. */
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { required, rest } from '../../program/spec.ts';
import { loadCommands } from '../load.ts';
import { candidates } from './candidates.ts';
import { liveNames } from './live-names.ts';
import { SCRIPTS } from './scripts.ts';

export const command = defineCommand({
  about: 'print the completion script for bash, zsh or fish',
  example:
    'source <(drover completion bash)        # in ~/.bashrc\n' +
    'source <(drover completion zsh)         # in ~/.zshrc, after compinit\n' +
    'drover completion fish > ~/.config/fish/completions/drover.fish',
  more: 'It completes commands, options, and the names of workers, machines, projects and others from the coordinator.',
  args: { shell: required('bash, zsh or fish'), words: rest('the words typed so far, which the scripts give') },
  async run(surroundings, { args: { shell, words } }) {
    const { terminal } = surroundings;
    if (shell === 'words') {
      const [noun] = words;
      const found = await candidates(await loadCommands(noun), words, (of) => liveNames(surroundings, of));
      if (found.length > 0) terminal.out(found.join('\n'));
      return;
    }
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined;
    if (script === undefined)
      throw new CommandError('usage', `There is no completion for "${shell}": name bash, zsh or fish`);
    terminal.out(script);
  },
});
