import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { captcha } from '@okaeri/contract/system/routes'
import { expect, test } from 'vitest'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { checkCaptcha } from './captcha.ts'

withOkaeri()

const pack = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
async function solve(challenge: Challenge) {
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
const fetchChallenge = async () => (await okaeri.call(captcha, {})) as unknown as Challenge
const refused = { code: 'invalid', reason: 'captcha_failed', fields: { captcha: 'invalid' } }

test('a solved challenge is taken once', async () => {
  const payload = await solve(await fetchChallenge())
  await checkCaptcha(okaeri.context, pack(payload))
  await expect(checkCaptcha(okaeri.context, pack(payload))).rejects.toMatchObject(refused)
  const signature = payload.challenge.signature?.toUpperCase()
  await expect(
    checkCaptcha(okaeri.context, pack({ ...payload, challenge: { ...payload.challenge, signature } })),
  ).rejects.toMatchObject(refused)
})

test('an unsolved, foreign, changed or old one is refused', async () => {
  const { challenge, solution } = await solve(await fetchChallenge())
  const parameters = { ...challenge.parameters, expiresAt: (challenge.parameters.expiresAt ?? 0) + 9999 }
  const foreign = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1000,
    counter: 3,
    deriveKey,
    hmacSignatureSecret: 'not ours',
  })
  for (const payload of [
    { challenge, solution: { counter: 1, derivedKey: '00' } },
    { challenge: { ...challenge, parameters }, solution },
    { challenge: { ...challenge, signature: undefined }, solution },
    await solve(foreign),
    {},
    null,
    [],
  ])
    await expect(checkCaptcha(okaeri.context, pack(payload))).rejects.toMatchObject(refused)
  for (const text of ['', 'x', '{}', '%%%'])
    await expect(checkCaptcha(okaeri.context, text)).rejects.toMatchObject(refused)
})
