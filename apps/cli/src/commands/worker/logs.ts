/** `drover logs`: prints the events of a worker, its terminal, or the conversation with its agent. */
import { messageOf } from '@drover/base';
import type { EventView } from '@drover/api';
import { isDrawn } from '@drover/screen';
import { ask } from '../../client/client.ts';
import { untilAnswered } from '../../client/until-answered.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { paint, plain, section } from '../../terminal/style.ts';
import { entryText, eventText } from './text.ts';

/** Maximum number of terminal lines that `--pane` shows. */
const PANE_LINES = 2_000;
/** Terminal lines that are shown after the events. */
const LAST_LINES = 20;
/** Milliseconds that one request waits for an event. */
const WAIT_MS = 20_000;
/** Entries of a conversation that one answer holds. */
const ENTRIES_MAX = 200;

export const command = defineCommand({
  about: 'show what happened to a worker',
  more: `The last lines of its terminal and its git state follow. The log of Drover
itself lies in the directory that "drover doctor" names, in logs/up.log.`,
  example:
    'drover logs adam\ndrover logs adam --follow\ndrover logs adam --pane | less\ndrover logs adam --pane --follow\ndrover logs adam --conversation',
  args: { worker: required('its name') },
  options: {
    limit: count('count', 'how many events', { min: 1, max: 500, default: 50, short: 'n' }),
    follow: flag('keep printing new events until Ctrl-C', { short: 'f' }),
    conversation: flag('show the conversation with its agent instead: prompts, answers and tool calls'),
    pane: flag('show its terminal instead, with its history; with --follow, the live screen'),
  },
  async run(surroundings, { args: { worker: name }, options: { limit, follow, pane, conversation } }) {
    if (conversation) return printConversation(surroundings, name, Math.min(limit, ENTRIES_MAX));
    if (pane && follow) {
      // Loaded only then: the module loads the WebSocket client.
      const { followPane } = await import('./logs/follow-pane.ts');
      return followPane(surroundings, name);
    }
    if (pane) {
      const { text } = await ask(surroundings, (client) => client.workers.pane.query({ name, lines: PANE_LINES }));
      answer(surroundings, { text }, () => text);
      return;
    }
    const newest = await ask(surroundings, (client) => client.events.query({ name, waitMs: 0, limit }));
    const events = newest.toReversed();
    const print = (event: EventView): void =>
      answer(surroundings, event, (one, { terminal }) => eventText(one, { terminal, named: false }));
    for (const event of events) print(event);
    if (!follow) {
      if (!surroundings.terminal.json) await printPlace(surroundings, name);
      return;
    }
    let after = events.at(-1)?.id ?? 0;
    for (;;) {
      const input = { name, after, waitMs: WAIT_MS, limit: 500 };
      const asked = (): Promise<readonly EventView[]> => ask(surroundings, (client) => client.events.query(input));
      for (const event of await untilAnswered(surroundings, asked)) {
        print(event);
        after = event.id;
      }
    }
  },
});

/** Prints the last entries of the conversation, oldest first. */
async function printConversation(surroundings: Surroundings, name: string, limit: number): Promise<void> {
  const page = await ask(surroundings, (client) => client.workers.conversation.query({ name, limit }));
  answer(surroundings, page, ({ entries, lacks }) => {
    if (lacks !== null) return `${plain(lacks)}.`;
    return entries.length === 0 ? 'Nothing was said yet.' : entries.map(entryText).join('\n\n');
  });
}

/** Prints the terminal and git's state, as far as the machine answers. */
async function printPlace(surroundings: Surroundings, name: string): Promise<void> {
  const { terminal } = surroundings;
  const bold = (text: string): string => paint(text, 'bold', terminal.colours);
  const asked = ask(surroundings, (client) => client.workers.pane.query({ name, lines: LAST_LINES, git: true }));
  const shown = await asked.catch((error: unknown) => messageOf(error));
  if (typeof shown === 'string') {
    terminal.out(`\nIts terminal and git state are not known now: ${plain(shown)}`);
    return;
  }
  const lines = shown.text.split('\n').filter((line) => line.trim() !== '' && !isDrawn(line));
  const parts = [
    ...section(bold('Last lines of its pane'), lines.map(plain)),
    ...section(bold('Git'), shown.git.map(plain)),
  ];
  if (parts.length > 0) terminal.out(`\n${parts.join('\n').trimEnd()}`);
}
