/** Is this name or address one of the computer itself? One answer for all who decide what may leave it, and who may come in. */

/** @param host A name, or an address with or without the brackets of IPv6; no port. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/iu.test(host);
}
