/** Renders the documentation of the public API as one page without scripts and without requests to anywhere: it is readable offline. */
import { escaped, pageOf } from '../html.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: unknown;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: unknown;
    readonly description?: string;
  }[];
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

/** Parts of an OpenAPI document that the page shows. */
interface Document {
  readonly info?: { readonly version?: string; readonly description?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}' +
  'code,pre{font:13px/1.45 ui-monospace,monospace}pre{background:#f4f5f7;padding:.75rem;overflow:auto;border-radius:4px}' +
  'h2{margin-top:2rem;font-size:1.1rem}summary{cursor:pointer}table{border-collapse:collapse}td{padding:.15rem .75rem .15rem 0;vertical-align:top}' +
  '@media(prefers-color-scheme:dark){body{background:#15181c;color:#e3e6ea}pre{background:#20242a}a{color:#8ab4f8}}';

/** @param document An OpenAPI document, as `v1Document` makes it. */
export function docsPage(document: Document): Response {
  const { info = {}, paths = {}, components = {} } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(`${method.toUpperCase()} ${path}`, operation)),
  );
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="${escaped(name)}"><summary><code>${escaped(name)}</code></summary>${block(schema)}</details>`,
  );
  const body =
    `<h1>Drover API</h1><p>Version ${escaped(info.version ?? '')}. ${escaped(info.description ?? '')}</p>` +
    `<p>The same for programs: <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI 3.1).</p>` +
    `${operations.join('')}<h2>Schemas</h2>${schemas.join('')}`;
  return pageOf({ title: 'Drover API', style: STYLE, body });
}

function section(
  name: string,
  { summary = '', description = '', parameters = [], requestBody, responses = {} }: Operation,
): string {
  const rows = parameters.map(
    (one) =>
      `<tr><td><code>${escaped(one.name)}</code><td>${escaped(one.in)}${one.required === true ? ', required' : ''}<td>${escaped(one.description ?? '')}`,
  );
  const answers = Object.entries(responses).map(
    ([status, { description: said = '' }]) => `<tr><td><code>${escaped(status)}</code><td>${escaped(said)}`,
  );
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
  const body = requestBody === undefined ? '' : `<details><summary>Body</summary>${block(requestBody)}</details>`;
  return (
    `<h2><code>${escaped(name)}</code></h2><p>${escaped(summary)} ${escaped(description)}</p>${table}${body}` +
    `<details><summary>Answers</summary><table>${answers.join('')}</table></details>`
  );
}

function block(value: unknown): string {
  return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
}
