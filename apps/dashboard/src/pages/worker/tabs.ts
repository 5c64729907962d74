/** Reads which part of a worker the address shows. */
export const TABS = ['conversation', 'pane', 'changes', 'timeline'] as const;
export type Tab = (typeof TABS)[number];

/** A wrong name counts as absent: the conversation. */
export function readTab({ tab }: Readonly<Record<string, unknown>>): { readonly tab?: Tab } {
  const found = TABS.find((one) => one === tab);
  return found === undefined ? {} : { tab: found };
}
