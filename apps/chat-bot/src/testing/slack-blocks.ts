/** Messages of the scripted Slack: their text as people read it, and their refusal by Slack. */
/** A block of Block Kit, with the fields that bots use. */
export interface Block {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly {
    readonly text?: unknown;
    readonly value?: string;
    readonly action_id?: string;
    readonly elements?: readonly { readonly text?: string }[];
  }[];
}

/** A message of the bot. */
export interface Message {
  readonly ts: string;
  readonly channel: string;
  text: string;
  blocks: readonly Block[];
}

/** Returns the text of a message as people read it. */
export function textOf({ blocks, text }: Message): string {
  const parts = blocks.flatMap((block) => [
    block.text?.text ?? '',
    ...(block.elements ?? []).flatMap(({ elements = [] }) => elements.map((one) => one.text ?? '')),
  ]);
  return [rendered(text), ...parts].join('\n');
}

/** Renders a text as people read it, for texts in which Slack reads markup. */
export function rendered(text: string): string {
  return text
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Tells whether Slack refuses a message. Source: Block Kit, section, actions, button. */
export function isTooLarge(body: Record<string, unknown>): boolean {
  const blocks = (body['blocks'] ?? []) as Message['blocks'];
  return (
    blocks.length > 50 ||
    blocks.some(({ text, elements = [] }) => (text?.text ?? '').length > 3_000 || elements.length > 25) ||
    buttonsOf({ ts: '', channel: '', text: '', blocks }).some(
      ({ label, value }) => label.length > 75 || value.length > 2_000,
    )
  );
}

/** Lists the buttons of a message. */
export function buttonsOf({ blocks }: Message): { label: string; value: string; id: string }[] {
  return blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements = [] }) => elements)
    .map(({ text, value = '', action_id: id = '' }) => ({ label: (text as { text: string }).text, value, id }));
}
