/** Draws screens of a terminal as one SVG that plays them in a loop, without a script. */

/** A screen, as `tmux capture-pane -p -e` prints it, and how long it stands. */
export interface Frame {
  readonly text: string;
  readonly seconds: number;
}

const LETTER = { width: 7.8, height: 18, size: 13 } as const;
const MARGIN = 14;
/** Colors of SGR 30 to 37 and 90 to 97 on the background below. */
const COLORS = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#e6edf3'] as const;
const BACKGROUND = '#0d1117';
const FOREGROUND = '#e6edf3';

interface Style {
  readonly color: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const PLAIN: Style = { color: FOREGROUND, isBold: false, isDim: false };

export function drawSvg(
  frames: readonly Frame[],
  { columns, rows, title }: { readonly columns: number; readonly rows: number; readonly title: string },
): string {
  const [width, height] = [columns * LETTER.width + 2 * MARGIN, rows * LETTER.height + 2 * MARGIN];
  const whole = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let from = 0;
  const shown = frames.map(({ text, seconds }, index) => {
    const [start, end] = [from / whole, (from + seconds) / whole].map((part) => `${(part * 100).toFixed(2)}%`);
    from += seconds;
    // The first frame stands where nothing moves, such as in a printed page.
    const hidden = index === 0 ? '' : '0%{visibility:hidden}';
    return {
      css: `@keyframes f${index}{${hidden}${start}{visibility:visible}${end}{visibility:hidden}100%{visibility:hidden}}`,
      group: `<g style="visibility:${index === 0 ? 'visible' : 'hidden'};animation:f${index} ${whole}s step-end infinite">${drawScreen(text)}</g>`,
    };
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>text{font:${LETTER.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:${FOREGROUND}}${shown.map(({ css }) => css).join('')}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...shown.map(({ group }) => group),
    '</svg>',
    '',
  ].join('\n');
}

function drawScreen(text: string): string {
  return text
    .split('\n')
    .map((line, row) => drawLine(line.trimEnd(), MARGIN + (row + 0.75) * LETTER.height))
    .join('');
}

function drawLine(line: string, y: number): string {
  if (line === '') return '';
  let style = PLAIN;
  let column = 0;
  const spans: string[] = [];
  // oxlint-disable-next-line no-control-regex -- colors begin with a control character
  for (const part of line.split(/(\u001b\[[\d;]*m)/u)) {
    if (part.startsWith('\u001b')) style = styleAfter(style, part.slice(2, -1));
    else if (part !== '') {
      const weight = style.isBold ? ' font-weight="700"' : '';
      const dim = style.isDim ? ' opacity="0.6"' : '';
      spans.push(
        `<tspan x="${(MARGIN + column * LETTER.width).toFixed(1)}" fill="${style.color}"${weight}${dim}>${escapeXml(part)}</tspan>`,
      );
      column += [...part].length;
    }
  }
  return `<text y="${y.toFixed(1)}">${spans.join('')}</text>`;
}

function styleAfter(before: Style, codes: string): Style {
  return codes
    .split(';')
    .map(Number)
    .reduce<Style>((style, code) => {
      if (code === 0) return PLAIN;
      if (code === 1) return { ...style, isBold: true };
      if (code === 2) return { ...style, isDim: true };
      if (code === 22) return { ...style, isBold: false, isDim: false };
      if (code === 39) return { ...style, color: FOREGROUND };
      const color = COLORS[code % 10];
      const isColor = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
      return isColor && color !== undefined ? { ...style, color } : style;
    }, before);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
