import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCopyingBench } from './copying.ts'
import { runExecutionsBench } from './executions.ts'
import { runRestockBench } from './restocks.ts'
import { runDesignsBench } from './designs.ts'
import { runEnteringBench } from './entering.ts'
import { runFavoritesBench } from './favorites.ts'
import { type Movement, runFlowEditorBench } from './flow-editor.ts'
import { runIdleBench } from './idle.ts'
import { measureImporting } from './importing.ts'
import { startInstallation } from './installation.ts'
import { runLineBench } from './line.ts'
import { runListsBench } from './lists.ts'
import { runOwnCodesBench } from './own-codes.ts'
import { runOwnProductsBench } from './own-products.ts'
import { runPagesBench } from './pages.ts'
import { runProductPageBench, runProofBench } from './product-page.ts'
import { startPostfixSink } from './postfix-sink.ts'
import { runRehearsalBench } from './rehearsal.ts'
import { runRichMenuBench } from './rich-menus.ts'
import { runScaleBench } from './scale.ts'
import { runDistantSendingBench, runSendingBench } from './sending.ts'
import { runStorefrontBench } from './storefront.ts'
import { runTrackingBench } from './tracking.ts'
import { runUploadingBench } from './uploading.ts'

// Prints the figures of docs/performance.md. Each ratio and its baseline come from this one run, on this machine; figures of other runs
// do not compare. Nothing here fails on a slow machine: it measures.
const { values } = parseArgs({
  options: {
    recipients: { type: 'string', default: '100000' },
    only: { type: 'string' },
    // Customers of the large merchant; several sizes make the charts of docs/performance.
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rows: { type: 'string', default: '1000000' },
    // A server on which databases may be made, instead of an embedded one.
    server: { type: 'string' },
    'sink-port': { type: 'string' },
  },
})
const wanted = (name: string): boolean => !values.only || values.only.split(',').includes(name)
const recipients = Number(values.recipients)
const row = (what: string, value: string): void => console.log(`${what.padEnd(66)} ${value}`)
const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

async function showSending(sink: string, other: { port: number; mailBytes: number } | null): Promise<number> {
  const sending = await runSendingBench(recipients, other)
  console.log(`sending to ${sink}`)
  row('  bare loop: one prepared 20 kB message pipelined, 20 connections', perSecond(sending.bareLoopPerSecond))
  row(
    `  ${recipients.toLocaleString('en')} mails of 20 kB HTML, ten links, tracking, one worker`,
    perSecond(sending.sentPerSecond),
  )
  row('  ratio to the bare loop', sending.ratio.toFixed(2))
  row(
    `  the bare loop with as many bytes a mail, ${Math.round(sending.mailBytes).toLocaleString('en')}; ratio to it`,
    `${perSecond(sending.asLongBareLoopPerSecond)}; ${sending.asLongRatio.toFixed(2)}`,
  )
  row(
    '  computed for each mail: worker, database, sink',
    [sending.workerUs, sending.databaseUs, sending.sinkUs]
      .map((each) => (each === null ? 'not known' : `${Math.round(each)} µs`))
      .join(', '),
  )
  row('  the same, each mail signed with DKIM', perSecond(sending.signedPerSecond))
  row(
    '  ratio to the bare loop, and to the same unsigned',
    `${sending.signedRatio.toFixed(2)}; ${(sending.signedPerSecond / sending.sentPerSecond).toFixed(2)}`,
  )
  row(
    '  that loop with a signature for each mail too; ratio of the signed mails to it',
    `${perSecond(sending.signingBareLoopPerSecond)}; ${sending.signedToSigningRatio.toFixed(2)}`,
  )
  row(`  freezing an audience of ${recipients.toLocaleString('en')}`, `${(sending.freezeMs / 1000).toFixed(2)} s`)
  row(
    '  worker resident memory: start, a quarter, half, three quarters, end; largest',
    `${sending.workerRssStartMb}, ${sending.workerRssQuartersMb.join(', ')}; ${sending.workerRssMaxMb} MB`,
  )
  return sending.mailBytes
}

if (wanted('sending')) {
  const mailBytes = await showSending('the sink of this bench (counts who got what)', null)
  const postfix = await startPostfixSink()
  if (postfix) {
    await showSending("Postfix's smtp-sink", { port: postfix.port, mailBytes })
    postfix.stop()
  }
}
if (wanted('distant-sink')) {
  const distant = await runDistantSendingBench(Math.min(recipients, 60_000))
  console.log(`sending to a sink with a round trip of ${distant.roundTripMs} ms`)
  row('  a client that waits for each answer, 20 connections', perSecond(distant.waitingPerSecond))
  row(
    `  ${distant.recipients.toLocaleString('en')} mails of 20 kB HTML, ten links, tracking, one worker, as many`,
    perSecond(distant.sentPerSecond),
  )
  row('  ratio to that client', distant.ratio.toFixed(2))
  row(
    '  without the first and the last tenth of the mails; ratio',
    `${perSecond(distant.middlePerSecond)}; ${distant.middleRatio.toFixed(2)}`,
  )
}
if (wanted('own-products')) {
  const own = await runOwnProductsBench(recipients)
  console.log('sending mails with products of each recipient’s own')
  const rate = ({ perSecond: rate, workerUs, databaseUs }: typeof own.plain): string =>
    `${perSecond(rate)}; computed for each mail: worker, database ${workerUs.toFixed(0)}, ${databaseUs.toFixed(0)} µs`
  row('  the mail of the bench above', rate(own.plain))
  row('  with three products, the same for everybody', rate(own.fixed))
  row('  with three favorites of each recipient, what they bought left out', rate(own.own))
  row('  with a block that the engine fills for each recipient, without products', rate(own.filled))
  row(
    '  ratio of the third to the second, which is as long; to the first; to the fourth',
    [own.fixed, own.plain, own.filled].map((one) => (own.own.perSecond / one.perSecond).toFixed(2)).join('; '),
  )
}
if (wanted('own-codes')) {
  const codes = await runOwnCodesBench(recipients)
  console.log(`a campaign in which each of ${recipients.toLocaleString('en')} recipients gets a code of their own`)
  row('  recipients and codes written down', `${codes.writtenSeconds.toFixed(1)} s`)
  row(
    '  made by the sandbox’s store, 250 a second at most; it alone',
    `${codes.madeSeconds.toFixed(0)} s; ${codes.storeSeconds.toFixed(0)} s`,
  )
  row('  computed for each code: worker, database', `${codes.workerUs.toFixed(0)}, ${codes.databaseUs.toFixed(0)} µs`)
  row('  worker resident memory, largest', `${codes.workerRssMaxMb} MB`)
  row('  then sent', perSecond(codes.sentPerSecond))
}
if (wanted('designs')) {
  const { sizeBytes, blocks, ...designs } = await runDesignsBench(60_000)
  console.log(`a mail of ${blocks} blocks, ${Math.round(sizeBytes / 1000)} kB of HTML, is made in a thread`)
  const ms = (...values: number[]): string => `${values.map((value) => value.toFixed(0)).join(', ')} ms`
  row(
    '  one word changed each time: median, p95; computed',
    `${ms(designs.medianMs, designs.p95Ms)}; ${ms(designs.computedMs)}`,
  )
  row('  nothing changed; a small one, the first of a thread', ms(designs.sameMs, designs.firstMs))
  row('  the program beside it is held for at most', ms(designs.heldMs))
}
if (wanted('uploading')) {
  const upload = await runUploadingBench()
  console.log(
    `a picture of ${(upload.sizeBytes / 1e6).toFixed(1)} MB and ${upload.megapixels.toFixed(0)} million pixels is uploaded`,
  )
  row('  sent, looked at and copied', `${upload.seconds.toFixed(1)} s`)
  row('  the process that answers holds more, at most', `${upload.heldMb} MB`)
  row('  the program that looks at it: at its start, at most', `${upload.programStartMb}, ${upload.programMb} MB`)
}
if (wanted('line')) {
  const line = await runLineBench(recipients, Math.round(recipients / 5))
  console.log('sending by LINE to a stand-in that counts who got what')
  row('  bare keep-alive client posting one prepared body, 100 connections', perSecond(line.bareCallsPerSecond))
  row(`  ${line.pushed.toLocaleString('en')} personal messages by push, one worker`, perSecond(line.pushesPerSecond))
  row(
    '  ratio to the bare client; once more, by the same worker',
    `${line.ratio.toFixed(2)}; ${line.ratioAgain.toFixed(2)}`,
  )
  const us = (...values: number[]): string => `${values.map((value) => value.toFixed(0)).join(', ')} µs`
  row('  computed for each: worker, database, stand-in', us(line.workerUs, line.databaseUs, line.standInUs))
  row('  computed for each call of the bare client: client, stand-in', us(line.bareClientUs, line.bareStandInUs))
  row(
    `  ${line.people.toLocaleString('en')} equal messages in ${line.multicasts} multicasts, stored as sent: ${line.stored}`,
    `${line.multicastSeconds.toFixed(1)} s`,
  )
  row(
    `  ${line.eventsReceived.toLocaleString('en')} events received at 10,000 a minute beside pushes, answered: p95`,
    `${line.eventP95Ms.toFixed(0)} ms`,
  )
  row('  worker resident memory, largest', `${line.workerRssMaxMb} MB`)
}
if (wanted('rich-menus')) {
  const menus = await runRichMenuBench(recipients)
  console.log(`a rich menu for a segment of ${menus.people.toLocaleString('en')} friends, to a stand-in`)
  row('  bare keep-alive client posting the same prepared bodies, one after another', perSecond(menus.barePerSecond))
  row(
    `  ${menus.people.toLocaleString('en')} people linked in ${menus.links} calls, all recorded, one worker: people`,
    `${perSecond(menus.linkedPerSecond)}, ${menus.linkSeconds.toFixed(1)} s`,
  )
  row('  ratio to the bare client', menus.ratio.toFixed(3))
  row('  computed for that: worker, database', `${menus.workerCpu.toFixed(1)}, ${menus.databaseCpu.toFixed(1)} s`)
  row('  members changed, and nothing has to be told', `${menus.comparisonMs.toFixed(0)} ms`)
  row(`  all unlinked again in ${menus.unlinks} calls`, `${menus.unlinkSeconds.toFixed(1)} s`)
  row('  worker resident memory: start, largest', `${menus.workerRssStartMb}, ${menus.workerRssMaxMb} MB`)
}
if (wanted('lists'))
  for (const { what, medianMs, p95Ms } of await runListsBench())
    row(`${what}, 100,000 customers: median, p95`, `${medianMs.toFixed(0)}, ${p95Ms.toFixed(0)} ms`)
if (wanted('tracking')) {
  const tracking = await runTrackingBench()
  row('bare Fastify route answering the same picture', perSecond(tracking.bareRequestsPerSecond))
  row('opens, stored before they are answered', perSecond(tracking.opensPerSecond))
  row('  ratio to the bare route', tracking.openRatio.toFixed(2))
  row('clicks, stored before they are answered', perSecond(tracking.clicksPerSecond))
  row('  ratio to the bare route', tracking.clickRatio.toFixed(2))
  row('hits answered, hits found in the database', `${tracking.answered}, ${tracking.stored}`)
}
if (wanted('storefront')) {
  const storefront = await runStorefrontBench()
  row('bare Fastify route answering the same status', perSecond(storefront.bareRequestsPerSecond))
  row('status of a shop (/frontend/status)', perSecond(storefront.statusPerSecond))
  row('  ratio to the bare route', storefront.statusRatio.toFixed(2))
  row('the script (/assets/js/okaeri.js), packed', perSecond(storefront.scriptPerSecond))
  row('  ratio to a bare route answering the same script unpacked', storefront.scriptRatio.toFixed(2))
  row(
    '  computed for each: status, its bare route; script, its bare route',
    `${[storefront.statusUs, storefront.bareStatusUs, storefront.scriptUs, storefront.bareScriptUs].map((us) => us.toFixed(0)).join(', ')} µs`,
  )
}
if (wanted('favorites')) {
  const favorites = await runFavoritesBench()
  row('bare Fastify route that reads and answers a favorite', perSecond(favorites.bareRequestsPerSecond))
  row('favorites of 100,000 guests, stored before they are answered', perSecond(favorites.addedPerSecond))
  row('  ratio to the bare route', favorites.ratio.toFixed(2))
  row(
    '  computed for each: bare route; server, database',
    `${favorites.bareUs.toFixed(0)}; ${favorites.serverUs.toFixed(0)}, ${favorites.databaseUs.toFixed(0)} µs`,
  )
  row('favorites answered, found in the database', `${favorites.answered}, ${favorites.stored}`)
  for (const { what, medianMs, p95Ms } of favorites.lists)
    row(`${what}: median, p95`, `${medianMs.toFixed(0)}, ${p95Ms.toFixed(0)} ms`)
}
if (wanted('scale'))
  await runScaleBench({
    sizes: values.sizes.split(',').map(Number),
    serverUrl: values.server ?? null,
    chartFolder: path.join(import.meta.dirname, '../../docs/performance'),
  })
const rows = Number(values.rows)
if (wanted('copying')) {
  const copying = await runCopyingBench(rows, Math.round(rows * 0.3))
  row(`first copy of ${rows.toLocaleString('en')} customers`, perSecond(copying.customersPerSecond))
  row(
    '  computed for each customer: worker, database',
    `${(1e6 / copying.customersPerCpuSecond).toFixed(0)}, ${(1e6 / copying.customersPerDatabaseCpuSecond).toFixed(0)} µs`,
  )
  row(
    '  the same rows by the database alone, from a table: customers; computed',
    `${perSecond(copying.barePerSecond)}; ${(1e6 / copying.barePerDatabaseCpuSecond).toFixed(0)} µs`,
  )
  row(`first copy of ${copying.orders.toLocaleString('en')} orders with lines`, perSecond(copying.ordersPerSecond))
  row('customers copied once more, nothing changed', perSecond(copying.againPerSecond))
  row('worker resident memory: start, largest', `${copying.workerRssStartMb}, ${copying.workerRssMaxMb} MB`)
}
if (wanted('importing')) {
  const installation = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9' })
  const importing = await measureImporting(installation.scope, rows, installation.databaseFolder)
  await installation.stop()
  row(`import of a CSV of ${rows.toLocaleString('en')} new customers`, `${importing.firstSeconds.toFixed(1)} s`)
  row(
    '  computed for each row: this process, database',
    `${((importing.cpuSeconds / rows) * 1e6).toFixed(0)}, ${((importing.databaseCpuSeconds / rows) * 1e6).toFixed(0)} µs`,
  )
  row('the same file once more, nothing changed', `${importing.againSeconds.toFixed(1)} s`)
  row('resident memory, largest', `${Math.round(importing.residentBytes / 1024 / 1024)} MB`)
}
if (wanted('entering')) {
  const entering = await runEnteringBench(10_000)
  console.log(`${entering.orders.toLocaleString('en')} orders reported by webhooks, five active scenarios, one worker`)
  row('  webhooks answered', `${entering.webhookSeconds.toFixed(1)} s`)
  row('  orders worked in', `${entering.workedInSeconds.toFixed(1)} s`)
  row('  events looked at by every scenario', `${entering.lookedAtSeconds.toFixed(1)} s`)
  row(
    `  ${entering.executions.toLocaleString('en')} executions asleep at their first wait`,
    `${entering.waitingSeconds.toFixed(1)} s`,
  )
  row(
    '  processor time: API with the load, worker, database',
    `${entering.apiCpuSeconds.toFixed(1)}, ${entering.workerCpuSeconds.toFixed(1)}, ${entering.databaseCpuSeconds.toFixed(1)} s`,
  )
}
if (wanted('restocks')) {
  const restocks = await runRestockBench(50_000)
  console.log(`A product comes back, ${restocks.waiting.toLocaleString('en')} wait for it, one worker`)
  row(`  messages to the first ${restocks.people} written`, `${restocks.writtenSeconds.toFixed(2)} s`)
  row('  the same where nobody else waits', `${restocks.aloneSeconds.toFixed(2)} s`)
}
if (wanted('idle')) {
  const merchants = 1000
  const { one, many, waiting } = await runIdleBench(merchants)
  for (const [who, { transactionsPerSecond, serverPercent, databasePercent }] of [
    ['with the demo merchant', one],
    [`and ${merchants.toLocaleString('en')} idle merchants`, many],
    ['and a campaign that waits', waiting],
  ] as const) {
    row(`npm start, nothing to do, ${who}: transactions`, `${transactionsPerSecond.toFixed(1)}/s`)
    row('  of one core: server, database', `${serverPercent.toFixed(2)}, ${databasePercent.toFixed(2)} %`)
  }
}
if (wanted('rehearsal')) {
  const rehearsal = await runRehearsalBench(100_000)
  row(
    `rehearsal of 90 days of ${rehearsal.customers.toLocaleString('en')} customers: orders, mails`,
    `${rehearsal.events.toLocaleString('en')}, ${rehearsal.mails.toLocaleString('en')}`,
  )
  row(
    '  it takes; reading the orders alone takes',
    `${(rehearsal.rehearsalMs / 1000).toFixed(1)}, ${(rehearsal.readingMs / 1000).toFixed(1)} s`,
  )
  row('  memory it needs on top', `${rehearsal.rssGrowthMb} MB`)
}
if (wanted('executions')) {
  const figures = await runExecutionsBench(rows)
  const stepsOf = ({ steps, seconds }: { steps: number; seconds: number }): string => perSecond(steps / seconds)
  const { one, lateness, smallBesideLarge } = figures
  const ms = (...values: number[]): string =>
    `${values.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(', ')} ms`
  row(`${rows.toLocaleString('en')} executions asleep: a look that finds nothing due`, ms(figures.idleTickMs))
  row('10,000 wake (condition, mail, next wait): steps, the worker in this process', stepsOf(one))
  row(
    '  computed for each step: worker, database',
    `${((one.workerCpuSeconds / one.steps) * 1e6).toFixed(0)}, ${((one.databaseCpuSeconds / one.steps) * 1e6).toFixed(0)} µs`,
  )
  row('  one worker process; two', `${stepsOf(figures.oneProcess)}, ${stepsOf(figures.twoProcesses)}`)
  row('  pg-boss: 10,000 empty jobs, 500 at a time', perSecond(figures.pgBossPerSecond))
  row('  bare loop: 10,000 of as many rows claimed and marked', perSecond(figures.bareLoopPerSecond))
  row(
    '  ratio of steps to pg-boss, to the bare loop',
    `${(one.steps / one.seconds / figures.pgBossPerSecond).toFixed(2)}, ${(one.steps / one.seconds / figures.bareLoopPerSecond).toFixed(2)}`,
  )
  row(
    '10,000 wake-ups over five seconds, late by: median, p95, most',
    ms(lateness.p50Ms, lateness.p95Ms, lateness.maxMs),
  )
  row(
    'a small merchant’s wake-up beside a million steps due: median, most',
    ms(smallBesideLarge.p50Ms, smallBesideLarge.maxMs),
  )
  row('  the large one meanwhile', perSecond(smallBesideLarge.largeStepsPerSecond))
}
if (wanted('flow-editor')) {
  const figures = await runFlowEditorBench()
  if (figures === null) console.log('flow editor: not measured, for there is no browser here (see above)')
  const ms = (...of: number[]): string => `${of.map((value) => value.toFixed(1)).join(', ')} ms`
  const frames = ({ frameMedianMs, frameP95Ms }: Movement): string => ms(frameMedianMs, frameP95Ms)
  const work = ({ workMedianMs, workP95Ms, workMostMs }: Movement): string => ms(workMedianMs, workP95Ms, workMostMs)
  const parts = ({ scriptMs, styleMs, paintMs, rasterMs }: Movement): string => ms(scriptMs, styleMs, paintMs, rasterMs)
  for (const { steps, what, editor, bare } of figures ?? []) {
    console.log(`flow editor, ${steps} steps with their figures: ${what}; in brackets a bare React Flow canvas`)
    row('  frames: median, p95', `${frames(editor)} (${frames(bare)})`)
    row('  main thread for each frame: median, p95, most', `${work(editor)} (${work(bare)})`)
    row('    of it scripts, styles and layout, painting; pixels, elsewhere', `${parts(editor)} (${parts(bare)})`)
    row(
      '  ratio to the bare canvas: median, p95',
      `${(editor.workMedianMs / bare.workMedianMs).toFixed(2)}, ${(editor.workP95Ms / bare.workP95Ms).toFixed(2)}`,
    )
  }
}
if (wanted('pages')) {
  const figures = await runPagesBench()
  if (figures === null) console.log('pages: not measured, for there is no browser here (see above)')
  const kB = (...of: number[]): string => `${of.map((bytes) => Math.round(bytes / 1000)).join(', ')} kB`
  for (const figure of figures ?? []) {
    console.log(`${figure.address}, nothing kept from before, over ${figure.network}`)
    row(
      '  requests until nothing more comes: in all, scripts, styles, data',
      [figure.requests, figure.scripts, figure.styles, figure.data].join(', '),
    )
    row('  bytes over the line; unpacked', `${kB(figure.transferredBytes)}; ${kB(figure.unpackedBytes)}`)
    row(
      '  first paint; title of the page there',
      `${Math.round(figure.firstPaintMs)}, ${Math.round(figure.titleMs)} ms`,
    )
    row('  layout shift', figure.layoutShift.toFixed(3))
  }
}
if (wanted('product-page')) {
  const figures = await runProductPageBench()
  if (figures === null) console.log('product page: not measured, for there is no browser here (see above)')
  for (const { page, network, without, blocks, with: own } of figures ?? []) {
    console.log(`a page of the sandbox’s shop on a phone, ${page}, over ${network}; in brackets without the script`)
    row('  requests', `${own.requests} (${without.requests})`)
    row(
      '  bytes over the line',
      `${(own.transferredBytes / 1000).toFixed(1)} (${(without.transferredBytes / 1000).toFixed(1)}) kB`,
    )
    row('  main thread in all', `${own.mainThreadMs.toFixed(0)} (${without.mainThreadMs.toFixed(0)}) ms`)
    row('    more than with its places alone', `${(own.mainThreadMs - blocks.mainThreadMs).toFixed(0)} ms`)
    row('    of it our own code', `${own.ownMs.toFixed(1)} ms`)
    row('  longest task', `${own.longestTaskMs.toFixed(0)} (${without.longestTaskMs.toFixed(0)}) ms`)
    row('  first paint', `${own.firstPaintMs.toFixed(0)} (${without.firstPaintMs.toFixed(0)}) ms`)
    row('  layout shift, the worst', `${own.layoutShift.toFixed(4)} (${without.layoutShift.toFixed(4)})`)
  }
}
if (wanted('proof')) {
  const figures = await runProofBench()
  if (figures === null) console.log('proof of work: not measured, for there is no browser here (see above)')
  // Between 200 and 600 of them (integrations/captcha).
  for (const { slower, tryMs, mainThreadMs } of figures ?? []) {
    console.log(`a proof of the usual difficulty in the browser, the page’s thread ${slower} times slower`)
    row('  400 tries, as many as usual', `${(400 * tryMs).toFixed(0)} ms`)
    row('  600, the most', `${(600 * tryMs).toFixed(0)} ms`)
    row('  of it the page’s own thread, 400 tries', `${(400 * mainThreadMs).toFixed(0)} ms`)
  }
}
process.exit(0)
