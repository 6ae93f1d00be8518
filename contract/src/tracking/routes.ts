import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const TokenParams = z.object({ token: z.string().max(200, 'too_long') })

export const openPixel = endpoint('GET', '/o/{token}', {
  area: 'tracking',
  summary: 'The pixel of a mail (`/o/{token}.gif`): the open is stored, then the picture answered',
  access: 'public',
  params: TokenParams,
  replyKind: 'file',
  mediaTypes: ['image/gif'],
})
export const clickLink = endpoint('GET', '/c/{token}', {
  area: 'tracking',
  summary: 'A link of a mail: the click is stored, then the browser sent on, only to a link stored with the message',
  access: 'public',
  params: TokenParams,
  replyKind: 'redirect',
  status: 302,
})
