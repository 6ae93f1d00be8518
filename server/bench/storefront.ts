import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { newId } from '../src/kernel/ids.ts'
import { generate, getOf, type Load, median, portOf, startApi, writeRequests } from './load.ts'

export interface StorefrontBench {
  bareRequestsPerSecond: number
  statusPerSecond: number
  scriptPerSecond: number
  /** Ours divided by a bare Fastify route that answers the same bytes. */
  statusRatio: number
  scriptRatio: number
  /** Computed by the server for each answer. */
  statusUs: number
  bareStatusUs: number
  scriptUs: number
  bareScriptUs: number
}

const SHOP = 'bench.myshopify.com'
const ORIGIN = 'https://shop.bench.test'

/** What every page of every shop asks for, beside bare routes that answer the same, from another process. */
export async function runStorefrontBench(
  { connections, seconds, rounds: count } = { connections: 200, seconds: 4, rounds: 3 },
): Promise<StorefrontBench> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const okaeri = await startApi(dataDir)
  const bare = Fastify()
  try {
    const { db } = okaeri.context
    const merchantId = newId()
    const now = new Date()
    await sql`insert into merchants (id, site_name, sender_name, sender_email, plan, created_at, updated_at)
      values (${merchantId}, '店', '店', 'shop@bench.test', 'standard', ${now}, ${now})`.execute(db)
    await sql`insert into store_directory (shop_domain, merchant_id) values (${SHOP}, ${merchantId})`.execute(db)
    await sql`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
      values (${merchantId}, ${newId()}, ${SHOP}, '店', ${ORIGIN}, 'connected', '', ${now})`.execute(db)

    const port = portOf(okaeri.server?.server)
    const headers = `Origin: ${ORIGIN}\r\nAccept-Encoding: gzip\r\n`
    const at = (url: string, on = port): Load => {
      const requests = writeRequests(dataDir, `${on}${url.replace(/\W/g, '-')}`, [getOf(url, headers)])
      return { port: on, requests, connections }
    }
    const statusPath = `/frontend/status?shop=${SHOP}`
    const scriptPath = '/assets/js/okaeri.js'
    const answerOf = async (url: string): Promise<Buffer> => {
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { origin: ORIGIN } })
      if (answer.status !== 200)
        throw new Error(`${url} is answered ${answer.status}: build the script first (npm start)`)
      return Buffer.from(await answer.arrayBuffer())
    }
    const [status, script] = [await answerOf(statusPath), await answerOf(scriptPath)]
    bare.get('/status', (_request, reply) => reply.type('application/json; charset=utf-8').send(status))
    bare.get('/script', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
    await bare.listen({ port: 0, host: '127.0.0.1' })
    const barePort = portOf(bare.server)

    const loads = {
      bareStatus: at('/status', barePort),
      status: at(statusPath),
      bareScript: at('/script', barePort),
      script: at(scriptPath),
    }
    /** Answers, and what this process, which is the server, computed for each in µs: a busy machine changes that less. */
    const measure = async (load: Load): Promise<{ answers: number; us: number }> => {
      const before = process.cpuUsage()
      const answers = await generate(load, { seconds })
      const { user, system } = process.cpuUsage(before)
      return { answers, us: (user + system) / answers }
    }
    for (const load of Object.values(loads)) await generate(load, { seconds: Math.min(1, seconds) })
    const rounds: Record<keyof typeof loads, Awaited<ReturnType<typeof measure>>>[] = []
    for (let round = 0; round < count; round += 1)
      rounds.push({
        bareStatus: await measure(loads.bareStatus),
        status: await measure(loads.status),
        bareScript: await measure(loads.bareScript),
        script: await measure(loads.script),
      })
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick))
    return {
      bareRequestsPerSecond: Math.round(of(({ bareStatus }) => bareStatus.answers) / seconds),
      statusPerSecond: Math.round(of(({ status }) => status.answers) / seconds),
      scriptPerSecond: Math.round(of(({ script }) => script.answers) / seconds),
      statusRatio: of(({ status, bareStatus }) => status.answers / bareStatus.answers),
      scriptRatio: of(({ script, bareScript }) => script.answers / bareScript.answers),
      statusUs: of(({ status }) => status.us),
      bareStatusUs: of(({ bareStatus }) => bareStatus.us),
      scriptUs: of(({ script }) => script.us),
      bareScriptUs: of(({ bareScript }) => bareScript.us),
    }
  } finally {
    await bare.close()
    await okaeri.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await runStorefrontBench(), null, 2)}\n`)
