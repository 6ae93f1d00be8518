import { sql } from 'kysely'
import { Pool } from 'undici'
import { activateMenu, createMenu, deactivateMenu } from '../src/features/rich-menus/menu.ts'
import { addPicture } from '../src/features/rich-menus/picture.ts'
import { createSegment } from '../src/features/segments/segment.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { pngPicture } from '../test/picture-files.ts'
import { cpuSeconds, databaseCpuSeconds } from './copying.ts'
import { type BenchInstallation, startInstallation, until } from './installation.ts'
import { addManyFriends, lineAt, readMenus } from './line-programs.ts'
import { startSinkProcess, watchMemory } from './sending.ts'

/** What `npm run bench -- --only rich-menus` prints. */
export interface RichMenuFigures {
  people: number
  /** Calls the stand-in counted. */
  links: number
  unlinks: number
  /** People a second. */
  barePerSecond: number
  linkedPerSecond: number
  ratio: number
  linkSeconds: number
  unlinkSeconds: number
  workerCpu: number
  databaseCpu: number
  comparisonMs: number
  workerRssStartMb: number
  workerRssMaxMb: number
}

/** The platform's limit. */
const MOST_IN_A_CALL = 500

/**
 * One worker process makes a menu for a segment of everybody and links it to each of them, to a stand-in in a process of its own. Beside it,
 * in the same run and before and after, a bare keep-alive client posts the same bodies, prepared, one after another.
 */
export async function runRichMenuBench(people: number): Promise<RichMenuFigures> {
  const sink = await startSinkProcess([], 'line-sink.ts')
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9', env: lineAt(sink.port) })
  const fresh = (): MerchantScope => merchantScope(okaeri.api.context, okaeri.scope.merchantId)
  try {
    await addManyFriends(okaeri.scope, people)
    const menuId = await draftForEverybody(okaeri.api, fresh())
    const bodies = await preparedBodies(okaeri.scope)
    const bareBefore = await bare(sink.port, bodies)
    const before = await readMenus(sink.port)

    const worker = await okaeri.startWorker()
    const memory = watchMemory(worker)
    const cpu = () => ({
      worker: cpuSeconds(worker.pid ?? 0),
      database: databaseCpuSeconds(okaeri.databaseFolder),
    })
    const cpuBefore = cpu()
    const linkSeconds = await timed(fresh(), () => activateMenu(fresh(), menuId))
    const cpuAfter = cpu()
    const linked = await readMenus(sink.port)
    const comparisonSeconds = await timed(fresh(), () =>
      sql`update rich_menu_looks set compare_at = now(), member_changes = member_changes + 1
        where merchant_id = ${okaeri.scope.merchantId}`.execute(okaeri.scope.db),
    )
    const unlinkSeconds = await timed(fresh(), () => deactivateMenu(fresh(), menuId))
    const after = await readMenus(sink.port)
    memory.stop()
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    await ended
    const bareAfter = await bare(sink.port, bodies)

    if (linked.linked !== people || after.linked !== 0 || after.mostPeople !== MOST_IN_A_CALL)
      throw new Error(`the stand-in linked ${linked.linked} people, then ${after.linked}`)
    const barePerSecond = (bareBefore + bareAfter) / 2
    const linkedPerSecond = people / linkSeconds
    const { workerRssStartMb, workerRssMaxMb } = memory.figures()
    return {
      people,
      links: linked.links - before.links,
      unlinks: after.unlinks - linked.unlinks,
      barePerSecond,
      linkedPerSecond,
      ratio: linkedPerSecond / barePerSecond,
      linkSeconds,
      unlinkSeconds,
      workerCpu: cpuAfter.worker - cpuBefore.worker,
      databaseCpu: cpuAfter.database - cpuBefore.database,
      comparisonMs: comparisonSeconds * 1000,
      workerRssStartMb,
      workerRssMaxMb,
    }
  } finally {
    await okaeri.stop()
    sink.process.kill()
  }
}

const VIP = {
  type: 'condition' as const,
  id: 'row',
  category: 'customer' as const,
  name: 'tags',
  operator: 'has',
  value: ['vip'],
}

async function draftForEverybody(api: BenchInstallation['api'], scope: MerchantScope): Promise<string> {
  await sql`update customers set tags = array['vip'] where merchant_id = ${scope.merchantId}`.execute(scope.db)
  const { id: segment_id } = await createSegment(scope, { name: 'お得意様', conditions: VIP })
  await api.settle()
  const { id: picture_id } = await addPicture(scope, pngPicture(800, 540).toString('base64'))
  const area = { x: 0, y: 0, width: 800, height: 540, action: { type: 'message' as const, text: '在庫はありますか' } }
  const menu = await createMenu(scope, {
    title: 'お得意様のメニュー',
    segment_id,
    starts_at: null,
    ends_at: null,
    is_open: true,
    chat_bar_text: 'メニュー',
    tracking_enabled: false,
    tab_height: 15,
    tabs: [{ picture_id, areas: [area] }],
  })
  return menu.id
}

/** Until nothing of it is left to do: a look is a row, and all links are recorded by then. */
async function timed(scope: MerchantScope, begin: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await begin()
  const isDone = async (): Promise<boolean> => {
    const { rows } = await sql<{ done: boolean }>`
      select held_until is null and compare_at is null and link_at is null and coalesce(look_at > now(), true) and trouble is null as done
      from rich_menu_looks where merchant_id = ${scope.merchantId}`.execute(scope.db)
    return rows[0]?.done ?? false
  }
  await until(isDone, { timeoutMs: 600_000, everyMs: 10, what: 'friends have their menu' })
  return (performance.now() - start) / 1000
}

async function preparedBodies({ db, merchantId }: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select array_agg(line_user_id) as ids from (
      select line_user_id, (row_number() over (order by line_user_id) - 1) / ${MOST_IN_A_CALL}::int as call
      from line_friends where merchant_id = ${merchantId}) f group by call`.execute(db)
  return rows.map(({ ids }) => JSON.stringify({ richMenuId: `richmenu-${'0'.repeat(32)}`, userIds: ids }))
}

/** People a second of a client that does nothing else. The people are taken from the menu again, so that the worker finds none linked. */
async function bare(port: number, bodies: readonly string[]): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 })
  const post = async (path: string, body: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' }
    const response = await pool.request({ path, method: 'POST', headers, body })
    await response.body.dump()
    if (response.statusCode !== 202) throw new Error(`the stand-in answered ${response.statusCode}`)
  }
  const start = performance.now()
  for (const body of bodies) await post('/v2/bot/richmenu/bulk/link', body)
  const seconds = (performance.now() - start) / 1000
  for (const body of bodies) {
    const { userIds } = JSON.parse(body) as { userIds: string[] }
    await post('/v2/bot/richmenu/bulk/unlink', JSON.stringify({ userIds }))
  }
  await pool.close()
  return (bodies.length * MOST_IN_A_CALL) / seconds
}
