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

export const health = endpoint('GET', '/healthz', {
  area,
  summary: 'Whether this process and its database answer',
  access: 'public',
  reply: z.object({ ok: z.literal(true), role: z.string() }),
})

/** A proof-of-work challenge of ALTCHA, solved in the browser before a test mail is sent. */
export const captcha = endpoint('GET', '/captcha', {
  area,
  summary: 'A proof-of-work challenge for forms that send mail',
  access: 'public',
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
