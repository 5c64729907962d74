/** Texts that options of a run's question need, by example. */
export const NEEDED_TEXT: Readonly<Record<string, string>> = { revise: 'what to change', reply: 'your answer' };
