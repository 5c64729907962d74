/** Tells builds of the pages apart: each names its first script by its content. */

/** @param own Script by which the page began. @param served The page as it is served now; null: not known. */
export function isNewBuild(own: string | null, served: string | null): boolean {
  const script = /<script[^<>]* src="(\/assets\/[^"<>]+)"/u.exec(served ?? '')?.[1];
  return own !== null && script !== undefined && script !== own;
}
