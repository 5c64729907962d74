/** Finds file names that do not say what the file is, or that say when it was made or how big it had grown. */
import path from 'node:path';

/** Names that say when a file was made, with what they hide. */
const NAMES: readonly { readonly form: RegExp; readonly why: string }[] = [
  { form: /^main-job$/u, why: 'every job was the main one once' },
  { form: /^recovery-schema$/u, why: 'tables have subjects, and recovery is in each of them' },
  { form: /^(?:found|rare)$/u, why: 'how a case came up is no subject' },
  { form: /^more-/u, why: 'the rest of something is no subject' },
  { form: /^definitions-/u, why: 'a subject is a folder, and its definitions lie in it' },
  { form: /-\d$/u, why: 'a number says that a file grew too long' },
];

/** Names that end in a number of their own. */
const OWN_NUMBERS = /(?:^|-)utf-8$/u;

/** Says, one line each, which files of code have such a name. */
export function fileNameProblems(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => /\.tsx?$/u.test(file))
    .flatMap((file) => {
      const name = path.posix.basename(file).replace(/\..*$/u, '');
      const problem = NAMES.find(({ form }) => form.test(name));
      if (problem === undefined || OWN_NUMBERS.test(name)) return [];
      return [`${file}: is named by its history (${problem.why}): name its subject`];
    });
}
