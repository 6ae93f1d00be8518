/** Whether a browser could look for it; empty: it will not be looked for. */
export function isSelector(text: string): boolean {
  if (text.trim() === '') return true
  try {
    document.createDocumentFragment().querySelector(text)
    return true
  } catch {
    return false
  }
}
