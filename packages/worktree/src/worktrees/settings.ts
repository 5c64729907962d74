/** Settings of repositories that Drover makes for workers, as git's configuration has them. */

type Section = readonly [name: string, values: readonly (readonly [name: string, value: string])[]];

/** The words that git says where an agent tries to push. With a colon git would take them for a host, and say nothing of them. */
export const NO_PUSH = 'Drover publishes this work after its review, so commit it and push nothing from here';

/** The settings of `origin`, for people and programs in the place. `more` are further ones of it. */
export function addressSettings(url: string, more: Section[1] = []): string {
  // Work is published after its review.
  const push = ['pushurl', NO_PUSH] as const;
  return settingsText([
    ['remote "origin"', [['url', url], push, ...more, ['fetch', '+refs/heads/*:refs/remotes/origin/*']]],
  ]);
}

/** Sections as text. */
export function settingsText(sections: readonly Section[]): string {
  return sections
    .map(
      ([section, values]) =>
        `[${section}]\n${values.map(([name, value]) => `\t${name} = ${inQuotes(value)}\n`).join('')}`,
    )
    .join('');
}

/** A value as git's configuration has it. */
function inQuotes(value: string): string {
  return `"${value.replaceAll(/["\\]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
