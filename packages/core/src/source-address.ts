// Validates a project's source.

/** Tells whether a source is an address that each machine reaches by itself, such as `https://…` or `git@host:path`, and no directory. */
export function isAddress(source: string): boolean {
  return !source.startsWith('/') && /^[a-z][a-z0-9+.-]*:\/\/|^[^/]+:/iu.test(source);
}

/** Says why a source is not handed to git, or returns null; the answer does not show the source, which may hold a password. */
export function sourceProblem(source: string): string | null {
  if (source.startsWith('-'))
    return 'expected an address that does not start with a dash, which git would read as an option';
  if (/^[a-z0-9+.-]+::/iu.test(source))
    return 'expected an address without a git helper program ("…::"): use https, ssh, git or file';
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/]*@/iu.test(source))
    return 'expected an address without a password: use a git credential helper or an SSH key';
  return null;
}
