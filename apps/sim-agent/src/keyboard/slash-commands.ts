// Defines the slash commands, and recognizes them in a text.

import { displayed, type Composer } from './composer.ts';

/** A slash command with what the menu says about it. */
export interface Command {
  readonly name: string;
  readonly about: string;
}

/** The commands that are known, in the order of the menu. */
const COMMANDS: readonly Command[] = [
  { name: '/clear', about: 'Start a new session with empty context' },
  { name: '/exit', about: 'Exit the program' },
  { name: '/help', about: 'Show help and available commands' },
  { name: '/quit', about: 'Exit the program' },
];

/** The commands that the menu shows for what stands in the box: none unless it is the beginning of a command's name. */
export function menuFor(composer: Composer): readonly Command[] {
  const { text } = displayed(composer);
  return /^\/\w*$/.test(text) ? COMMANDS.filter((command) => command.name.startsWith(text)) : [];
}

/**
 * The name of the command that a submitted text calls, with its slash, or undefined for a prompt.
 * Leading spaces do not prevent a command; a path such as `/tmp/x` is not one.
 */
export function commandIn(text: string): string | undefined {
  return /^\s*(\/[a-zA-Z][\w:-]*)(?=\s|$)/.exec(text)?.[1];
}
