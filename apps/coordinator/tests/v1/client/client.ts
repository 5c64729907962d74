/**
 * Calls the public API with nothing but its document: its types are generated from it (`npm run docs`), another library builds the
 * requests, and every answer is checked against the document.
 */
import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import { operationsOf, textOf, undocumented } from '../../support/openapi.ts';
import type { Document } from '../../support/openapi.ts';
import type { paths } from '../fixtures/v1-types.ts';

/** Client whose calls are typed by the document. */
export type V1Client = Client<paths>;

/** @param send Carries a request to a coordinator. */
export function clientOf(document: Document, send: (request: Request) => Promise<Response>): V1Client {
  return createClient<paths>({
    baseUrl: 'http://drover.example',
    fetch: async (request: Request) => {
      const response = await send(request);
      const text = await textOf(response);
      const fault = faultOf(document, request, { response, text });
      if (fault !== null) throw new Error(`${request.method} ${request.url}: ${fault}`);
      return new Response(text, response);
    },
  });
}

function faultOf(
  document: Document,
  { method, url }: Request,
  { response: { status, headers }, text }: { readonly response: Response; readonly text: string },
): string | null {
  const { pathname } = new URL(url);
  const found = operationsOf(document).find((one) => one.method === method && isAt(pathname, one.path));
  if (found === undefined) return 'the document has no such route';
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  return undocumented(document, found.operation, { status, type, text });
}

function isAt(pathname: string, template: string): boolean {
  const parts = template.split('/');
  const given = pathname.split('/');
  return parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at]);
}
