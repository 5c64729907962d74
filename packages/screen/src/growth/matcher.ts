/**
 * Matches a regular expression as V8 does, by trying and going back, and counts its steps. Steps are the same on every machine and under
 * every load, so their growth can be compared exactly.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Counts the steps of finding every match of an expression in a text; infinite when they exceed the limit. */
type CountSteps = (text: string, stepsMax: number) => number;

/** Thrown through the stack of a match to end it. */
const OVER = new Error('The limit of steps is reached');

/** Continues a match at a place; false goes back. */
type Next = (at: number) => boolean;
type Match = (at: number, next: Next) => boolean;
type TestChar = (char: string) => boolean;

interface State {
  text: readonly string[];
  steps: number;
  stepsMax: number;
  readonly groups: Map<AST.CapturingGroup, readonly [from: number, to: number]>;
}

/** Parses an expression. @throws RegExpSyntaxError */
export function parseExpression({ source, flags }: RegExp): AST.Pattern {
  const parser = new RegExpParser();
  const unicode = flags.includes('u');
  return parser.parsePattern(source, 0, source.length, { unicode, unicodeSets: flags.includes('v') });
}

/** @throws RegExpSyntaxError */
export function stepCounter(expression: RegExp): CountSteps {
  const state: State = { text: [], steps: 0, stepsMax: 0, groups: new Map() };
  const match = new Compiler(expression.flags, state).compile(parseExpression(expression), false);
  return (text, stepsMax) => {
    Object.assign(state, { text: Array.from(text), steps: 0, stepsMax });
    try {
      searchAll(match, { state, isSticky: expression.sticky });
    } catch (error) {
      if (error === OVER || error instanceof RangeError) return Infinity;
      throw error;
    }
    return state.steps;
  };
}

function searchAll(match: Match, { state, isSticky }: { readonly state: State; readonly isSticky: boolean }): void {
  let end = -1;
  const take: Next = (to) => {
    end = to;
    return true;
  };
  for (let at = 0; at <= state.text.length;) {
    // Clears the groups only if there are any: most expressions have none, and V8 makes a new table at each call.
    if (state.groups.size > 0) state.groups.clear();
    end = -1;
    match(at, take);
    takeStep(state);
    // A sticky expression is tried at one place, which its user moves on.
    if (isSticky && end <= at) return;
    at = end > at ? end : at + 1;
  }
}

function takeStep(state: State): void {
  state.steps += 1;
  if (state.steps > state.stepsMax) throw OVER;
}

/** Turns the tree of an expression into functions. `back` is true inside of a lookbehind, which V8 matches from right to left. */
class Compiler {
  readonly #flags: string;
  readonly #state: State;

  constructor(flags: string, state: State) {
    this.#flags = [...flags].filter((flag) => 'iusv'.includes(flag)).join('');
    this.#state = state;
    this.#isMultiline = flags.includes('m');
  }

  readonly #isMultiline: boolean;

  compile(node: AST.Pattern | AST.Group | AST.CapturingGroup | AST.LookaroundAssertion, back: boolean): Match {
    const alternatives = node.alternatives.map(({ elements }) => this.#sequence(elements, back));
    const [only] = alternatives;
    if (only !== undefined && alternatives.length === 1) return only;
    return (at, next) => {
      for (const alternative of alternatives) {
        takeStep(this.#state);
        if (alternative(at, next)) return true;
      }
      return false;
    };
  }

  #sequence(elements: readonly AST.Element[], back: boolean): Match {
    const parts = (back ? elements.toReversed() : elements).map((element) => this.#element(element, back));
    return parts.reduceRight<Match>(
      (rest, part) => (at, next) => part(at, (to) => rest(to, next)),
      (at, next) => next(at),
    );
  }

  #element(element: AST.Element, back: boolean): Match {
    switch (element.type) {
      case 'Assertion':
        return this.#assertion(element);
      case 'Quantifier':
        return this.#quantifier(element, back);
      case 'CapturingGroup':
        return this.#capturingGroup(element, back);
      case 'Group':
        return this.compile(element, back);
      case 'Backreference':
        return this.#backreference(element, back);
      default: {
        const test = charTest(element.raw, this.#flags);
        return (at, next) => this.#hasChar(at, back, test) && next(back ? at - 1 : at + 1);
      }
    }
  }

  #hasChar(at: number, back: boolean, test: TestChar): boolean {
    takeStep(this.#state);
    const char = this.#state.text[back ? at - 1 : at];
    return char !== undefined && test(char);
  }

  #quantifier(quantifier: AST.Quantifier, back: boolean): Match {
    const { element, min, max, greedy } = quantifier;
    if (isChar(element)) return this.#charLoop(charTest(element.raw, this.#flags), { min, max, greedy, back });
    const body = this.#element(element, back);
    const again =
      (count: number): Match =>
      (at, next) => {
        takeStep(this.#state);
        const more = (): boolean =>
          count < max && body(at, (to) => (to !== at || count < min) && again(count + 1)(to, next));
        if (count < min) return more();
        return greedy ? more() || next(at) : next(at) || more();
      };
    return again(0);
  }

  /** A loop over single characters goes without the stack, for texts may be long. */
  #charLoop(
    test: TestChar,
    { min, max, greedy, back }: { min: number; max: number; greedy: boolean; back: boolean },
  ): Match {
    const step = back ? -1 : 1;
    return (at, next) => {
      let count = 0;
      while (count < (greedy ? max : min) && this.#hasChar(at + count * step, back, test)) count += 1;
      if (count < min) return false;
      for (;;) {
        takeStep(this.#state);
        if (next(at + count * step)) return true;
        if (greedy) {
          if (count === min) return false;
          count -= 1;
        } else {
          if (count >= max || !this.#hasChar(at + count * step, back, test)) return false;
          count += 1;
        }
      }
    };
  }

  #capturingGroup(group: AST.CapturingGroup, back: boolean): Match {
    const body = this.compile(group, back);
    const { groups } = this.#state;
    return (at, next) => {
      const before = groups.get(group);
      const isMatch = body(at, (to) => {
        groups.set(group, back ? [to, at] : [at, to]);
        return next(to);
      });
      if (!isMatch) {
        if (before === undefined) groups.delete(group);
        else groups.set(group, before);
      }
      return isMatch;
    };
  }

  #backreference({ resolved }: AST.Backreference, back: boolean): Match {
    const referred = [resolved].flat();
    return (at, next) => {
      takeStep(this.#state);
      const [from, to] = referred.map((group) => this.#state.groups.get(group)).find((it) => it !== undefined) ?? [
        0, 0,
      ];
      const start = back ? at - (to - from) : at;
      for (let i = from; i < to; i += 1) {
        takeStep(this.#state);
        if (this.#state.text[i] !== this.#state.text[start + i - from]) return false;
      }
      return next(back ? start : at + (to - from));
    };
  }

  #assertion(assertion: AST.Assertion): Match {
    const { kind } = assertion;
    if (kind === 'lookahead' || kind === 'lookbehind') {
      const inner = this.compile(assertion, kind === 'lookbehind');
      return (at, next) => inner(at, () => true) !== assertion.negate && next(at);
    }
    return (at, next) => {
      takeStep(this.#state);
      return this.#holds(assertion, at) && next(at);
    };
  }

  #holds(assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion, at: number): boolean {
    const { text } = this.#state;
    switch (assertion.kind) {
      case 'start':
        return at === 0 || (this.#isMultiline && isLineEnd(text[at - 1]));
      case 'end':
        return at === text.length || (this.#isMultiline && isLineEnd(text[at]));
      case 'word':
        return (isWord(text[at - 1]) !== isWord(text[at])) !== assertion.negate;
    }
  }
}

/** Tells whether a node of the tree stands for one character. */
export function isChar(node: AST.Node): node is AST.Character | AST.CharacterSet | AST.CharacterClass {
  return node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';
}

/** A test of one character, by V8's own knowledge of classes; its answers are kept. */
export function charTest(raw: string, flags: string): TestChar {
  const whole = new RegExp(`^(?:${raw})$`, flags);
  const known = new Map<string, boolean>();
  return (char) => {
    let answer = known.get(char);
    if (answer === undefined) known.set(char, (answer = whole.test(char)));
    return answer;
  };
}

function isLineEnd(char: string | undefined): boolean {
  return char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029';
}

const WORD_CHARS: ReadonlySet<string | undefined> = new Set(
  '0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
);

/** Answers for `\b`, which is asked at each place of a text. */
function isWord(char: string | undefined): boolean {
  return WORD_CHARS.has(char);
}
