import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isFirstTime } from '../../kernel/rate-limits.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
/** About a second of a phone's work, a third of a millisecond of ours. */
const COST = 1000
const COUNTER = { min: 500, max: 2000 }
const LIFE_MS = 10 * 60_000

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string().max(200),
      salt: z.string().max(200),
      cost: z.literal(COST),
      keyLength: z.int().min(1).max(64),
      keyPrefix: z.string().max(200),
    }),
    signature: z.string().max(200),
  }),
  solution: z.object({ counter: z.int().min(0), derivedKey: z.string().max(200), time: z.number().optional() }),
})

const secretsOf = ({ keyring }: Context) => ({
  hmacSignatureSecret: keyring.linkMac(Buffer.from('captcha challenge'), 32),
  hmacKeySignatureSecret: keyring.linkMac(Buffer.from('captcha solution'), 32),
})

/** A proof-of-work challenge (ALTCHA v2) good for ten minutes and one use. */
export async function makeCaptcha(context: Context): Promise<Record<string, unknown>> {
  const challenge = await createChallenge({
    algorithm: ALGORITHM,
    cost: COST,
    counter: randomInt(COUNTER.min, COUNTER.max),
    deriveKey,
    expiresAt: new Date(context.clock.realNow().getTime() + LIFE_MS),
    ...secretsOf(context),
  })
  return { ...challenge }
}

/** Takes the widget's payload (base64 of JSON) once. Throws `captcha_failed` for one that is unsolved, used, too old or not ours. */
export async function checkCaptcha(context: Context, payload: string): Promise<void> {
  const refuse = () => new AppError('invalid', 'captcha_failed', 'solve the captcha again', { captcha: 'invalid' })
  const parsed = Payload.safeParse(decode(payload))
  if (!parsed.success) throw refuse()
  const { challenge, solution } = parsed.data
  const { verified } = await verifySolution({
    challenge: challenge as Parameters<typeof verifySolution>[0]['challenge'],
    solution: { counter: solution.counter, derivedKey: solution.derivedKey },
    deriveKey,
    ...secretsOf(context),
  })
  // The nonce is under the signature; the signature's own letters could be written in another case. Remembered until it would have run out.
  const { nonce } = challenge.parameters
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
