/** Words that an option of a run's question needs, by example. */
export const WORDS_OF: Readonly<Record<string, string>> = { revise: 'what to change', reply: 'your answer' };
