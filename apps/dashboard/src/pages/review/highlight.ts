/** Finds the tokens of a language in the lines of a diff. Loaded when the first file is shown: a page without code needs none of it. */
import type { DiffLine } from '@drover/protocol/diff-lines';
import { refractor } from 'refractor/core';
import bash from 'refractor/bash';
import c from 'refractor/c';
import cpp from 'refractor/cpp';
import csharp from 'refractor/csharp';
import css from 'refractor/css';
import go from 'refractor/go';
import java from 'refractor/java';
import javascript from 'refractor/javascript';
import json from 'refractor/json';
import kotlin from 'refractor/kotlin';
import markdown from 'refractor/markdown';
import markup from 'refractor/markup';
import php from 'refractor/php';
import python from 'refractor/python';
import ruby from 'refractor/ruby';
import rust from 'refractor/rust';
import sql from 'refractor/sql';
import swift from 'refractor/swift';
import toml from 'refractor/toml';
import tsx from 'refractor/tsx';
import typescript from 'refractor/typescript';
import yaml from 'refractor/yaml';
import type { Token } from './segments.ts';

const LANGUAGES = [bash, c, cpp, csharp, css, go, java, javascript, json, kotlin, markdown, markup, php, python];
for (const one of [...LANGUAGES, ruby, rust, sql, swift, toml, tsx, typescript, yaml]) refractor.register(one);

/** Languages of names whose end is none of theirs. */
const BY_END: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  cts: 'typescript',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  cs: 'csharp',
  js: 'javascript',
  jsx: 'tsx',
  kt: 'kotlin',
  mjs: 'javascript',
  mts: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  ts: 'typescript',
  vue: 'markup',
  yml: 'yaml',
  zsh: 'bash',
};

/** Characters of a file beyond which it stays without colours: they are a help, and a pause is none. */
const CHARS_MAX = 200_000;

/** @returns nothing for a language that is not known. */
export function tokensOf(path: string, lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Token[]> {
  const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const language = BY_END[end] ?? end;
  const found = new Map<DiffLine, readonly Token[]>();
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  if (length > CHARS_MAX || !refractor.registered(language)) return found;
  // Each side is a text of its own; a line that stays is coloured as after the change.
  for (const side of ['removed', 'added'] as const) {
    const own = lines.filter(({ kind }) => kind === side || kind === 'kept');
    const tokens = tokensByLine(refractor.highlight(own.map(({ text }) => text).join('\n'), language).children);
    for (const [at, line] of own.entries()) found.set(line, tokens[at] ?? []);
  }
  return found;
}

/** A node of a highlighted text, as far as it matters here. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly unknown[];
}

function tokensByLine(nodes: readonly unknown[]): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  let at = 0;
  const walk = (node: Node, name: string | null): void => {
    if (node.value !== undefined) {
      for (const [index, part] of node.value.split('\n').entries()) {
        if (index > 0) {
          lines.push([]);
          at = 0;
        }
        if (name !== null && part !== '') lines.at(-1)?.push({ from: at, to: at + part.length, name });
        at += part.length;
      }
      return;
    }
    const classes = node.properties?.className;
    const own = Array.isArray(classes) ? String(classes[1] ?? '') : '';
    for (const child of node.children ?? []) walk(child as Node, own === '' ? name : own);
  };
  for (const node of nodes) walk(node as Node, null);
  return lines;
}
