/** Builds pages without scripts that ask no other host: text from a pane or a person stays text. */
import { createHash } from 'node:crypto';

/** A page. `body` is HTML, with other people's text `escaped`. */
export interface Page {
  readonly title: string;
  readonly style: string;
  readonly body: string;
  readonly status?: number;
  /** Tells whether the page has forms, which go to this coordinator alone. */
  readonly hasForms?: boolean;
}

/** Builds the page, for its reader alone, and never in a frame. */
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

/** Escapes text for HTML, also in quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
