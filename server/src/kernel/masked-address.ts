/** `y•••@e•••.jp`: its owner recognizes it, others learn nothing. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const first = (text: string): string => `${[...text][0] ?? ''}•••`
  return `${first(address.slice(0, at))}@${first(domain)}${domain.slice(domain.lastIndexOf('.'))}`
}
