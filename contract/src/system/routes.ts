import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Locale } from '../locale.ts'

const area = 'system'

export const supportedLocales = endpoint('GET', '/supported-locales', {
  area,
  summary: 'The languages of the interface',
  access: 'public',
  reply: z.object({ locales: z.array(Locale), default: Locale }),
})

/**
 * `stands`: this process cannot send, because what leaves cannot be recorded (no room in the data folder) or the ledger cannot be written;
 * it continues automatically. `on_hold`: the database was restored, and a person has to look first.
 */
const Sending = z.enum(['goes_on', 'stands', 'on_hold'])

export const health = endpoint('GET', '/healthz', {
  area,
  summary: 'That this process lives, and whether it can send; the database is not asked',
  access: 'public',
  reply: z.object({ ok: z.literal(true), role: z.string(), sending: Sending }),
})

export const Readiness = z.object({
  ready: z.boolean(),
  role: z.string(),
  database: z.enum(['there', 'away']),
  /** `behind`: the program brings migrations the database does not have; `ahead`: the other way round. */
  migrations: z.enum(['as_expected', 'behind', 'ahead', 'unknown']),
  /** The process is stopping, and finishes what it has begun. */
  stopping: z.boolean(),
  sending: Sending,
})
export type Readiness = z.output<typeof Readiness>

export const readiness = endpoint('GET', '/readyz', {
  area,
  summary: 'Whether this process can do its work now: 200 if so, else 503 with the same body and the reason',
  access: 'public',
  reply: Readiness,
})

/** A proof-of-work challenge of ALTCHA, solved in the browser before a test mail is sent. */
export const captcha = endpoint('GET', '/captcha', {
  area,
  summary:
    'A proof-of-work challenge for one form: with `shop` for a sign-up form of that shop, else for test mails. Good for ten minutes and once',
  access: 'public',
  query: z.object({ shop: z.string().min(1, 'required').max(255, 'too_long').optional() }),
  reply: z.record(z.string(), z.unknown()),
})

export const networkTest = endpoint('GET', '/networktest', {
  area,
  summary: 'Which outside services answer (in a local sandbox, or with the operator key)',
  access: 'operator',
  reply: z.object({
    checks: z.array(z.object({ service: z.string(), ok: z.boolean(), duration_ms: z.int(), detail: z.string() })),
  }),
})
export const errorTest = endpoint('GET', '/errortest', {
  area,
  summary: 'Fails on purpose, to see the error reach the log (in a local sandbox, or with the operator key)',
  access: 'operator',
  reply: z.object({}),
})
export const debugToken = endpoint('GET', '/debug/token', {
  area,
  summary: 'What an access token says (in a local sandbox, or with the operator key)',
  access: 'operator',
  query: z.object({ token: z.string('required').min(1, 'required').max(4000, 'too_long') }),
  reply: z.object({
    valid: z.boolean(),
    header: z.record(z.string(), z.unknown()),
    claims: z.record(z.string(), z.unknown()),
  }),
})
export const debugWebhookTopics = endpoint('GET', '/debug/webhook/existing_topics', {
  area,
  summary: 'The webhook topics each connected store sends us (in a local sandbox, or with the operator key)',
  access: 'operator',
  reply: z.object({
    stores: z.array(z.object({ shop_domain: z.string(), topics: z.array(z.string()), error: z.string().nullable() })),
  }),
})
