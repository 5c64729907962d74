/**
 * Reduces a profile to what a screen without colours can show. Programs started with `NO_COLOR` keep bold and dim; a capture taken without `-e` has
 * no attributes at all. There words and places decide, and tests that only a colour answers are left out.
 */
import type { Row, Style } from './ansi.ts';
import type { Profile, Sign, StyleTest } from './profile/schema.ts';
import { isPlain } from './style-test.ts';

/** Properties that a screen without colours still shows. */
interface Drawn {
  readonly attributes: boolean;
}

/** The profile for a screen: itself where there are colours, else without the tests that no cell of it could pass. */
export function asDrawn(profile: Profile, rows: readonly Row[]): Profile {
  const some = (holds: (style: Style) => boolean): boolean =>
    rows.some(({ runs }) => runs.some(({ style }) => holds(style)));
  if (some(isColoured)) return profile;
  return { ...profile, screen: screenOf(profile.screen, { attributes: some((style) => !isPlain(style)) }) };
}

function isColoured({ fg, bg }: Style): boolean {
  return fg !== 'default' || bg !== 'default';
}

function screenOf(screen: Profile['screen'], drawn: Drawn): Profile['screen'] {
  const signs = (list: readonly Sign[]): Sign[] => list.flatMap((sign) => signOf(sign, drawn));
  return {
    ...screen,
    composer: composerOf(screen.composer, drawn),
    placeholder: { ...screen.placeholder, style: unlessEmpty(testOf(screen.placeholder.style, drawn)) },
    dialog: {
      ...screen.dialog,
      mark: testOf(screen.dialog.mark, drawn),
      // A title is told by nothing but its style: what no row has leaves the dialog to start after the conversation.
      topStyle: screen.dialog.topIsTitle ? screen.dialog.topStyle : testOf(screen.dialog.topStyle, drawn),
      selected: unlessEmpty(testOf(screen.dialog.selected ?? {}, drawn)) ?? null,
      bare: screen.dialog.bare.map((bare) => ({ ...bare, style: testOf(bare.style, drawn) })),
    },
    prompt: { ...screen.prompt, text: testOf(screen.prompt.text, drawn) },
    asking: signs(screen.asking),
    panels: signs(screen.panels),
    busy: signs(screen.busy),
    starting: signs(screen.starting),
    retrying: signs(screen.retrying),
    failed: signs(screen.failed),
    queued: signs(screen.queued),
    background: signs(screen.background),
    interrupted: signs(screen.interrupted),
  };
}

function composerOf(composer: Profile['screen']['composer'], drawn: Drawn): Profile['screen']['composer'] {
  switch (composer.kind) {
    case 'between-rules':
      return { ...composer, ruleStyle: testOf(composer.ruleStyle, drawn) };
    case 'prompt-row':
      return { ...composer, glyphStyle: testOf(composer.glyphStyle, drawn) };
    case 'bar':
      return composer;
    default:
      return composer satisfies never;
  }
}

/** Keeps the part of a sign that is seen without colours: its words. A sign that is only a style, or asks for one certain colour, is not seen. */
function signOf(sign: Sign, drawn: Drawn): readonly Sign[] {
  const text = testOf(sign.text, drawn);
  const isOnlyStyle = sign.matches === undefined && unlessEmpty(text) === undefined;
  const isOneColour = [sign.text, sign.marker].some((test) => isCertain(test?.fg) || isCertain(test?.bg));
  return isOnlyStyle || isOneColour ? [] : [{ ...sign, text, marker: testOf(sign.marker, drawn) }];
}

/** Tells whether a test asks for one colour, or one unlike the ground: that tells what the words do not. */
function isCertain(colour: string | number | undefined): boolean {
  return typeof colour === 'number' || colour === 'raised' || colour?.startsWith('#') === true;
}

/** The part of a test that such a screen can answer. */
function testOf(test: StyleTest | undefined, { attributes }: Drawn): StyleTest {
  if (test === undefined || !attributes) return {};
  const { bold, dim, reverse } = test;
  return {
    ...(bold === undefined ? {} : { bold }),
    ...(dim === undefined ? {} : { dim }),
    ...(reverse === undefined ? {} : { reverse }),
  };
}

function unlessEmpty(test: StyleTest): StyleTest | undefined {
  return Object.keys(test).length === 0 ? undefined : test;
}
