/** Texts that are made to keep an expression busy, of its own parts: runs of its characters, repeated beginnings, near misses. */
import type { AST } from '@eslint-community/regexpp';
import { charTest, isChar, parseExpression } from './matcher.ts';

/** Makes a text of about so many characters. */
export type HostileText = (length: number) => string;

/** Characters that expressions are often about, beside those that one names itself. */
const USUAL = [...' a1-_./:=\t\n"\'\\A<>,;()[]…│─\u00a0\u001b'];

/** Stands at the end: few expressions expect it, so that a match fails there. */
const ENDS = ['\u0001', '\n\u0001'];

/** Texts for one expression, at most: of more every second or third is taken. */
const TEXTS_MAX = 600;

/** Variants of one part, at most: the first of each alternative. */
const VARIANTS_MAX = 24;

/** Longest text for a loop that must run often, in characters. */
const LOOP_CHARS_MAX = 400;

/** Longest beginning that is repeated, in characters. */
const PART_CHARS_MAX = 120;

/** @throws RegExpSyntaxError */
export function hostileTexts(expression: RegExp): readonly HostileText[] {
  const tree = parseExpression(expression);
  const parts = new Parts(tree, expression.flags);
  parts.add(tree);
  const texts = new Map<string, HostileText>();
  const add = (before: string, units: readonly string[]): void => {
    for (const end of ENDS) {
      texts.set(JSON.stringify([before, units, end]), (length) => {
        const each = Math.ceil(length / units.length);
        const runs = units.map((unit) => unit.repeat(Math.ceil(each / unit.length)));
        return `${before}${runs.join('')}${end}`;
      });
    }
  };
  for (const unit of parts.units) if (unit !== '' && unit.length <= PART_CHARS_MAX) add('', [unit]);
  for (const { before, runs } of parts.loops) {
    for (const run of runs) for (const beginning of before) if (run !== '') add(beginning, [run]);
  }
  const runs = [...new Set(parts.loops.flatMap((loop) => loop.runs.slice(0, 2)))]
    .filter((run) => run !== '')
    .slice(0, 8);
  for (const one of runs) for (const other of runs) if (one !== other) add('', [one, other]);
  const step = Math.ceil(texts.size / TEXTS_MAX);
  return [...texts.values()].filter((_, index) => index % step === 0);
}

class Parts {
  readonly units = new Set<string>();
  readonly loops: { readonly before: readonly string[]; readonly runs: readonly string[] }[] = [];
  readonly #flags: string;
  readonly #chars: readonly string[];
  readonly #common = new Map<string, number>();
  readonly #kept = new Map<AST.Node, readonly string[]>();

  constructor(tree: AST.Pattern, flags: string) {
    this.#flags = [...flags].filter((flag) => 'iusv'.includes(flag)).join('');
    const named = new Set<string>();
    const classes: string[] = [];
    visit(tree, (node) => {
      if (!isChar(node)) return;
      for (const char of namedIn(node)) named.add(char);
      classes.push(node.raw);
    });
    this.#chars = [...new Set([...named, ...USUAL])];
    // A character that many parts match keeps several of them busy.
    const tests = [...new Set(classes)].map((raw) => charTest(raw, this.#flags));
    for (const char of this.#chars) this.#common.set(char, tests.filter((test) => test(char)).length);
    for (const char of this.#chars) if ((this.#common.get(char) ?? 0) > 0) this.units.add(char);
  }

  /** Collects what is below a node, behind each of some beginnings. */
  add(
    node: AST.Pattern | AST.Group | AST.CapturingGroup | AST.LookaroundAssertion,
    outer: readonly string[] = [''],
  ): void {
    for (const { elements } of node.alternatives) {
      let before = outer;
      for (const element of elements) {
        const variants = this.#variants(element);
        for (const beginning of before.slice(0, 4)) {
          this.units.add(beginning);
          for (const variant of variants.slice(0, 6)) this.units.add(beginning + variant);
        }
        this.#addElement(element, before);
        before = joined(before, variants).slice(0, 4);
      }
      for (const whole of before) this.units.add(whole);
    }
  }

  #addElement(element: AST.QuantifiableElement | AST.Element, before: readonly string[]): void {
    if (element.type === 'Quantifier') {
      const runs = this.#variants(element.element).slice(0, 6);
      for (const run of runs) this.units.add(run);
      if (element.max > 4) this.loops.push({ before: before.slice(0, 2), runs });
      this.#addElement(element.element, before);
    } else if ('alternatives' in element) {
      this.add(element, before.slice(0, 2));
    }
  }

  /** Returns short texts that a part matches. */
  #variants(node: AST.Element): readonly string[] {
    const kept = this.#kept.get(node);
    if (kept !== undefined) return kept;
    const made = this.#madeVariants(node).slice(0, VARIANTS_MAX);
    this.#kept.set(node, made);
    return made;
  }

  #madeVariants(node: AST.Element): readonly string[] {
    if (node.type === 'Character') return [String.fromCodePoint(node.value)];
    if (isChar(node)) {
      const test = charTest(node.raw, this.#flags);
      const matching = this.#chars.filter((char) => test(char));
      return matching.toSorted((a, b) => (this.#common.get(b) ?? 0) - (this.#common.get(a) ?? 0)).slice(0, 4);
    }
    if (node.type === 'Quantifier') {
      const once = this.#variants(node.element);
      const least = once.map((one) => repeated(one, node.min));
      return node.min === 0 ? [...least.slice(0, 3), '', ...least.slice(3)] : least;
    }
    if (node.type === 'Assertion' || !('alternatives' in node)) return [''];
    return node.alternatives.flatMap(({ elements }) =>
      elements.reduce<readonly string[]>(
        (before, element) => joined(before, this.#variants(element)).slice(0, 4),
        [''],
      ),
    );
  }
}

/** Repeats a text as often as a loop needs it, unless that is longer than any text that is tried. */
function repeated(text: string, min: number): string {
  const times = Math.ceil(LOOP_CHARS_MAX / Math.max(1, text.length));
  return text.repeat(Math.max(1, Math.min(min, times)));
}

/** Each of the first with the first of the second, and the first with each of the second. */
function joined(before: readonly string[], after: readonly string[]): readonly string[] {
  const [first = ''] = before;
  const [usual = ''] = after;
  return [...new Set([...after.map((end) => first + end), ...before.map((beginning) => beginning + usual)])];
}

/** Visits a node and those below it, but not the parts of a class. */
function visit(node: AST.Node, see: (node: AST.Node) => void): void {
  see(node);
  if (node.type === 'Quantifier') visit(node.element, see);
  else if ('alternatives' in node) for (const child of node.alternatives) visit(child, see);
  else if (node.type === 'Alternative') for (const child of node.elements) visit(child, see);
}

/** The characters that a class names. */
function namedIn(node: AST.Node): readonly string[] {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)];
  if (node.type === 'CharacterClassRange') return namedIn(node.min);
  return node.type === 'CharacterClass' ? node.elements.flatMap(namedIn) : [];
}
