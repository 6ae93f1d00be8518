import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { countWithin, isFirstTime, rangeOf } from '../../kernel/rate-limits.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
/** With these counters half a second to a second of a phone's work (docs/performance.md), a third of a millisecond of ours. */
const COST = 1000
const COUNTER = { min: 200, max: 600 }
const LIFE_MS = 10 * 60_000
/** Challenges within ten minutes that cost the usual work; twice as many cost twice as much each, and so on up to the most. */
const USUAL = { origin: 10, range: 40, merchant: 500 }
const MOST_TIMES = 16

/** What a proof is good for, and nothing else. `merchantId` null: a form of the application itself. */
export interface CaptchaUse {
  form: 'test_mail' | 'sign_up' | 'restock'
  merchantId: string | null
}

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string().max(200),
      salt: z.string().max(200),
      cost: z.literal(COST),
      keyLength: z.int().min(1).max(64),
      keyPrefix: z.string().max(200),
      expiresAt: z.number(),
      data: z.strictObject({ form: z.string().max(20), merchant: z.string().max(36) }),
    }),
    signature: z.string().max(200),
  }),
  solution: z.object({ counter: z.int().min(0), derivedKey: z.string().max(200), time: z.number().optional() }),
})

const secretsOf = ({ keyring }: Context) => ({
  hmacSignatureSecret: keyring.linkMac(Buffer.from('captcha challenge'), 32),
  hmacKeySignatureSecret: keyring.linkMac(Buffer.from('captcha solution'), 32),
})

const boundTo = ({ form, merchantId }: CaptchaUse) => ({ form, merchant: merchantId ?? '' })

/** A proof-of-work challenge (ALTCHA v2) good for ten minutes, one use and one form of one merchant; harder for an origin that asks for many. */
export async function makeCaptcha(context: Context, use: CaptchaUse, origin: string): Promise<Record<string, unknown>> {
  const times = await timesHarder(context, use, origin)
  const challenge = await createChallenge({
    algorithm: ALGORITHM,
    cost: COST,
    counter: randomInt(COUNTER.min * times, COUNTER.max * times),
    data: boundTo(use),
    deriveKey,
    expiresAt: new Date(context.clock.realNow().getTime() + LIFE_MS),
    ...secretsOf(context),
  })
  return { ...challenge }
}

async function timesHarder(context: Context, { merchantId }: CaptchaUse, origin: string): Promise<number> {
  const asked = async (what: keyof typeof USUAL, name: string, counts: boolean): Promise<number> =>
    (await countWithin(context, `captcha ${what}`, name, { seconds: LIFE_MS / 1000, counts })) / USUAL[what]
  const own = await asked('origin', origin, true)
  // What one origin asks beyond the usual makes it harder for itself, not for everyone at the shop.
  const most = Math.max(
    own,
    await asked('range', rangeOf(origin), own <= 1),
    merchantId === null ? 0 : await asked('merchant', merchantId, own <= 1),
  )
  return most <= 1 ? 1 : Math.min(MOST_TIMES, 2 ** Math.ceil(Math.log2(most)))
}

/**
 * Takes the widget's payload (base64 of JSON) once, over all processes. Throws `captcha_failed` for one that is unsolved, used, too old, not ours,
 * or made for another form or merchant.
 */
export async function checkCaptcha(context: Context, payload: string, use: CaptchaUse): Promise<void> {
  const refuse = () => new AppError('invalid', 'captcha_failed', 'solve the captcha again', { captcha: 'invalid' })
  const parsed = Payload.safeParse(decode(payload))
  if (!parsed.success) throw refuse()
  const { challenge, solution } = parsed.data
  const { nonce, data, expiresAt } = challenge.parameters
  const bound = boundTo(use)
  if (data.form !== bound.form || data.merchant !== bound.merchant) throw refuse()
  // One that lasts longer was made before the clock was set back, and its use may be forgotten before it ends.
  if (expiresAt * 1000 > context.clock.realNow().getTime() + LIFE_MS + 1000) throw refuse()
  const { verified } = await verifySolution({
    challenge: challenge as Parameters<typeof verifySolution>[0]['challenge'],
    solution: { counter: solution.counter, derivedKey: solution.derivedKey },
    deriveKey,
    ...secretsOf(context),
  })
  // The nonce is under the signature; the signature's own letters could be written in another case. Remembered until it would have run out.
  if (!verified || !(await isFirstTime(context, 'captcha', nonce.toLowerCase(), LIFE_MS / 1000))) throw refuse()
}

function decode(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
