import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const area = 'storefront'
/** A merchant and what only the person's browser knows, or an id. */
const MAX_TOKEN = 200
const Token = z.string().max(MAX_TOKEN).default('').catch('')

/** What the storefront shows of the LINE account of who is signed in there. */
export const LineProfile = z
  .object({
    /** Whether the merchant lets customers link. */
    enabled: z.boolean(),
    connected: z.boolean(),
    /** Whether they are a friend of the merchant's official account; false while not connected. */
    friend: z.boolean(),
    name: z.string().nullable(),
    picture_url: z.string().nullable(),
  })
  .meta({ id: 'LineProfile' })
export type LineProfile = z.output<typeof LineProfile>

export const getLineLogin = endpoint('GET', '/line/login', {
  area: 'line',
  summary: 'The addresses of LINE Login: what to register at LINE, and what to link to in the store',
  access: 'member',
  reply: z.object({
    line_login: z.object({
      callback_url: z.string(),
      /** Null while no store is connected. */
      link_url: z.string().nullable(),
    }),
  }),
})

export const connectLine = endpoint('GET', '/frontend/line/connect', {
  area,
  summary:
    'Where a customer begins to link their LINE account: through the app proxy (signed query) it leads to the same address here with a ticket, which leads to LINE; with `chat`, from a link in a LINE message, to the page that asks',
  access: 'public',
  replyKind: 'page',
  query: z.looseObject({ ticket: Token, chat: Token }),
})

export const getLineProfile = endpoint('GET', '/frontend/line/profile', {
  area,
  summary: 'The LINE account of the customer who is signed in at the store; through the app proxy (signed query)',
  access: 'public',
  reply: z.object({ line_profile: LineProfile }),
})

export const unlinkLine = endpoint('POST', '/frontend/line/disconnect', {
  area,
  summary:
    'Unlink the LINE account of the customer who is signed in at the store; through the app proxy (signed query)',
  access: 'public',
  reply: z.object({ line_profile: LineProfile }),
})

export const lineLoginCallback = endpoint('GET', '/line/connect/callback', {
  area: 'line',
  summary: 'LINE Login’s answer; leads to the page that asks whether to link',
  access: 'public',
  replyKind: 'page',
  query: z.looseObject({ state: Token, code: z.string().max(1000).default('').catch(''), error: Token }),
})

export const lineLinkPage = endpoint('GET', '/line/connect/confirm', {
  area: 'line',
  summary: 'Names the LINE account and the customer (masked), and asks; changes nothing',
  access: 'public',
  replyKind: 'page',
  query: z.object({ login: Token }),
})

/** The buttons of the page: plain forms, so that no script is needed. */
export const chooseLineLink = endpoint('POST', '/line/connect/confirm', {
  area: 'line',
  summary: 'A button of the page: link the LINE account or do not; leads to the page that says so',
  access: 'public',
  bodyKind: 'form',
  replyKind: 'redirect',
  status: 303,
  body: z.object({
    login: z.string('required').max(MAX_TOKEN, 'too_long'),
    choice: z.enum(['link', 'keep'], 'not_allowed'),
    /** The page said that another link ends by this. */
    moves: z.literal('yes').optional().catch(undefined),
  }),
})
