import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorBody, Reason } from '@okaeri/contract/errors'
import type { Readiness } from '@okaeri/contract/system/routes'
import { findStoppage, readHold } from '../features/deliveries/index.ts'
import { headersOf } from '../kernel/http/answer-headers.ts'
import type { Context } from '../kernel/context.ts'
import { isDatabaseAway } from '../kernel/database/database-trouble.ts'
import { StartupError } from '../kernel/errors.ts'
import { RETRY_AFTER_SECONDS } from '../kernel/http/http.ts'
import { compareMigrations } from '../kernel/database/migrate.ts'

/** The process is alive. A database that is away must not restart it, so this does not ask the database. */
export const livenessOf = (context: Context) => ({
  ok: true as const,
  role: context.settings.role,
  sending: findStoppage(context) ? ('stands' as const) : ('goes_on' as const),
})

interface Answer {
  status: 200 | 503
  headers: Record<string, string>
  /** With 503 in the error form too, for those who know only that. */
  body: Readiness & Partial<ErrorBody>
}

/** Whether this process can do its work now: a load balancer sends it people only then. */
export async function readinessOf(context: Context): Promise<Answer> {
  const stopping = context.stopping.aborted
  let database: Readiness['database'] = 'there'
  let migrations: Readiness['migrations'] = 'unknown'
  let sending: Readiness['sending'] = livenessOf(context).sending
  try {
    migrations = await compareMigrations(context.db)
    if (migrations === 'as_expected' && (await readHold(context))) sending = 'on_hold'
  } catch (error) {
    context.log.error({ error }, 'the database was asked whether it is ready')
    if (isDatabaseAway(error)) database = 'away'
  }
  const ready = !stopping && database === 'there' && migrations === 'as_expected'
  const body = { ready, role: context.settings.role, database, migrations, stopping, sending }
  if (ready) return { status: 200, headers: {}, body }
  const reason: Reason = stopping ? 'stopping' : database === 'away' ? 'database_away' : 'unavailable'
  return {
    status: 503,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    body: { ...body, error: { code: 'unavailable', reason, message: 'this process cannot do its work now' } },
  }
}

/** A process that only works answers the same two questions on a port of its own; returns which. */
export async function answerHealth(
  context: Context,
  { port, host }: { port: number; host: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const path = request.url?.split('?')[0]
    const asked =
      path === '/healthz'
        ? Promise.resolve({ status: 200, headers: {}, body: livenessOf(context) })
        : path === '/readyz'
          ? readinessOf(context)
          : Promise.resolve({
              status: 404,
              headers: {},
              body: { error: { code: 'not_found', reason: 'unknown_route' } },
            })
    void asked.then(({ status, headers, body }) => {
      response.writeHead(status, {
        ...headersOf(context.settings),
        ...headers,
        'content-type': 'application/json; charset=utf-8',
      })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      error.code === 'EADDRINUSE'
        ? `HEALTH_PORT ${port} is in use by another program; set it to another number, or leave it out.`
        : `Cannot listen on ${host}:${port} for HEALTH_PORT (${error.code ?? error.message}).`,
    )
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
