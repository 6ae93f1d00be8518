import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import type { BenchInstallation } from './installation.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** A merchant as who signs up makes one, and their tokens. */
export async function signUp({
  url,
  api,
}: BenchInstallation): Promise<{ scope: MerchantScope; cookies: [string, string][] }> {
  const email = 'owner@bench.test'
  const body = { email, password: 'a bench of its own', site_name: 'ベンチ商店', agreement: true }
  const answer = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`signing up: ${answer.status} ${await answer.text()}`)
  const { access_token, refresh_token } = (await answer.json()) as { access_token: string; refresh_token: string }
  const { rows } = await sql<{ merchant_id: string }>`select merchant_id from members where email = ${email}`.execute(
    api.context.db,
  )
  return {
    scope: merchantScope(api.context, rows[0]?.merchant_id ?? ''),
    cookies: [
      ['access_token', access_token],
      ['refresh_token', refresh_token],
    ],
  }
}

/** The pages as they are now, where the server finds them. */
export async function buildPages(): Promise<void> {
  const build = "import { buildWeb } from './scripts/lib.mjs'; buildWeb()"
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', build], { cwd: ROOT })
}
