import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { execute as executeOperation, type GraphQLSchema } from 'graphql'
import { linesOf, nodesIn, planBulk } from './bulk-plan.ts'
import { type BulkRow, bulkUrl, findBulk, findRunningBulk } from './bulk-rows.ts'
import type { UserError } from '../customers.ts'
import { bulkFinishedBody } from '../webhooks/payloads.ts'
import { idIn, nextId, nowSeconds, type Platform, type StoreScope } from '../platform.ts'
import type { GraphContext } from './graph-context.ts'
import { execute, findRow, listRows, transaction } from '../../sql.ts'
import { findStore, refreshed } from '../stores.ts'
import { sendBroken, takeBreakage } from '../fault-injection.ts'
import { publish } from '../webhooks/webhooks.ts'

type Finished = 'COMPLETED' | 'FAILED' | 'CANCELED' | 'EXPIRED'

// Small enough that a running operation is seen to grow and other requests get their turn between two pages.
const pageSize = 250
const partBytes = 512 * 1024

/** `bulkOperationRunQuery`: one at a time per store and app. */
export function runBulk(
  { scope, scopes, apiVersion }: GraphContext,
  given: { query: string; groupObjects: boolean; schema: GraphQLSchema },
): { bulkOperation: BulkRow | null; userErrors: UserError[] } {
  const refused = (message: string, code: string) => ({
    bulkOperation: null,
    userErrors: [{ field: ['query'], message, code }],
  })
  const running = findRunningBulk(scope)
  if (running) {
    const message = `A bulk query operation for this app and shop is already in progress: gid://shopify/BulkOperation/${running.id}.`
    return { bulkOperation: null, userErrors: [{ field: null, message, code: 'OPERATION_IN_PROGRESS' }] }
  }
  const plan = planBulk(given.schema, given.query)
  if (typeof plan === 'string') return refused(plan, 'INVALID')
  const id = nextId(scope, 'bulk')
  execute(scope.database)`INSERT INTO store_bulk (store_id, id, status, query, api_version, grouped, scope, secret,
    created_at) VALUES (${scope.store.id}, ${id}, 'CREATED', ${given.query}, ${apiVersion},
    ${Number(given.groupObjects || apiVersion === '2025-10')}, ${scopes.join(',')},
    ${randomBytes(12).toString('hex')}, ${nowSeconds(scope)})`
  scope.wakeBulk()
  return { bulkOperation: findBulk(scope, id), userErrors: [] }
}

export function cancelBulk(
  scope: StoreScope,
  globalId: string,
): { bulkOperation: BulkRow | null; userErrors: UserError[] } {
  const row = findBulk(scope, idIn('BulkOperation', globalId) ?? -1)
  if (!row) return { bulkOperation: null, userErrors: [{ field: ['id'], message: 'Bulk operation does not exist' }] }
  if (row.status !== 'CREATED' && row.status !== 'RUNNING') {
    const message = `A bulk operation cannot be canceled when it is ${row.status.toLowerCase()}`
    return { bulkOperation: row, userErrors: [{ field: null, message }] }
  }
  setStatus(scope, row.id, 'CANCELING')
  return { bulkOperation: findBulk(scope, row.id), userErrors: [] }
}

function setStatus(scope: StoreScope, id: number, status: BulkRow['status']): void {
  execute(scope.database)`UPDATE store_bulk SET status = ${status} WHERE store_id = ${scope.store.id} AND id = ${id}`
}

/** Runs bulk operations. One that was running when the sandbox stopped starts again. */
export function startBulkRunner(
  platform: Platform,
  schema: GraphQLSchema,
): {
  wake: () => void
  /** Waits for the operations that run; returns whether there were any. */
  settle: () => Promise<boolean>
  close: () => Promise<void>
} {
  const closing = new AbortController()
  const running = new Map<string, Promise<void>>()

  function look(): void {
    if (closing.signal.aborted) return
    const waiting = listRows<{ shop: string; id: number }>(platform.database)`SELECT store.shop, store_bulk.id
      FROM store_bulk JOIN store ON store.id = store_bulk.store_id WHERE status IN ('CREATED', 'RUNNING', 'CANCELING')`
    for (const { shop, id } of waiting) {
      const name = `${shop}/${id}`
      const scope = running.has(name) ? null : findStore(platform, shop)
      if (!scope) continue
      const done = work(scope, id)
        .catch((error: unknown) => {
          if (closing.signal.aborted) return
          platform.log(`bulk operation ${name} failed: ${String(error)}`)
          finish(scope, id, { status: 'FAILED', code: 'INTERNAL_SERVER_ERROR' })
        })
        .finally(() => running.delete(name))
      running.set(name, done)
    }
  }

  async function work(scope: StoreScope, id: number): Promise<void> {
    const { database, store } = scope
    const row = findBulk(scope, id)
    const plan = row ? planBulk(schema, row.query) : null
    if (!row || plan === null || typeof plan === 'string')
      throw new Error(typeof plan === 'string' ? plan : 'there is nothing to run')
    execute(database)`DELETE FROM store_bulk_part WHERE store_id = ${store.id} AND bulk_id = ${id}`
    const failing = store.fail_next_bulk === 1
    const duration = store.bulk_duration_ms
    await sleep(duration / 4, undefined, { signal: closing.signal })
    if (findBulk(scope, id)?.status === 'CREATED') setStatus(scope, id, 'RUNNING')

    const ending = refreshed(scope).store.end_next_bulk
    if (ending !== null) {
      execute(database)`UPDATE store SET end_next_bulk = NULL WHERE id = ${store.id}`
      while (ending === 'never' && findBulk(scope, id)?.status !== 'CANCELING')
        await sleep(20, undefined, { signal: closing.signal })
      if (ending === 'never') return finish(scope, id, { status: 'CANCELED', code: null })
      const isCode = ending === 'FAILED' || ending === 'ACCESS_DENIED'
      const code = ending === 'ACCESS_DENIED' ? ending : isCode ? 'INTERNAL_SERVER_ERROR' : null
      return finish(scope, id, { status: ending === 'ACCESS_DENIED' ? 'FAILED' : ending, code })
    }

    const output = openOutput(scope, id)
    const until = performance.now() + duration * 0.75
    const context: GraphContext = { scope, scopes: row.scope.split(','), apiVersion: row.api_version, bulk: true }
    for (const { document, key } of plan.documents) {
      let after: string | null = null
      let more = true
      while (more) {
        if (findBulk(scope, id)?.status === 'CANCELING') return finish(scope, id, { status: 'CANCELED', code: null })
        const first: number = failing ? 50 : pageSize
        const result = await executeOperation({
          schema,
          document,
          contextValue: context,
          variableValues: { bulk_first: first, bulk_after: after },
        })
        const [error] = result.errors ?? []
        if (error) {
          const denied = error.extensions.code === 'ACCESS_DENIED'
          platform.log(`bulk operation ${id} of ${store.shop}: ${error.message}`)
          return finish(scope, id, { status: 'FAILED', code: denied ? 'ACCESS_DENIED' : 'INTERNAL_SERVER_ERROR' })
        }
        const page = result.data?.[key] as { __bulk_page: { hasNextPage: boolean; endCursor: string | null } }
        output.write(nodesIn(page) ?? [], row.grouped === 1)
        more = page.__bulk_page.hasNextPage
        after = page.__bulk_page.endCursor
        if (failing) {
          output.end()
          execute(database)`UPDATE store SET fail_next_bulk = 0 WHERE id = ${store.id}`
          execute(database)`UPDATE store_bulk SET partial = 1 WHERE store_id = ${store.id} AND id = ${id}`
          return finish(scope, id, { status: 'FAILED', code: 'INTERNAL_SERVER_ERROR' })
        }
        const pause = Math.max(0, Math.min(50, until - performance.now()))
        await sleep(pause, undefined, { signal: closing.signal })
      }
    }
    output.end()
    await sleep(Math.max(0, until - performance.now()), undefined, { signal: closing.signal })
    const canceled = findBulk(scope, id)?.status === 'CANCELING'
    finish(scope, id, { status: canceled ? 'CANCELED' : 'COMPLETED', code: null })
  }

  look()
  return {
    wake: () => void setImmediate(look),
    async settle() {
      look()
      const ran = running.size > 0
      await Promise.all(running.values())
      return ran
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running.values())
    },
  }
}

/** Gathers lines into parts of the file, so that neither writing nor sending holds the whole of it. */
function openOutput(scope: StoreScope, id: number) {
  const { database, store } = scope
  let lines: string[] = []
  let held = 0
  let part = 0
  let written = 0
  let objects = 0
  let roots = 0
  const flush = () => {
    if (lines.length === 0) return
    const body = Buffer.from(`${lines.join('\n')}\n`)
    execute(database)`INSERT INTO store_bulk_part VALUES (${store.id}, ${id}, ${part}, ${body})`
    part += 1
    written += body.length
    lines = []
    held = 0
  }
  const count = (fileSize: number | null) =>
    execute(database)`UPDATE store_bulk SET object_count = ${objects}, root_object_count = ${roots},
      file_size = ${fileSize} WHERE store_id = ${store.id} AND id = ${id}`
  return {
    write(nodes: Record<string, unknown>[], grouped: boolean) {
      const later: string[] = []
      for (const node of nodes) {
        const { own, children } = linesOf(node, null)
        lines.push(own)
        // Not grouped: a child comes somewhere after its parent, not necessarily next to it.
        ;(grouped ? lines : later).push(...children)
        objects += 1 + children.length
        held += own.length + children.reduce((sum, child) => sum + child.length, 0)
      }
      lines.push(...later)
      roots += nodes.length
      if (held >= partBytes) flush()
      count(null)
    },
    end() {
      flush()
      count(written)
    },
  }
}

function finish(scope: StoreScope, id: number, end: { status: Finished; code: string | null }): void {
  transaction(scope.database, () => {
    execute(scope.database)`UPDATE store_bulk SET status = ${end.status}, error_code = ${end.code},
      completed_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${id}`
    if (end.status === 'CANCELED')
      execute(scope.database)`DELETE FROM store_bulk_part WHERE store_id = ${scope.store.id} AND bulk_id = ${id}`
    const row = findBulk(scope, id)
    if (row) publish(scope, 'BULK_OPERATIONS_FINISH', () => bulkFinishedBody(row))
  })
}

export function mountBulkFiles(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { shop: string; file: string }; Querystring: { key?: string } }>(
    '/stores/:shop/bulk/:file',
    async (request, reply) => {
      const scope = findStore(platform, request.params.shop)
      const id = /^(\d{1,15})\.jsonl$/.exec(request.params.file)?.[1]
      const row = scope && id !== undefined ? findBulk(scope, Number(id)) : null
      if (!scope || !row || row.secret !== request.query.key || row.file_size === null)
        return reply.code(404).type('application/xml').send('<Error><Code>NoSuchKey</Code></Error>')
      const breakage = bulkUrl(scope, row) === null ? 'expired' : takeBreakage(scope, 'files')
      if (breakage) {
        const text = Buffer.concat([...readParts(scope, row.id)]).toString()
        return sendBroken(reply, breakage, { text, type: 'application/jsonl' })
      }
      reply.type('application/jsonl').header('content-length', row.file_size)
      return Readable.from(readParts(scope, row.id))
    },
  )
}

function* readParts(scope: StoreScope, id: number): Generator<Buffer> {
  for (let part = 0; ; part += 1) {
    const row = findRow<{ body: Uint8Array }>(scope.database)`SELECT body FROM store_bulk_part
      WHERE store_id = ${scope.store.id} AND bulk_id = ${id} AND part = ${part}`
    if (!row) return
    yield Buffer.from(row.body)
  }
}
