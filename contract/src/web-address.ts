/** Whether something could answer there: http or https, without a name and password in it. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password
}
