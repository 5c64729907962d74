/** Reads a number that a person typed as an option of a tool. @throws when it is no whole number, or less than `least`. */
export function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`${option} is "${text}", and must be a whole number of at least ${least}`);
  return number;
}
