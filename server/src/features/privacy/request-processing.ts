import { isOutage } from '../../kernel/database/database-trouble.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import type { Person } from '../../kernel/personal-data.ts'
import { eraseStore } from './store-erasure.ts'
import { erasePerson, leftovers } from './person-erasure.ts'
import { mailFileReady } from './jobs.ts'
import { findPerson } from './person.ts'
import {
  claimRequest,
  countTries,
  deleteFile,
  listDueRequests,
  markFailedTry,
  markWorked,
  type RequestRow,
} from './queries.ts'
import { type RequestedPerson, seal, unseal } from './request.ts'
import { keepFile, exportPersonalData } from './personal-data-export.ts'

const BATCH = 20
/** Longer than anything that began before the erasure and ends after it: a batch of a copy of the store. */
const SWEEP_AFTER_MS = 10 * 60_000
const FILE_KEPT_MS = 30 * 86_400_000
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 3_600_000

/** Processes a merchant's due requests, in the order of arrival. Returns whether there were any. */
export async function processRequests(scope: MerchantScope, signal: AbortSignal): Promise<boolean> {
  const due = await listDueRequests(scope, BATCH)
  for (const { id, kind } of due) {
    if (signal.aborted) break
    const fresh = merchantScope(scope.context, scope.merchantId)
    try {
      if (kind === 'shop_redact') await eraseStore(fresh, id, signal)
      else await fresh.transaction((scope) => processOne(scope, id))
    } catch (error) {
      if (isOutage(error)) throw error
      await recordFailure(fresh, id, error)
    }
  }
  return due.length > 0
}

/** Requests are retried until they succeed, because they must be done. An error may name the person, so only its kind is stored. */
async function recordFailure(scope: MerchantScope, id: string, error: unknown): Promise<void> {
  const kind = error instanceof AppError ? error.reason : error instanceof IntegrationError ? error.detail : 'internal'
  scope.context.log.error({ merchantId: scope.merchantId, request: id, error }, 'a privacy request will be tried again')
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (await countTries(scope, id)))
  await markFailedTry(scope, id, { error: kind, nextAttemptAt: new Date(scope.now.getTime() + pauseMs) })
}

async function processOne(scope: MerchantScope, id: string): Promise<void> {
  const request = await claimRequest(scope, id)
  if (!request) return
  if (request.status === 'waiting')
    await (request.kind === 'data_request' ? answerDataRequest(scope, request) : forget(scope, request))
  else if (request.kind === 'data_request') await endFile(scope, request)
  else await sweep(scope, request)
}

const askedIn = (scope: MerchantScope, { sealed }: RequestRow): RequestedPerson =>
  unseal(scope, sealed ?? 'null') as RequestedPerson

async function forget(scope: MerchantScope, request: RequestRow): Promise<void> {
  const person = await findPerson(scope, askedIn(scope, request))
  const outcome = await erasePerson(scope, person)
  const sweepAt = new Date(scope.now.getTime() + SWEEP_AFTER_MS)
  await markWorked(scope, request.id, {
    status: 'done',
    outcome,
    sealed: seal(scope, leftovers(person)),
    sweepAt,
    nextAt: sweepAt,
  })
}

async function sweep(scope: MerchantScope, request: RequestRow): Promise<void> {
  await erasePerson(scope, unseal(scope, request.sealed ?? 'null') as Person)
  await markWorked(scope, request.id, { status: 'done', sealed: null, nextAt: null })
}

async function answerDataRequest(scope: MerchantScope, request: RequestRow): Promise<void> {
  const person = await findPerson(scope, askedIn(scope, request))
  const data = await exportPersonalData(scope, person)
  const expiresAt = new Date(scope.now.getTime() + FILE_KEPT_MS)
  await keepFile(scope, request.id, data, expiresAt)
  await markWorked(scope, request.id, {
    status: 'done',
    outcome: Object.fromEntries(data.sections.map(({ table, rows }) => [table, rows.length])),
    sealed: null,
    customerId: person.customerIds[0] ?? null,
    nextAt: expiresAt,
  })
  await scope.context.jobs.later(scope, mailFileReady, { requestId: request.id })
}

async function endFile(scope: MerchantScope, request: RequestRow): Promise<void> {
  await deleteFile(scope, request.id)
  await markWorked(scope, request.id, { status: 'done', sealed: null, nextAt: null })
}
