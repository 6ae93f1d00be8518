import type { Endpoint } from '@okaeri/contract/endpoint'
import { ErrorBody, errorStatus } from '@okaeri/contract/errors'
import { beforeAll, expect } from 'vitest'
import { z } from 'zod'
import {
  type Answer,
  answerOf,
  everyEndpoint,
  isForVisitors,
  makeWorld,
  rowsOf,
  SHOP_ORIGIN,
  tokenOf,
  visitorTokenOf,
  type World,
} from './every-endpoint.ts'
import { lightFetch } from './light-fetch.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// Requests as no client of ours would send them, and what every answer to them must be.

/** One of everything, of the merchant who asks. */
export let world: World
let token: string
export function withWorld(): void {
  withOkaeri()
  beforeAll(async () => {
    world = await makeWorld(okaeri, await okaeri.merchant())
    token = tokenOf(world.merchant)
  })
}

/** For hangs: how fast an answer comes is not looked at here. */
export const NO_ANSWER_MS = 240_000
export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'
const AT_ONCE = 8

/** A request whose every part is given as it goes over the wire. */
export interface Raw {
  what: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}
export async function sendRaw({ method, path, headers = {}, body }: Raw): Promise<Answer> {
  const response = await lightFetch(`${okaeri.url}${path}`, {
    method,
    headers: { ...(await tokenFor(path)), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(NO_ANSWER_MS),
    ...(body === undefined ? {} : { body }),
  })
  const answer = await answerOf(response)
  if (answer.status < 400) rowsSeen = null
  return answer
}

/** Visitors have tokens of their own, which end. */
async function tokenFor(path: string): Promise<Record<string, string>> {
  const [url = ''] = path.split('?')
  const found = asked.find(({ endpoint }) => endpoint.path === url && isForVisitors(endpoint))
  if (!found) return { authorization: `Bearer ${token}` }
  return { authorization: `Bearer ${await visitorTokenOf(world, found.endpoint)}`, origin: SHOP_ORIGIN }
}

/** Ways of our insides that no answer may show. */
const INSIDES = /\n\s+at \S|node_modules|\.ts:\d|\.js:\d|PostgresError|syntax error at|violates|FST_ERR|ZodError|ECONN/

/** What every answer must be, for every request; the error names the request. */
export function whatIsWrong(answer: Answer, endpoint: Endpoint | null): string | null {
  const { status, type, text, json } = answer
  if (INSIDES.test(text)) return `shows our insides: ${text.slice(0, 300)}`
  if (status < 400) return null
  if (status >= 500) return `is ${status}: ${text.slice(0, 300)}`
  const forPeople = endpoint !== null && endpoint.replyKind !== 'json' && endpoint.replyKind !== 'empty'
  if (forPeople && type.startsWith('text/html')) return null
  if (!type.startsWith(JSON_TYPE)) return `has the type ${type}`
  const parsed = z.strictObject({ error: z.strictObject(ErrorBody.shape.error.shape) }).safeParse(json)
  if (!parsed.success) return `is not in the error form: ${text.slice(0, 300)}`
  if (errorStatus[parsed.data.error.code] !== status) return `is ${status} with ${parsed.data.error.code}`
  return null
}

/** Sends them all; returns what is wrong with the answers, and whether anything was accepted. */
async function sendAll(raws: readonly Raw[], endpoint: Endpoint | null) {
  const wrong: string[] = []
  let accepted = 0
  for (let first = 0; first < raws.length; first += AT_ONCE) {
    const some = raws.slice(first, first + AT_ONCE)
    const answers = await Promise.all(some.map(sendRaw))
    for (const [index, answer] of answers.entries()) {
      if (answer.status < 400) accepted += 1
      const problem = whatIsWrong(answer, endpoint)
      if (problem) wrong.push(`${some[index]?.what} ${problem}`)
    }
  }
  return { wrong, accepted }
}

type MerchantRows = Awaited<ReturnType<typeof rowsOf>>
/** Those of the merchant, until something was accepted: asking for all rows of all tables costs more than many requests. */
let rowsSeen: MerchantRows | null = null
export const rowsBefore = async (): Promise<MerchantRows> => (rowsSeen ??= await rowsNow())
export const rowsNow = (): Promise<MerchantRows> => rowsOf(okaeri, world.merchant.id)

/** Nothing is wrong with the answers, and what was refused altogether left nothing behind. */
export async function expectClear(raws: readonly Raw[], endpoint: Endpoint | null): Promise<void> {
  const before = await rowsBefore()
  const { wrong, accepted } = await sendAll(raws, endpoint)
  expect(wrong).toEqual([])
  if (accepted === 0) expect(await rowsNow()).toEqual(before)
}

/** What can be asked of each; the one that fails on purpose is left out. */
export const asked = everyEndpoint().filter(({ key }) => key !== 'GET /errortest')
export const named = (list: typeof asked) => list.map((entry) => [entry.key, entry] as const)
export const typeOf = (endpoint: Endpoint): string => (endpoint.bodyKind === 'form' ? FORM_TYPE : JSON_TYPE)
export const pathWith = (endpoint: Endpoint, params: Record<string, string> = {}): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
/** Keys as the description declares them. */
export function declaredKeys(schema: Endpoint['body']): string[] {
  if (!schema) return []
  const { properties = {}, oneOf = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const parts = [{ properties }, ...oneOf].flatMap((part) => Object.keys(part.properties ?? {}))
  return [...new Set(parts)]
}
