/** Renders the page that a link opens: one question, and a button for each answer. X14: text from a pane is shown as text, without secrets. */
import type { Card } from '@drover/protocol';
import { cardOf } from '../../use-cases/channels/card.ts';
import type { Linked } from '../../use-cases/actions/act.ts';
import type { Context } from '../../context/context.ts';
import { escaped, pageOf } from '../html.ts';

const STYLE =
  'body{font:18px/1.5 system-ui,sans-serif;max-width:40rem;margin:1.5rem auto;padding:0 1rem;color:#1b1f24;background:#fff}' +
  'pre{font:13px/1.4 ui-monospace,monospace;background:#f4f5f7;padding:.75rem;overflow:auto;border-radius:4px}' +
  'p{white-space:pre-line}small{color:#57606a}form{margin:.75rem 0}' +
  'button{font:inherit;width:100%;padding:.75rem;border:1px solid #57606a;border-radius:6px;background:#fff;color:inherit}' +
  'textarea{font:inherit;box-sizing:border-box;width:100%;margin-bottom:.25rem}' +
  '@media(prefers-color-scheme:dark){body{background:#15181c;color:#e3e6ea}pre,button{background:#20242a}small{color:#9aa3ad}}';

/** Characters of words that a form takes. */
const WORDS_MAX = 16_000;

/** Renders the question, with its answers. */
export function questionPage(ctx: Context, { actor, row }: Linked, token: string): Response {
  const card = cardOf(ctx, row);
  const answers = card.options.map(({ label, needsText }, index) => {
    const id = row.question.options[index]?.id ?? '';
    const words = needsText
      ? `<textarea name="text" rows="3" maxlength="${WORDS_MAX}" required aria-label="${escaped(label)}"></textarea>`
      : '';
    return (
      `<form method="post" action="/v1/actions"><input type="hidden" name="token" value="${escaped(token)}">` +
      `<input type="hidden" name="option" value="${escaped(id)}">${words}<button>${escaped(label)}</button></form>`
    );
  });
  const body =
    `${questionOf(card)}${answers.join('')}` +
    (card.url === undefined ? '' : `<p><a href="${escaped(card.url)}">See more on the dashboard</a></p>`) +
    `<p><small>You answer as ${escaped(actor.name)}. The first answer counts; this link works once.</small></p>`;
  return pageOf({ title: `Drover: ${card.title}`, style: STYLE, body, hasForms: true });
}

function questionOf({ worker, workers, project, machine, title, body, pane }: Card): string {
  const who = workers > 1 ? `${workers} workers` : worker;
  const more = body === '' || body === title ? '' : `<p>${escaped(body)}</p>`;
  const lines = pane.length === 0 ? '' : `<pre>${escaped(pane.join('\n'))}</pre>`;
  return `<h1>${escaped(title)}</h1><p><small>${escaped(who)} (${escaped(project)} on ${escaped(machine)})</small></p>${more}${lines}`;
}

/** Renders the result of an answer, or why there is nothing to answer. */
export function saidPage(says: string, status: number): Response {
  const body = `<h1>${status < 400 ? 'Thank you' : 'Your answer was not accepted'}</h1><p>${escaped(says)}</p>`;
  return pageOf({ title: 'Drover', style: STYLE, body, status });
}
