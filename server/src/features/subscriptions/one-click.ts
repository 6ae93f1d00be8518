/** RFC 8058 §3.1: the whole of what a mailbox provider posts, urlencoded or as a form of one part. */
export function isOneClick(body: unknown, contentType: string | undefined): boolean {
  if (!Buffer.isBuffer(body) || body.length === 0) return false
  const text = body.toString('latin1')
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'multipart/form-data') {
    const boundary = parameters
      .map((parameter) => /^boundary="?([^"]{1,70})"?$/i.exec(parameter)?.[1])
      .find((found) => found !== undefined)
    return boundary !== undefined && text.split(`--${boundary}`).some(isOneClickPart)
  }
  // Some providers name no type, or another; the body itself is what counts.
  return new URLSearchParams(text.trim()).get('List-Unsubscribe') === 'One-Click'
}

function isOneClickPart(part: string): boolean {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  return /name="?List-Unsubscribe"?(;|\s|$)/i.test(head) && rest.join('\r\n\r\n').trim() === 'One-Click'
}
