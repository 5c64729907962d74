import { expect, test } from 'vitest';
import { drawSvg } from './svg.ts';

const SIZE = { columns: 20, rows: 2, title: 'A "first" task' };

test('given two screens, when they are drawn, then each stands for its time, and the first where nothing moves', () => {
  const svg = drawSvg(
    [
      { text: 'one', seconds: 1 },
      { text: 'two', seconds: 3 },
    ],
    SIZE,
  );

  expect(svg).toContain('@keyframes f0{0.00%{visibility:visible}25.00%{visibility:hidden}');
  expect(svg).toContain('25.00%{visibility:visible}100.00%{visibility:hidden}');
  expect(svg).toContain('<g style="visibility:visible;animation:f0 4s step-end infinite">');
  expect(svg).not.toContain('<script');
});

test('given colors and markup on a screen, when it is drawn, then colors are fills and markup is text', () => {
  const svg = drawSvg([{ text: '\u001b[32mok\u001b[39m <b>&', seconds: 1 }], SIZE);

  expect(svg).toContain('fill="#7ee787">ok</tspan>');
  expect(svg).toContain('> &lt;b&gt;&amp;</tspan>');
  expect(svg).not.toContain('\u001b');
});
