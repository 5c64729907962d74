/** Defines what a profile document says about a program's screen. */
import { z } from 'zod';

/** A regular expression (flag `u`), checked when the document is loaded. */
export const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `is not a regular expression: ${error instanceof Error ? error.message : 'unknown reason'}`,
    });
    return z.NEVER;
  }
});

/**
 * `default`, an entry of the 256-colour table, `#rrggbb`; `coloured` is anything but the default; `marker` is the colour
 * of the row's first character; `accent` is coloured in another colour than that; `ground` is the background on which the
 * row starts; `raised` is another. The last five hold in every theme, a number in one.
 */
const colour = z.union([
  z.int().min(0).max(255),
  z.string().regex(/^(default|coloured|marker|accent|ground|raised|#[0-9a-f]{6})$/),
]);

/** A test on how a character is drawn. Properties that are not named do not matter. */
export const styleTest = z.strictObject({
  fg: colour.optional(),
  bg: colour.optional(),
  bold: z.boolean().optional(),
  dim: z.boolean().optional(),
  reverse: z.boolean().optional(),
  /** Tells whether the text is plain; false: some colour or attribute is set. Text that an agent merely prints is mostly plain. */
  plain: z.boolean().optional(),
});

/**
 * Part of the screen in which a sign is looked for. `title`: the terminal title. `glyph`: the composer's first character. `box`: the composer with
 * its frame. `footer`: below the composer. `last`: the last block above the composer. `turn`: from the last prompt of the user to the composer.
 * `above`: all rows above the composer. `bottom`: the last ten rows that are not blank.
 */
export const region = z.enum(['title', 'glyph', 'box', 'footer', 'last', 'turn', 'above', 'bottom']);

/** Sign to see: a row of a region that matches, drawn in a style. All given parts must hold on one row. */
export const sign = z.strictObject({
  /** The name of the rule, unique in the profile. `explain` prints it. */
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  in: region,
  matches: pattern.optional(),
  /** Style of the first non-blank character of the row. */
  marker: styleTest.optional(),
  /** Style of the first character of the match; with a group named `at`, of that group. */
  text: styleTest.optional(),
  /** Pattern that must hold on the first row of the region. */
  head: pattern.optional(),
});

/** Ways to recognise the composer (the input box). */
const composer = z.discriminatedUnion('kind', [
  /** The block between the last two horizontal rules. */
  z.strictObject({
    kind: z.literal('between-rules'),
    rule: pattern,
    ruleStyle: styleTest,
    /** The first row starts with this; what follows is the text. A group `lead` (`!` in shell mode) belongs to the text. */
    glyph: pattern,
    /** A top rule that says that the box has scrolled. */
    scrolled: pattern,
    indent: z.int().min(0),
  }),
  /** A row that starts with a prompt character, and the rows under it. */
  z.strictObject({
    kind: z.literal('prompt-row'),
    glyph: pattern,
    glyphStyle: styleTest,
    /** A row that must stand at most three rows above it. */
    above: pattern.nullable(),
    /** The text ends before the first blank row, before the last one, or with the prompt row itself. */
    ends: z.enum(['first-blank', 'last-blank', 'same-row']),
    indent: z.int().min(0),
  }),
  /** Rows with a bar at the left and a closing row. */
  z.strictObject({
    kind: z.literal('bar'),
    bar: z.string().length(1),
    close: pattern,
    /** Columns from the bar to the text. */
    indent: z.int().min(1).default(3),
    /** True if nothing but the text is in it. Else the last row inside is the program's status, and the closing row is as wide as the box. */
    plain: z.boolean().default(false),
  }),
]);

/** Kinds of dialogs that a screen can show. */
export const dialogKind = z.enum(['trust', 'bypass', 'api-key', 'resume', 'limit', 'permission', 'question', 'other']);

const dialogKeys = z.strictObject({ next: z.string(), previous: z.string(), confirm: z.string(), dismiss: z.string() });

/** Rules for reading the screen of a program. */
export const screen = z.strictObject({
  composer,
  /** The program keeps the terminal's cursor in its composer: one without it is printed, or left by a program that has ended. */
  cursorInside: z.boolean().default(true),
  /** Text in the composer that the program itself put there. */
  placeholder: z.strictObject({ style: styleTest.optional(), matches: pattern.optional() }),
  /** Pattern of what the composer shows in place of a long paste. */
  paste: pattern,
  /** Pattern of what the composer shows in place of a picture: a text with one cannot be typed back. */
  attachment: pattern.optional(),
  /** The first row of a block of the conversation. */
  block: pattern,
  /** The first row of a prompt that the user sent. */
  prompt: z.strictObject({ matches: pattern, text: styleTest.optional() }),
  dialog: z.strictObject({
    /** The row on which the highlight stands: its groups are `mark` and `label`. */
    option: pattern,
    mark: styleTest,
    /** Style of the highlighted option's label, where nothing but colour shows it. */
    selected: styleTest.nullable(),
    /** A row on which a dialog starts: a line above it, or, where its group `title` matches, its title. */
    top: pattern,
    topStyle: styleTest.optional(),
    /** A row like `top` stands under the dialog too. Without both there is no dialog: an answer cannot draw them. */
    closed: z.boolean().default(false),
    /** Tells that each such row is the dialog's title. */
    topIsTitle: z.boolean(),
    /** A dialog by its title (`of`) that asks about what the agent has just written: the words from the last row that matches `from`, without `ends`. */
    subject: z.strictObject({ of: pattern, from: pattern, ends: pattern }).optional(),
    /** A first row that only names the dialog's pages or its sort: the title is the row after it. With the group `first` a form begins there. */
    heading: pattern.nullable(),
    /** The last words of a form that begins with such a row; absent: there are none. */
    formHint: pattern.optional(),
    /** The program keeps the terminal's cursor inside an open dialog. */
    cursorInside: z.boolean(),
    /** The row that confirms a checklist, under its choices: its groups are `label`, and `mark` while the highlight stands there. */
    submit: pattern.nullable().default(null),
    /** Words of a dialog that the key `dismiss` answers with a lasting no: an option of its own, by the group `label`. */
    dismissed: pattern.nullable().default(null),
    /** Characters that frame a dialog and are no part of its words. */
    frame: pattern,
    /**
     * Rows without options that are a dialog all the same, seen near the bottom. One with the group `label` is the last row of a form, and the
     * label is what its key `dismiss` does.
     */
    bare: z.array(z.strictObject({ kind: dialogKind, matches: pattern, style: styleTest.optional() })),
    /** Options that stand side by side in one row: what parts them. */
    across: pattern.nullable(),
    /** The first that matches the dialog's words names its kind; else `other`. */
    kinds: z.array(z.strictObject({ id: z.string(), kind: dialogKind, matches: pattern })),
    /** Words of a permission dialog: the group `tool`, or `command`. */
    tool: pattern.nullable(),
    command: pattern.nullable(),
    /** The program's own names, as its hooks and settings have them, of tools that the dialog calls otherwise. */
    toolNames: z.record(z.string(), z.string()).default({}),
    /** Moves the highlight one option on or back, and confirms. tmux key names. */
    keys: dialogKeys,
    /** Kinds of dialogs that are moved in by other keys. */
    keysFor: z.partialRecord(dialogKind, dialogKeys),
  }),
  /** Titles that only this program sets. Until one is seen and nothing else is, the program is starting. */
  ownTitle: pattern,
  /** Meaning of a screen when neither composer nor dialog is seen and the title is the program's own. */
  without: z.enum(['unknown', 'processing']),
  /** Signs that a dialog is open although what looks like a composer stands on the screen. */
  asking: z.array(sign),
  /** Signs of a panel over or under the composer that takes the keys. */
  panels: z.array(sign),
  /** A title that says that no turn runs: then no sign below it is asked. */
  idleTitle: pattern.nullable(),
  busy: z.array(sign),
  /** Signs that a composer on the screen does not take input yet. */
  starting: z.array(sign),
  retrying: z.array(sign),
  failed: z.array(sign),
  queued: z.array(sign),
  /** Signs that something of the turn runs on beside the prompt; the group `at` names it, such as `2 shells`. */
  background: z.array(sign).default([]),
  interrupted: z.array(sign),
  /** The first row of an answer: when its last line ends in a question mark, the agent asks the user. */
  answer: pattern,
  /** Pattern of what stands right of the conversation and is no part of it. */
  aside: pattern.nullable(),
  /** Pattern of the edge of a list that the program opens left of the conversation, from the first row to the last; null: it opens none. */
  sidebar: pattern.nullable().default(null),
  /** Patterns that move without progress (spinners, clocks): removed before progress is compared. */
  noise: z.array(pattern),
});
