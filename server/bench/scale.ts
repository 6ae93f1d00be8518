import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'
import { chart, type Series } from './chart.ts'
import { runFairnessBench } from './fairness.ts'
import { runMembershipBench } from './membership.ts'
import { LARGE_MERCHANT, makeWorld } from './million.ts'
import { runPeopleBench } from './people.ts'
import { runSegmentsBench } from './segments.ts'

/** One figure of one size. */
export interface ScaleFigure {
  what: string
  /** `times`: a ratio to the baseline named in `what`. */
  unit: 'ms' | 'times'
  figure: number
  wanted: string
}

/** Measures a filled database: what a merchant waits for, what staying current costs, and what the small ones feel of it. */
export async function measureWorld(url: string, merchantId: string): Promise<ScaleFigure[]> {
  const figures: ScaleFigure[] = []
  const add = (what: string, figure: number, wanted: string, unit: 'ms' | 'times' = 'ms'): void => {
    figures.push({ what, unit, figure, wanted })
    console.log(`  ${what.padEnd(70)} ${figure.toFixed(unit === 'ms' ? 0 : 2).padStart(7)} ${unit}   (${wanted})`)
  }
  const slowest = (of: readonly { p95Ms: number }[]): number => Math.max(...of.map(({ p95Ms }) => p95Ms))

  const segments = await runSegmentsBench(url, merchantId)
  add('live count of five conditions, p95', segments.typical.p95Ms, '< 400 ms')
  add('the same, median, to the same question by hand', segments.ratio, '≤ 1.3', 'times')
  add('live count, the worst p95 of thirty segments', slowest(segments.thirty), '< 2,000 ms')
  for (const { what, ms } of await runMembershipBench(url, merchantId)) add(what, ms, wantedOfMembers(what))
  const people = await runPeopleBench(url, merchantId)
  const lists = people.filter(({ what }) => what.startsWith('list'))
  for (const one of lists.toSorted((a, b) => b.p95Ms - a.p95Ms).slice(0, 3))
    console.log(`    among the slowest lists: ${one.what}, ${one.p95Ms.toFixed(0)} ms`)
  add(`customers: list, search, sort, deep pages: the worst p95 of ${lists.length}`, slowest(lists), '< 150 ms')
  add(
    'customers: detail and timeline, the worse p95',
    slowest(people.filter(({ what }) => !what.startsWith('list'))),
    '< 100 ms',
  )
  const fairness = await runFairnessBench(url, merchantId)
  add('small merchants, list and live count, p95, the large one quiet', fairness.quietP95Ms, 'the baseline')
  add('the same while the large one copies and calculates', fairness.busyP95Ms, 'as the ratio')
  add('  ratio', fairness.busyP95Ms / fairness.quietP95Ms, '≤ 2', 'times')
  return figures
}

function wantedOfMembers(what: string): string {
  if (what.startsWith('members of a segment')) return '< 4,000 ms'
  if (what.includes('changed')) return '< 5,000 ms'
  return what.includes('page') ? '< 150 ms' : '-'
}

/** Fills a database for each size, on the embedded server or the one given, measures it, drops it; charts go to `chartFolder`. */
export async function runScaleBench(options: {
  sizes: readonly number[]
  /** A server on which databases may be made; null: an embedded one of its own. */
  serverUrl: string | null
  chartFolder: string | null
}): Promise<void> {
  const folder = options.serverUrl ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  if (folder) fs.chmodSync(folder, 0o755)
  const embedded = folder
    ? await startEmbeddedPostgres(path.join(folder, 'postgres'), { createsDatabases: true })
    : null
  const serverUrl = options.serverUrl ?? embedded?.url ?? ''
  const all = new Map<number, ScaleFigure[]>()
  try {
    for (const customers of options.sizes) {
      const name = `okaeri_bench_${customers}`
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      await onServer(serverUrl, `drop database if exists ${name} with (force)`, `create database ${name}`)
      try {
        console.log(`a merchant of ${customers.toLocaleString('en')} customers beside 200 small ones`)
        await makeWorld(url.href, { customers, smallMerchants: 200 })
        all.set(customers, await measureWorld(url.href, LARGE_MERCHANT))
      } finally {
        await onServer(serverUrl, `drop database if exists ${name} with (force)`)
      }
    }
  } finally {
    await embedded?.stop()
    if (folder) fs.rmSync(folder, { recursive: true, force: true })
  }
  if (options.chartFolder && options.sizes.length > 1) writeCharts(options.chartFolder, all)
}

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** What is drawn, by how the figure begins, and what its line is called. */
const drawn: readonly (readonly [begins: RegExp, name: string])[] = [
  [/^live count of five/, 'live count of five conditions'],
  [/^live count, the worst/, 'live count, the worst of thirty'],
  [/^members of a segment/, 'members of three tenths, found and kept'],
  [/^\d{2,} changed/, '10,000 changed customers, 50 segments'],
  [/^1 changed/, 'one changed customer, 50 segments'],
  [/^a page of 50 members/, 'page of members at the far end'],
  [/^customers: list/, 'lists, searches, deep pages, the worst'],
  [/^customers: detail/, 'detail and timeline of a customer'],
  [/^small merchants/, 'small merchants, the large one quiet'],
  [/^the same while/, 'small merchants, the large one busy'],
]

function writeCharts(folder: string, all: ReadonlyMap<number, readonly ScaleFigure[]>): void {
  const series = drawn.flatMap(([begins, name]): Series[] => {
    const points = [...all].flatMap(([size, figures]) =>
      figures.filter(({ what }) => begins.test(what)).map((one) => ({ size, ...one })),
    )
    const wanted = points[0]?.wanted.startsWith('<') ? { wanted: points[0].wanted } : {}
    return points.length === 0
      ? []
      : [{ name, ...wanted, points: points.map(({ size, figure }) => [size, Math.max(0.1, figure)] as const) }]
  })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, 'scale.svg'),
    chart('How waits grow with the number of customers', 'Milliseconds', series),
  )
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, merchant: { type: 'string', default: LARGE_MERCHANT } },
  })
  if (!values.url) throw new Error('--url says which filled database to measure')
  await measureWorld(values.url, values.merchant)
  process.exit(0)
}
