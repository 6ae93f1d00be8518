import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { TestOkaeri } from './harness.ts'

/** As the page solves it for a person. */
export async function solvedCaptcha({ call }: TestOkaeri): Promise<string> {
  const challenge = (await call(captcha, {})) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
