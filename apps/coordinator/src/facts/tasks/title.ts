/** Names a task in a list: the first line of its prompt, cut to 80 characters. */
const CHARS_MAX = 80;

export function taskTitle(prompt: string): string {
  const [first = ''] = prompt.trim().split('\n');
  return first.length <= CHARS_MAX ? first : `${first.slice(0, CHARS_MAX - 1)}…`;
}
