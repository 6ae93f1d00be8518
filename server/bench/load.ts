import { fork } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { type OkaeriProcess, startProcess } from '../src/app/process.ts'

/** The host that the load asks by. */
export const HOST = 'bench.test'

/** An API process in this one, with an embedded database in the folder unless BENCH_DATABASE_URL names one. */
export async function startApi(dataDir: string): Promise<OkaeriProcess> {
  const okaeri = await startProcess(
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      ROLE: 'api',
      LOG_LEVEL: 'error',
      SANDBOX: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      ...(process.env['BENCH_DATABASE_URL'] ? { DATABASE_URL: process.env['BENCH_DATABASE_URL'] } : {}),
    }),
  )
  okaeri.context.settings.publicUrl = `http://${HOST}`
  return okaeri
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export function portOf(server: { address(): unknown } | undefined): number {
  const address = server?.address()
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port)
  throw new Error('not listening')
}

export interface Load {
  port: number
  connections: number
  /** A file with whole requests: {@link writeRequests}. */
  requests: string
}
interface Span {
  seconds: number
  /** The first request: who asks for more spans goes on behind the last, so that none is made twice. */
  from?: number
}

/** Whole requests, for {@link Load}. Too many for a message between processes. */
export function writeRequests(folder: string, name: string, requests: readonly string[]): string {
  const file = path.join(folder, `${name}.requests`)
  fs.writeFileSync(file, requests.join(BETWEEN))
  return file
}
const BETWEEN = '\0'

function readRequests(file: string): Buffer[] {
  const all = fs.readFileSync(file)
  const requests: Buffer[] = []
  for (let from = 0; from < all.length; ) {
    const end = all.indexOf(BETWEEN, from)
    requests.push(all.subarray(from, end < 0 ? all.length : end))
    from = end < 0 ? all.length : end + 1
  }
  return requests
}

/** `headers`: further lines of the head, each with its end. */
export const getOf = (address: string, headers = ''): string =>
  `GET ${address} HTTP/1.1\r\nHost: ${HOST}\r\nUser-Agent: Mozilla/5.0 (bench) AppleWebKit/605.1.15 Safari/604.1\r\n${headers}\r\n`

/** Asks from another process for so many seconds; returns how many requests were answered with 200 or 302. */
export function generate(load: Load, span: Span): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['generate'])
    child.once('message', (count) => resolve(Number(count)))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`the load generator ended with ${code}`)))
    child.send({ ...load, ...span })
  })
}

/** Each connection asks again when it has been answered. Plain sockets: a HTTP client would be slower than what it measures. */
async function runGenerator({ port, connections, requests: file, seconds, from = 0 }: Load & Span): Promise<number> {
  const requests = readRequests(file)
  const until = performance.now() + seconds * 1000
  let next = from
  let answered = 0
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true })
          let rest = ''
          const ask = (): void => {
            next = (next + 1) % requests.length
            socket.write(requests[next] as Buffer)
          }
          socket.on('connect', ask)
          socket.on('error', reject)
          socket.on('close', () => resolve())
          socket.on('data', (chunk) => {
            rest += chunk.toString('latin1')
            const head = rest.indexOf('\r\n\r\n')
            if (head < 0) return
            const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0)
            if (rest.length < head + 4 + length) return
            const status = rest.slice(9, 12)
            if (status !== '200' && status !== '302')
              return void socket.destroy(new Error(`answered ${rest.slice(0, 2000)}`))
            answered += 1
            rest = rest.slice(head + 4 + length)
            if (performance.now() < until) ask()
            else socket.end()
          })
        }),
    ),
  )
  return answered
}

const WARM_UPS = 5

/** How long a page takes over HTTP, asked for one after another by a signed-in member. */
export async function timePage(url: string, rounds: number): Promise<{ medianMs: number; p95Ms: number }> {
  const times: number[] = []
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const start = performance.now()
    const response = await fetch(url, { headers: { authorization: 'Bearer bench' } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`)
    if (round >= 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(rounds / 2)] ?? 0, p95Ms: times[Math.floor(rounds * 0.95)] ?? 0 }
}

if (process.argv[2] === 'generate' && process.send)
  process.once('message', (load: Load & Span) => {
    void runGenerator(load).then((count) => process.send?.(count, () => process.exit(0)))
  })
