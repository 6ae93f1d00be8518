import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPair } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { createCampaign } from '../src/features/campaigns/campaign.ts'
import { reserveCampaign } from '../src/features/campaigns/reservation.ts'
import { makeDkimKey } from '../src/features/sender-domains/dkim-key.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { type BareLoopOptions, runBareLoop } from './bare-loop.ts'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { addBenchEmail, addManyCustomers, benchHtml, startInstallation, until } from './installation.ts'
import type { SinkReport } from './smtp-sink.ts'

/** What `npm run bench` prints of sending. */
export interface SendingFigures {
  recipients: number
  bareLoopPerSecond: number
  sentPerSecond: number
  ratio: number
  /** The same once more, each mail signed by the sender's domain. */
  signedPerSecond: number
  signedRatio: number
  /** What one mail of the campaign and its envelope take on the line. */
  mailBytes: number
  /** The bare loop with as many bytes a mail, and the campaign's ratio to it. */
  asLongBareLoopPerSecond: number
  asLongRatio: number
  /** That loop with a signature for each mail too, and the signed campaign's ratio to it. */
  signingBareLoopPerSecond: number
  signedToSigningRatio: number
  /** What the processors did for each mail of the first campaign, in microseconds. */
  workerUs: number
  databaseUs: number
  /** Null for a sink that was there before. */
  sinkUs: number | null
  freezeMs: number
  workerRssStartMb: number
  /** A quarter, half and three quarters through, and at the end: flat is what these show. */
  workerRssQuartersMb: number[]
  workerRssMaxMb: number
}

const CONNECTIONS = 20

/**
 * One worker process sends a campaign with tracking to a sink in a process of its own, from the embedded database; beside it, in the
 * same run, the bare loop that pipelines one prepared mail of the same size to the same sink.
 */
/**
 * `otherSink`: where another sink listens already (Postfix's smtp-sink, say), and how long a mail is, since that one does not count what it
 * gets.
 */
export async function runSendingBench(
  recipients = 100_000,
  otherSink: { port: number; mailBytes: number } | null = null,
): Promise<SendingFigures> {
  const own = otherSink === null ? await startSinkProcess() : null
  const sink = { port: own?.port ?? otherSink?.port ?? 0 }
  const okaeri = await startInstallation({ smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const { scope } = okaeri
    await addManyCustomers(scope, recipients)
    const html = benchHtml()
    const bareBefore = await bare(sink.port, recipients)
    const emailId = await addBenchEmail(scope, html)
    const look = async () =>
      own && { cpu: cpuSeconds(own.process.pid ?? 0), bytes: (await askSink(own.httpPort)).bytes }
    const sinkBefore = await look()
    const unsigned = await sendCampaign(okaeri, emailId, recipients)
    const sinkAfter = await look()
    const mailBytes = otherSink?.mailBytes ?? ((sinkAfter?.bytes ?? 0) - (sinkBefore?.bytes ?? 0)) / recipients
    await verifySenderDomain(scope)
    const signed = await sendCampaign(okaeri, emailId, recipients)
    if (own) await checkCount(own.httpPort, recipients)
    const bareAfter = await bare(sink.port, recipients)
    const asLong = { sizeBytes: mailBytes }
    const asLongBareLoopPerSecond = await bare(sink.port, recipients, asLong)
    const { privateKey: key } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const signingBareLoopPerSecond = await bare(sink.port, recipients, { ...asLong, key })
    const bareLoopPerSecond = (bareBefore + bareAfter) / 2
    const sentPerSecond = recipients / unsigned.seconds
    const signedPerSecond = recipients / signed.seconds
    const microseconds = (seconds: number): number => (seconds / recipients) * 1_000_000
    return {
      recipients,
      bareLoopPerSecond,
      sentPerSecond,
      ratio: sentPerSecond / bareLoopPerSecond,
      signedPerSecond,
      signedRatio: signedPerSecond / bareLoopPerSecond,
      mailBytes,
      asLongBareLoopPerSecond,
      asLongRatio: sentPerSecond / asLongBareLoopPerSecond,
      signingBareLoopPerSecond,
      signedToSigningRatio: signedPerSecond / signingBareLoopPerSecond,
      workerUs: microseconds(unsigned.workerSeconds),
      databaseUs: microseconds(unsigned.databaseSeconds),
      sinkUs: sinkBefore === null || sinkAfter === null ? null : microseconds(sinkAfter.cpu - sinkBefore.cpu),
      freezeMs: unsigned.freezeMs,
      ...unsigned.memory,
    }
  } finally {
    await okaeri.stop()
    own?.process.kill()
  }
}

/** What `npm run bench` prints of a sink that is not beside the sender. */
export interface DistantSendingFigures {
  recipients: number
  roundTripMs: number
  waitingPerSecond: number
  /** From the campaign's time until it counts as sent. */
  sentPerSecond: number
  ratio: number
  /** Without the first and the last tenth of its mails: neither beginning nor end is in it. */
  middlePerSecond: number
  middleRatio: number
}

/**
 * The same campaign to a sink with a round trip of so many milliseconds, where pipelining counts; beside it, in the same run and over as
 * many connections, a client that waits for each answer.
 */
export async function runDistantSendingBench(recipients = 60_000, roundTripMs = 5): Promise<DistantSendingFigures> {
  const sink = await startSinkProcess(['--mode', 'count'])
  const proxy = await startSinkProcess(
    ['--to', String(sink.port), '--round-trip-ms', String(roundTripMs)],
    'delaying-proxy.ts',
  )
  const okaeri = await startInstallation({ smtpUrl: `smtp://127.0.0.1:${proxy.port}` })
  try {
    await addManyCustomers(okaeri.scope, recipients)
    const emailId = await addBenchEmail(okaeri.scope, benchHtml())
    const waiting = () => bare(proxy.port, recipients / 10, { waitsForEachAnswer: true })
    const before = await waiting()
    const middle = await watchMiddle(sink.httpPort, recipients)
    const { seconds } = await sendCampaign(okaeri, emailId, recipients)
    const middlePerSecond = middle.end()
    const waitingPerSecond = (before + (await waiting())) / 2
    const sentPerSecond = recipients / seconds
    return {
      recipients,
      roundTripMs,
      waitingPerSecond,
      sentPerSecond,
      ratio: sentPerSecond / waitingPerSecond,
      middlePerSecond,
      middleRatio: middlePerSecond / waitingPerSecond,
    }
  } finally {
    await okaeri.stop()
    proxy.process.kill()
    sink.process.kill()
  }
}

/** How many a second came to the sink between the first tenth and the last of so many. */
async function watchMiddle(httpPort: number, recipients: number): Promise<{ end: () => number }> {
  const came = async (): Promise<number> => (await askSink(httpPort)).total
  const before = await came()
  const looks: { at: number; count: number }[] = []
  const look = async (): Promise<void> => {
    const count = (await came()) - before
    looks.push({ at: performance.now(), count })
  }
  const timer = setInterval(() => void look(), 100)
  return {
    end() {
      clearInterval(timer)
      const within = looks.filter(({ count }) => count >= recipients / 10 && count <= (recipients * 9) / 10)
      const [first, last] = [within[0], within.at(-1)]
      if (!first || !last || first === last) throw new Error('too few mails to tell their rate')
      return ((last.count - first.count) / (last.at - first.at)) * 1000
    },
  }
}

/** As if its records had been found. */
async function verifySenderDomain(scope: MerchantScope): Promise<void> {
  const [id, { selector, publicKey, privateKey }] = [newId(), await makeDkimKey()]
  await sql`insert into sender_domains (merchant_id, id, name, token, status, next_check_at, created_at)
    values (${scope.merchantId}, ${id}, 'bench.test', '', 'verified', now() + interval '1 day', now())`.execute(
    scope.db,
  )
  await sql`insert into sender_domain_keys (merchant_id, domain_id, selector, state, public_key, private_key, created_at)
    values (${scope.merchantId}, ${id}, ${selector}, 'active', ${publicKey}, ${scope.context.keyring.encrypt(privateKey)}, now())`.execute(
    scope.db,
  )
}

/** Confirmed by a person, for an hour later; returns its id. */
export async function reserveLater(
  scope: MerchantScope,
  {
    emailId,
    recipients,
    coupon = null,
  }: { emailId: string; recipients: number; coupon?: Parameters<typeof createCampaign>[1]['coupon'] },
): Promise<string> {
  const campaign = await createCampaign(scope, {
    name: 'Bench',
    send_type: 'scheduled',
    scheduled_at: new Date(scope.now.getTime() + 3_600_000).toISOString(),
    segment_type: 'all',
    customer_segment_id: null,
    email_id: emailId,
    channels: 'email',
    line_message_id: null,
    send_to_all: false,
    tracking_enabled: true,
    tracking_parameters: NO_PARAMETERS,
    ab_test: null,
    coupon,
  })
  await reserveCampaign(scope, campaign.id, {
    recipients_seen: recipients,
    fingerprint_seen: null,
    groups_seen: null,
    accepted: [],
    send_what_fits: false,
    skips_canary: true,
    undo_seconds: 0,
  })
  return campaign.id
}

/** By a worker of its own. */
export async function sendCampaign(
  { scope, api, startWorker, databaseFolder }: Awaited<ReturnType<typeof startInstallation>>,
  emailId: string,
  recipients: number,
) {
  const id = await reserveLater(scope, { emailId, recipients })
  const statusIs = (status: string) => async (): Promise<boolean> => {
    const { rows } = await sql<{ status: string }>`select status from campaigns where id = ${id}`.execute(scope.db)
    return rows[0]?.status === status
  }
  const freezeStart = performance.now()
  await api.settle()
  const freezeMs = performance.now() - freezeStart
  if (!(await statusIs('reserved')())) throw new Error('not reserved')

  const worker = await startWorker()
  const memory = watchMemory(worker)
  const cpu = () => ({ worker: cpuSeconds(worker.pid ?? 0), database: databaseCpuSeconds(databaseFolder) })
  const before = cpu()
  const start = performance.now()
  await sql`update campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`.execute(scope.db)
  await until(statusIs('sent'), { timeoutMs: 600_000, everyMs: 50, what: 'the campaign is sent' })
  const seconds = (performance.now() - start) / 1000
  const after = cpu()
  memory.stop()
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGTERM')
  await ended
  return {
    seconds,
    freezeMs,
    workerSeconds: after.worker - before.worker,
    databaseSeconds: after.database - before.database,
    memory: memory.figures(),
  }
}

/** The bare loop before sent as many again, and so did the second campaign. */
async function checkCount(httpPort: number, recipients: number): Promise<void> {
  const { total } = await askSink(httpPort)
  if (total !== recipients * 3) throw new Error(`the sink got ${total - recipients} of ${recipients * 2} mails`)
}

const askSink = async (httpPort: number): Promise<SinkReport> =>
  (await (await fetch(`http://127.0.0.1:${httpPort}/`)).json()) as SinkReport

const bare = async (port: number, messages: number, further: Partial<BareLoopOptions> = {}): Promise<number> =>
  (
    await runBareLoop({
      host: '127.0.0.1',
      port,
      connections: CONNECTIONS,
      messages,
      sizeBytes: 20_000,
      ...further,
    })
  ).messagesPerSecond

export function startSinkProcess(
  args: string[] = [],
  program = 'smtp-sink.ts',
): Promise<{ process: ChildProcess; port: number; httpPort: number }> {
  const child = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, program),
      ...(program === 'smtp-sink.ts' ? ['--port', '0', '--http-port', '0'] : []),
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout?.once('data', (line: Buffer) => {
      const { port, httpPort } = JSON.parse(line.toString()) as { port: number; httpPort: number }
      resolve({ process: child, port, httpPort })
    })
  })
}

/** Resident memory of a process, from /proc, twice a second. */
export function watchMemory(child: ChildProcess) {
  const samples: number[] = []
  const look = (): void => {
    const pages = Number(fs.readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1])
    samples.push((pages * 4096) / 1024 / 1024)
  }
  look()
  const timer = setInterval(look, 500)
  return {
    stop: () => clearInterval(timer),
    figures: () => ({
      workerRssStartMb: Math.round(samples[0] ?? 0),
      workerRssQuartersMb: [0.25, 0.5, 0.75, 1].map((share) =>
        Math.round(samples[Math.ceil(samples.length * share) - 1] ?? 0),
      ),
      workerRssMaxMb: Math.round(Math.max(...samples)),
    }),
  }
}

if (import.meta.main) console.log(await runSendingBench(Number(process.argv[2] ?? 100_000)))
