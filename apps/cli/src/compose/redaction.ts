/** The secrets that this process knows: from its environment, the configuration and the files that the configuration names. */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Log, messageOf, systemClock } from '@drover/base';
import type { LogLevel } from '@drover/config';
import { isSecretName, Redactor, VALUE_LENGTH_MIN } from '@drover/protocol';
import { defined } from '../program/answer.ts';
import type { Surroundings } from '../surroundings.ts';
import { createLog } from './log.ts';
import type { Shown } from './log.ts';
import { openLogFiles } from './log-file.ts';
import type { LogLine } from './log-file.ts';
import type { Settings } from './settings.ts';

/** Largest file of secrets that is read, in bytes. */
const FILE_BYTES_MAX = 1024 ** 2;

/** Milliseconds after the last change until a file is read: editors write a file in several steps. */
const SETTLE_MS = 200;

/** A secret and its name for people. */
interface Named {
  readonly name: string;
  readonly value: string;
}

/** Takes secrets out of all output of this process, and logs without them. Disposing ends the watching of files. */
export interface Redaction extends Disposable {
  readonly redactor: Redactor;
  readonly log: Log;
  /** Writes a line to the files alone, without secrets; without files, nowhere. */
  readonly keep: (line: LogLine) => void;
}

/** Options of the log: its level, and the name of its files; without a name on the terminal alone. */
export interface RedactionOptions {
  readonly level: LogLevel;
  readonly file?: 'up' | 'coordinator' | 'agent' | 'bot' | 'gateway';
  readonly shown?: Shown;
}

/** Opens the redaction. Reports once the secrets that cannot be taken out, and reads the files again when they change. */
export async function openRedaction(
  surroundings: Surroundings,
  settings: Settings,
  { level, file, shown }: RedactionOptions,
): Promise<Redaction> {
  const { names, files } = settings.config.redact;
  const redactor = new Redactor({ names });
  const keep = file === undefined ? undefined : keptIn(surroundings, settings, file);
  const log = createLog(surroundings, level, { redactor, ...defined({ keep, shown }) });
  const read = async (): Promise<void> => {
    const { found, problems } = await secretsIn(surroundings.environment.variables, settings);
    redactor.know({ names, values: found.map(({ value }) => value) });
    for (const problem of problems) log('warn', problem);
    const short = new Set(found.filter(({ value }) => value.length < VALUE_LENGTH_MIN).map(({ name }) => name));
    if (short.size > 0) {
      const why = `values of fewer than ${VALUE_LENGTH_MIN} characters occur in ordinary text`;
      log('warn', `Drover does not redact the values of ${[...short].join(', ')}: ${why}. Use longer secrets.`);
    }
  };
  await read();
  let cancel: (() => void) | undefined;
  const changed = (): void => {
    cancel?.();
    cancel = systemClock.after(SETTLE_MS, () => void read());
  };
  const watchers = files.map((file) => {
    try {
      // The directory is watched, because an editor replaces the file by another.
      const watcher = watch(path.dirname(file), (_event, name) => {
        if (name === null || name === path.basename(file)) changed();
      });
      return watcher.on('error', () => {});
    } catch (error) {
      log('debug', `Cannot watch ${file} for changes: ${String(error)}`);
      return null;
    }
  });
  return {
    redactor,
    log,
    keep: ({ message, fields, ...line }) => {
      const [said, facts] = redactor.value([message, fields]);
      keep?.({ ...line, message: said, fields: facts });
    },
    [Symbol.dispose]: () => {
      cancel?.();
      for (const watcher of watchers) watcher?.close();
    },
  };
}

function keptIn({ terminal }: Surroundings, { paths }: Settings, name: string): (line: LogLine) => void {
  return openLogFiles({ directory: path.join(paths.dataDir, 'logs'), name }, (why) => terminal.err(`warning: ${why}`));
}

async function secretsIn(
  variables: Readonly<Record<string, string>>,
  { config }: Settings,
): Promise<{ found: readonly Named[]; problems: readonly string[] }> {
  const { names, files } = config.redact;
  const given = [
    variables,
    ...[config.profiles, config.accounts, config.machines].flatMap((tables) =>
      Object.values(tables).map(({ env }) => env),
    ),
  ].flatMap((one) => Object.entries(one));
  const found: Named[] = given.flatMap(([name, value]) => (isSecretName(name, names) ? [{ name, value }] : []));
  for (const [name, value] of given) found.push(...passwordIn(name, value));
  for (const name of ['database_url', 'database_direct_url'] as const)
    found.push(...passwordIn(`coordinator.${name}`, config.coordinator[name] ?? ''));
  const problems: string[] = [];
  for (const file of files) {
    const content = await readFile(file, 'utf8').catch((error: unknown) => {
      problems.push(`Cannot read the secrets of redact.files: ${messageOf(error)}`);
      return '';
    });
    if (content.length > FILE_BYTES_MAX)
      problems.push(`${file} is too large for a file of secrets, so Drover ignores it`);
    else found.push(...secretsOfFile(content, { file, names }));
  }
  return { found, problems };
}

/** Finds the password in an address, also in its decoded form. */
function passwordIn(name: string, value: string): readonly Named[] {
  if (!value.includes('://') || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  if (password === '') return [];
  const decoded = decodedUrl(password);
  return [password, ...(decoded === password ? [] : [decoded])].map((one) => ({
    name: `the password in ${name}`,
    value: one,
  }));
}

function decodedUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads values of a file: `NAME=value` lines, or a secret on a line. */
export function secretsOfFile(
  content: string,
  { file, names }: { readonly file: string; readonly names: readonly string[] },
): readonly Named[] {
  return content.split(/\r?\n/u).flatMap((line) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    const [, name = file, quoted = text] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/u.exec(text) ?? [];
    const value = withoutQuotes(quoted);
    if (isSecretName(name, names)) return [{ name, value }];
    const isPlain = value.length < VALUE_LENGTH_MIN || /^(?:[A-Za-z]+|[\d.,:_-]+)$/u.test(value);
    return [...(isPlain || value.startsWith('-----') ? [] : [{ name, value }]), ...passwordIn(name, value)];
  });
}

function withoutQuotes(text: string): string {
  const [, quote, inner = ''] = /^(["'`])(.*)\1(?:\s+#|$)/u.exec(text) ?? [];
  if (quote === '"') return inner.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return quote === undefined ? text.replace(/(?<!\s)\s+#.*/u, '') : inner;
}
