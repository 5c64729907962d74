// Parses a file that may be TOML or JSON.
import { parse, TomlError } from 'smol-toml';

/** Content of a file, or what keeps it from being read. */
export type ParsedDocument =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number | undefined };

/** Parses TOML, or JSON where the file's name says so. */
export function parseDocument(text: string, file: string): ParsedDocument {
  const isJson = file.endsWith('.json');
  try {
    return { kind: 'read', value: isJson ? JSON.parse(text) : parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError || error instanceof SyntaxError)) throw error;
    const message = `is not ${isJson ? 'JSON' : 'TOML'}: ${(error.message.split('\n')[0] ?? '').trim()}`;
    return { kind: 'invalid', message, line: error instanceof TomlError ? error.line : undefined };
  }
}
