import { z } from 'zod'
import type { LineAnswer, LineProblem } from './answer.ts'
import { type LineConnection, problemsIn } from './connection.ts'

/** A message object of the Messaging API: its `type` and what belongs to it. */
export type LineMessage = { type: string } & Record<string, unknown>

export interface LineSend {
  /** One to five, as JSON: what is the same for many is made once. */
  messages: string
  /** The platform takes a send with this UUID once in 24 hours. */
  retryKey: string
  /** Under which name the platform counts opens and clicks: letters, digits and `_`, 30 at most. */
  unit?: string
}

export interface LineMessages {
  /** Content of one person's own. */
  push(token: string, to: string, send: LineSend): Promise<LineAnswer>
  /** The same content to up to 500 people: all of them or, for one bad id, none. */
  multicast(token: string, to: readonly string[], send: LineSend): Promise<LineAnswer>
  /** Returns an event within a minute; free, and never repeated: the token is good once. */
  reply(token: string, replyToken: string, messages: readonly LineMessage[]): Promise<LineAnswer>
  /** What the platform finds wrong; empty when it would take them. Throws {@link LineError} where it did not say. */
  validate(token: string, messages: readonly LineMessage[]): Promise<LineProblem[]>
  /** Messages that may be sent this month; null: without a limit. */
  quota(token: string): Promise<number | null>
  /** How many of them were. */
  consumption(token: string): Promise<number>
  /** Units of this month, 1,000 at most. */
  unitsUsed(token: string): Promise<number>
  /** Opens and clicks of a unit, days as `20270131` in Japan's time, 30 days at most; null where fewer than 20 people did. */
  figures(token: string, unit: string, days: { from: string; to: string }): Promise<UnitFigures>
}

export interface UnitFigures {
  opened: number | null
  clicked: number | null
  clicks: { url: string; people: number | null }[]
}

const Quota = z.object({ type: z.enum(['none', 'limited']), value: z.number().int().optional() })
const Consumption = z.object({ totalUsage: z.number().int() })
const Units = z.object({ numOfCustomAggregationUnits: z.number().int() })
/** People: no more than the database can count. */
const Figure = z.int32().nonnegative().nullish()
const Figures = z.object({
  overview: z.object({ uniqueImpression: Figure, uniqueClick: Figure }),
  clicks: z.array(z.object({ url: z.string(), uniqueClick: Figure })),
})

export function lineMessages({ call, ask, tell }: LineConnection): LineMessages {
  const send = (kind: string, token: string, to: string | readonly string[], one: LineSend): Promise<LineAnswer> => {
    const { messages, retryKey, unit } = one
    const counted = unit === undefined ? '' : `,"customAggregationUnits":${JSON.stringify([unit])}`
    const json = `{"to":${JSON.stringify(to)},"messages":${messages}${counted}}`
    return call({ method: 'POST', path: `/v2/bot/message/${kind}`, token, madeJson: json, retryKey })
  }
  return {
    push: (token, to, one) => send('push', token, to, one),
    multicast: (token, to, one) => send('multicast', token, to, one),
    reply: (token, replyToken, messages) =>
      call({ method: 'POST', path: '/v2/bot/message/reply', token, json: { replyToken, messages } }),
    validate: (token, messages) =>
      problemsIn(tell({ method: 'POST', path: '/v2/bot/message/validate/push', token, json: { messages } })),
    async quota(token) {
      const path = '/v2/bot/message/quota'
      const { type, value } = await ask({ method: 'GET', path, token }, Quota)
      return type === 'limited' ? (value ?? 0) : null
    },
    async consumption(token) {
      const path = '/v2/bot/message/quota/consumption'
      return (await ask({ method: 'GET', path, token }, Consumption)).totalUsage
    },
    async unitsUsed(token) {
      const path = '/v2/bot/message/aggregation/info'
      return (await ask({ method: 'GET', path, token }, Units)).numOfCustomAggregationUnits
    },
    async figures(token, unit, { from, to }) {
      const query = new URLSearchParams({ customAggregationUnit: unit, from, to }).toString()
      const path = `/v2/bot/insight/message/event/aggregation?${query}`
      const { overview, clicks } = await ask({ method: 'GET', path, token }, Figures)
      return {
        opened: overview.uniqueImpression ?? null,
        clicked: overview.uniqueClick ?? null,
        clicks: clicks.map(({ url, uniqueClick }) => ({ url, people: uniqueClick ?? null })),
      }
    },
  }
}
