import { findRow, listRows } from '../sql.ts'
import type { LineAnswer, LineCall, Route } from './api.ts'
import { type AccountScope, dayOf, nowMs, startOfDay } from './platform.ts'
import { hourly } from './rate-limits.ts'
import { LineRefusal } from './refusals.ts'
import type { Json } from './shapes/shapes.ts'

/** Figures the platform gives: never of fewer than twenty people, and of days that are over. */
const fewest = 20
const dayMs = 86_400_000

export const insightRoutes: readonly Route[] = [
  { method: 'GET', path: '/v2/bot/insight/followers', rate: hourly(60), answer: followers },
  { method: 'GET', path: '/v2/bot/insight/message/delivery', rate: hourly(60), answer: deliveries },
  { method: 'GET', path: '/v2/bot/insight/message/event', rate: hourly(60), answer: ofRequest },
  { method: 'GET', path: '/v2/bot/insight/message/event/aggregation', rate: hourly(60), answer: ofUnit },
]

function dayIn(query: LineCall['query'], name: string): string {
  const day = query[name] ?? ''
  if (!/^\d{8}$/.test(day) || Number.isNaN(startOfDay(day)))
    throw new LineRefusal(400, `The value for the ${name} parameter is invalid`)
  return day
}
const isOver = (scope: AccountScope, day: string): boolean => startOfDay(day) + dayMs <= nowMs(scope)

function followers({ scope, query }: LineCall): LineAnswer {
  const day = query['date'] === undefined ? dayOf(nowMs(scope) - dayMs) : dayIn(query, 'date')
  if (!isOver(scope, day)) return { body: { status: 'unready' } }
  const counts = findRow<{ followers: number; blocks: number }>(scope.database)`SELECT count(*) AS followers,
    coalesce(sum(state = 'blocked'), 0) AS blocks FROM line_friendship
    WHERE account_id = ${scope.account.id} AND since_ms < ${startOfDay(day) + dayMs}
    AND state IN ('friend', 'blocked')`
  const { followers = 0, blocks = 0 } = counts ?? {}
  return { body: { status: 'ready', followers, targetedReaches: followers - blocks, blocks } }
}

function deliveries({ scope, query }: LineCall): LineAnswer {
  const day = dayIn(query, 'date')
  if (!isOver(scope, day)) return { body: { status: 'unready' } }
  const rows = listRows<{ kind: string; count: number }>(scope.database)`SELECT kind, count(*) AS count FROM line_send
    JOIN line_receipt ON send_id = line_send.id
    WHERE line_send.account_id = ${scope.account.id} AND at_ms >= ${startOfDay(day)}
    AND at_ms < ${startOfDay(day) + dayMs} GROUP BY kind`
  const of = (kind: string): number => rows.find((row) => row.kind === kind)?.count ?? 0
  return {
    body: { status: 'ready', apiPush: of('push'), apiMulticast: of('multicast'), apiReply: of('reply') },
  }
}

interface Counted {
  id: number
  messages: string
  at_ms: number
}

function ofRequest({ scope, query }: LineCall): LineAnswer {
  const send = findRow<Counted>(scope.database)`SELECT id, messages, at_ms FROM line_send
    WHERE account_id = ${scope.account.id} AND request_id = ${query['requestId'] ?? ''} AND kind = 'multicast'`
  if (!send) throw new LineRefusal(404, 'Not found')
  const figures = figuresOf(scope, [send])
  return {
    body: {
      ...figures,
      overview: {
        requestId: query['requestId'],
        timestamp: Math.floor(send.at_ms / 1000),
        delivered: delivered(scope, send.id),
        ...figures.overview,
      },
    },
  }
}

function ofUnit({ scope, query }: LineCall): LineAnswer {
  const unit = query['customAggregationUnit'] ?? ''
  if (!/^[a-zA-Z0-9_]{1,30}$/.test(unit))
    throw new LineRefusal(400, 'The value for the customAggregationUnit parameter is invalid')
  const [from, to] = [dayIn(query, 'from'), dayIn(query, 'to')]
  if (from > to || startOfDay(to) - startOfDay(from) > 30 * dayMs)
    throw new LineRefusal(400, 'The value for the to parameter is invalid')
  const sends = listRows<Counted>(scope.database)`SELECT id, messages, at_ms FROM line_send
    WHERE account_id = ${scope.account.id} AND unit = ${unit} AND at_ms >= ${startOfDay(from)}
    AND at_ms < ${startOfDay(to) + dayMs}`
  return { body: figuresOf(scope, sends) }
}

const delivered = ({ database }: AccountScope, sendId: number): number =>
  findRow<{ count: number }>(database)`SELECT count(*) AS count FROM line_receipt WHERE send_id = ${sendId}`?.count ?? 0

/** Null below the fewest people the platform tells of. */
const atLeastFewest = (people: number): number | null => (people < fewest ? null : people)

function figuresOf({ database }: AccountScope, sends: readonly Counted[]) {
  const ids = JSON.stringify(sends.map(({ id }) => id))
  const seen = findRow<{ people: number }>(database)`SELECT count(DISTINCT user_id) AS people FROM line_receipt
    WHERE send_id IN (SELECT value FROM json_each(${ids})) AND seen_ms IS NOT NULL`
  const clicks = listRows<{ seq: number; url: string; clicks: number; people: number }>(database)`SELECT seq, url,
    count(*) AS clicks, count(DISTINCT user_id) AS people FROM line_click WHERE send_id IN (SELECT value
    FROM json_each(${ids})) GROUP BY seq, url ORDER BY seq, url`
  const clicked = findRow<{ people: number }>(database)`SELECT count(DISTINCT user_id) AS people FROM line_click
    WHERE send_id IN (SELECT value FROM json_each(${ids}))`
  const impressions = atLeastFewest(seen?.people ?? 0)
  const longest = Math.max(0, ...sends.map(({ messages }) => (JSON.parse(messages) as Json[]).length))
  const played = {
    mediaPlayed: null,
    mediaPlayed25Percent: null,
    mediaPlayed50Percent: null,
    mediaPlayed75Percent: null,
    mediaPlayed100Percent: null,
    uniqueMediaPlayed: null,
    uniqueMediaPlayed25Percent: null,
    uniqueMediaPlayed50Percent: null,
    uniqueMediaPlayed75Percent: null,
    uniqueMediaPlayed100Percent: null,
  }
  return {
    overview: {
      uniqueImpression: impressions,
      uniqueClick: atLeastFewest(clicked?.people ?? 0),
      uniqueMediaPlayed: null,
      uniqueMediaPlayed100Percent: null,
    },
    messages: Array.from({ length: longest }, (_, index) => ({
      seq: index + 1,
      impression: impressions,
      uniqueImpression: impressions,
      ...played,
    })),
    clicks: clicks.map(({ seq, url, clicks: count, people }) => ({
      seq,
      url,
      click: people < fewest ? null : count,
      uniqueClick: atLeastFewest(people),
      uniqueClickOfRequest: atLeastFewest(people),
    })),
  }
}
