/** Messages of the scripted Slack: what people read of them, and what Slack refuses. */
/** A block of Block Kit, as far as bots use them. */
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

/** What people read of a message. */
export function textOf({ blocks, text }: Message): string {
  const parts = blocks.flatMap((block) => [
    block.text?.text ?? '',
    ...(block.elements ?? []).flatMap(({ elements = [] }) => elements.map((one) => one.text ?? '')),
  ]);
  return [rendered(text), ...parts].join('\n');
}

/** What people read of a text that Slack reads as markup. */
export function rendered(text: string): string {
  return text
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Whether Slack refuses a message. Source: Block Kit, section, actions, button. */
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

/** The buttons of a message. */
export function buttonsOf({ blocks }: Message): { label: string; value: string; id: string }[] {
  return blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements = [] }) => elements)
    .map(({ text, value = '', action_id: id = '' }) => ({ label: (text as { text: string }).text, value, id }));
}
