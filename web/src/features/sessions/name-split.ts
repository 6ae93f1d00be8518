/** A sentence in pieces, each name in it a piece of its own. */
export function splitAtNames(sentence: string, names: readonly string[]): string[] {
  return sentence.split(new RegExp(`(${names.join('|')})`, 'i')).filter((part) => part !== '')
}
