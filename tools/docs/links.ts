// Finds links of pages that lead nowhere.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../checks/source/rooms.ts';

/**
 * Links of a page to files of the repository that are not there, or to headings that their page lacks.
 * @param page Path from the repository's root; links are relative to its directory.
 */
export function brokenLinks(page: string, text: string = readText(page)): readonly string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)/gu)].map(([, link = '']) => link);
  return links.filter((link) => !/^\w+:/u.test(link) && !leadsSomewhere(page, link)).map((link) => `${page}: ${link}`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
  if (!existsSync(path.join(REPOSITORY, target))) return false;
  return heading === undefined || !target.endsWith('.md') || anchorsOf(readText(target)).includes(heading);
}

/** The anchors that a code host gives the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```/gmu, '');
}
