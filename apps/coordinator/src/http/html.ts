/** Pages without scripts that ask no other host: what a pane or a person wrote is text in them, and nothing else. */
import { createHash } from 'node:crypto';

/** One page. `body` is HTML, with what others wrote `escaped`. */
export interface Page {
  readonly title: string;
  readonly style: string;
  readonly body: string;
  readonly status?: number;
  /** Whether it has forms, which go to this coordinator alone. */
  readonly hasForms?: boolean;
}

/** The page, for its reader alone, and never in a frame. */
export function pageOf({ title, style, body, status = 200, hasForms = false }: Page): Response {
  const head =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escaped(title)}</title><style>${style}</style>`;
  return new Response(`${head}${body}</html>`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${sumOf(style)}'; form-action ${hasForms ? "'self'" : "'none'"}; frame-ancestors 'none'; base-uri 'none'`,
      // Other hosts do not see the address; the form's own request has its Origin.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** Text as HTML, also in quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
