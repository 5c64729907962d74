/** Tells whether an expression takes time that grows faster than a text. */
import { hostileTexts, type HostileText } from './hostile-texts.ts';
import { stepCounter } from './matcher.ts';

/** Lengths of the texts that are tried first, in characters, and the quotient of their steps from which on longer texts decide. */
const [FIRST, SECOND, SUSPICIOUS] = [80, 320, 5.5];

/** Lengths whose steps are compared then: beyond bounded loops such as `{0,200}`. */
const [SHORTER, LONGER] = [1_000, 2_000];

/** Twice the text may take so many times the steps. */
const GROWTH_MAX = 3;

/** Steps, more than any linear expression takes for these texts. */
const STEPS_MAX = 4_000_000;

/** A text on which an expression takes more than linear time. */
interface SlowText {
  /** The beginning of the text. */
  readonly text: string;
  /** Steps of the text, and of the same twice as long; infinite beyond the limit. */
  readonly steps: readonly [number, number];
}

const SHOWN_CHARS = 60;

/** Texts of which long ones are compared: those that grow most. */
const LONG_TEXTS_MAX = 8;

/** Finds a text on which the steps of an expression grow more than threefold when the text becomes twice as long; null when there is none. */
export function slowTextFor(expression: RegExp): SlowText | null {
  const count = stepCounter(expression);
  const stepsOf = (text: string): number => count(text, STEPS_MAX);
  const suspicious: { readonly text: HostileText; readonly growth: number }[] = [];
  for (const text of hostileTexts(expression)) {
    const steps = [stepsOf(text(FIRST)), stepsOf(text(SECOND))] as const;
    if (steps[1] === Infinity) return { text: shown(text), steps };
    const growth = steps[1] / steps[0];
    if (growth >= SUSPICIOUS) suspicious.push({ text, growth });
  }
  const most = suspicious.toSorted((a, b) => b.growth - a.growth).slice(0, LONG_TEXTS_MAX);
  for (const { text } of most) {
    const steps = [stepsOf(text(SHORTER)), stepsOf(text(LONGER))] as const;
    if (steps[1] === Infinity || steps[1] > steps[0] * GROWTH_MAX) return { text: shown(text), steps };
  }
  return null;
}

function shown(text: HostileText): string {
  return text(FIRST).slice(0, SHOWN_CHARS);
}
