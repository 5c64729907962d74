/** Draws the rows of a watched screen as text in colours. */
import { memo } from 'react';
import { Text } from '../../parts/text.tsx';
import type { Colour, Run, Style } from './colours.ts';
import { columnsUsed, withoutGaps, withoutRules } from './screen.ts';
import type { Row } from './screen.ts';
import css from './screen.module.css';

/** Draws long lines in several rows, draws the screen exactly as it is, or makes letters so small that each row fits. */
export const LAYOUTS = ['wrap', 'exact', 'fit'] as const;
export type Layout = (typeof LAYOUTS)[number];

interface Props {
  readonly rows: readonly Row[];
  readonly layout: Layout;
  /** Columns for which letters are made small at most; longer rows are cut in view. */
  readonly columnsMax?: number;
}

export function ScreenRows({ rows, layout, columnsMax = Number.POSITIVE_INFINITY }: Props) {
  const isExact = layout === 'exact';
  const shown = isExact ? rows : withoutGaps(rows);
  // A script may set a variable under the page's policy.
  const size =
    layout === 'fit' ? ({ '--columns': Math.min(columnsMax, columnsUsed(shown)) } as React.CSSProperties) : undefined;
  return (
    <div className={css.frame}>
      <pre className={`${css.screen} ${css[layout]}`} style={size} tabIndex={0}>
        <div>
          {shown.map(({ key, runs }) => (
            <Line key={key} runs={runs} isExact={isExact} />
          ))}
        </div>
      </pre>
    </div>
  );
}

const Line = memo(function Line({ runs, isExact }: { readonly runs: readonly Run[]; readonly isExact: boolean }) {
  return (
    <div className={css.row}>
      {runs.map(({ text, style }, at) => (
        <span key={at} className={classesOf(style)} style={coloursOf(style)}>
          <Text of={isExact ? text : withoutRules(text)} />
        </span>
      ))}
      {'\n'}
    </div>
  );
});

function classesOf({ bold, dim, italic, underline, front, back, inverse }: Style): string {
  const [text, ground] = inverse ? [back, front] : [front, back];
  const names = [
    bold ? css.bold : undefined,
    dim ? css.faint : undefined,
    italic ? css.italic : undefined,
    underline ? css.underline : undefined,
    inverse ? css.inverse : undefined,
    text?.kind === 'named' ? css[`f${text.index}`] : undefined,
    ground?.kind === 'named' ? css[`b${ground.index}`] : undefined,
  ];
  return names.filter((name) => name !== undefined).join(' ');
}

/** A script may set a colour under the page's policy; no text of a pane is part of it (`colours.ts`). */
function coloursOf({ front, back, inverse }: Style): React.CSSProperties {
  const [color, background] = inverse ? [ownOf(back), ownOf(front)] : [ownOf(front), ownOf(back)];
  return { ...(color !== undefined && { color }), ...(background !== undefined && { background }) };
}

function ownOf(colour: Colour | null): string | undefined {
  return colour?.kind === 'own' ? colour.css : undefined;
}
