/** Shows a notice on the desktop, by the program that each desktop brings. The text comes from agents: it is data to that program. */
import { messageOf } from '@drover/base';
import type { Environment } from '@drover/config/surroundings';
import { createLocalHost } from '@drover/host';

/** The content of a notice. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** Characters of a notice that are shown: desktops cut it anyway. */
const TEXT_CHARS_MAX = 200;
/** Milliseconds that the desktop may take. */
const SHOW_MS = 5_000;

/** AppleScript that shows its arguments: texts are never part of the script. */
const APPLE_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
].flatMap((line) => ['-e', line]);

/** Returns the program that shows a notice, with its arguments; null if no desktop is known. */
export function noticeCommand(
  { title, text }: Notice,
  { platform, variables }: { readonly platform: string; readonly variables: Environment['variables'] },
): readonly [program: string, ...args: string[]] | null {
  const shown = text.slice(0, TEXT_CHARS_MAX);
  if (platform === 'darwin') return ['osascript', ...APPLE_SCRIPT, title, shown];
  const hasDesktop = variables['DISPLAY'] !== undefined || variables['WAYLAND_DISPLAY'] !== undefined;
  // Desktops parse the text as markup: a link in it could be pressed.
  return platform === 'linux' && hasDesktop ? ['notify-send', '--app-name=Drover', '--', title, asText(shown)] : null;
}

function asText(markup: string): string {
  return markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The result of a notice. */
export type NoticeOutcome =
  | { readonly kind: 'shown' }
  | { readonly kind: 'no-desktop' }
  | { readonly kind: 'failed'; readonly message: string };

/** Shows a notice, if there is a desktop. Never rejects: a person without a desktop has the bell. */
export async function showNotice(notice: Notice, { variables }: Environment): Promise<NoticeOutcome> {
  const command = noticeCommand(notice, { platform: process.platform, variables });
  if (command === null) return { kind: 'no-desktop' };
  const [program, ...args] = command;
  try {
    await createLocalHost({ env: variables }).run(program, args, { timeoutMs: SHOW_MS });
    return { kind: 'shown' };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
