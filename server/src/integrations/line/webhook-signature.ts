import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether the platform signed these bytes (`x-line-signature`) with the channel's secret. Constant time; over the bytes as they came. */
export function isSignedByLine(channelSecret: string, rawBody: Buffer, signature: string | undefined): boolean {
  if (!signature) return false
  const expected = Buffer.from(createHmac('sha256', channelSecret).update(rawBody).digest('base64'))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
