import {
  getCouponFailures as getCouponFailuresEndpoint,
  renewCoupons as renewCouponsEndpoint,
} from '@okaeri/contract/scenarios/coupon-failures'
import * as contract from '@okaeri/contract/scenarios/execution'
import type { Routes } from '../../kernel/http/http.ts'
import {
  changeWakeUp,
  deleteExecution,
  getExecution,
  listExecutions,
  pauseExecution,
  playExecution,
  playFailed,
  resolveExecution,
  resolveFailed,
  restartExecution,
  sendLate,
  skipLate,
} from '../executions/index.ts'
import { getCouponFailures, renewCoupons } from './coupon-renewal.ts'
import { webhookSecret } from './effects.ts'

export function executionRoutes(on: Routes): void {
  on.merchant(contract.listExecutions)(async ({ scope, query }) => listExecutions(scope, query))
  on.merchant(contract.getExecution)(async ({ scope, params }) => ({ execution: await getExecution(scope, params.id) }))
  on.merchant(contract.changeExecution)(async ({ scope, params, body }) => ({
    execution: await changeWakeUp(scope, params.id, new Date(body.wake_at)),
  }))
  on.merchant(contract.deleteExecution)(async ({ scope, params, reply }) => {
    await deleteExecution(scope, params.id)
    return reply.send()
  })
  on.merchant(contract.restartExecution)(async ({ scope, params, body }) => ({
    execution: await restartExecution(scope, params.id, body),
  }))
  on.merchant(contract.pauseExecution)(async ({ scope, params }) => ({
    execution: await pauseExecution(scope, params.id),
  }))
  on.merchant(contract.playExecution)(async ({ scope, params }) => ({
    execution: await playExecution(scope, params.id),
  }))
  on.merchant(contract.resolveExecution)(async ({ scope, params }) => ({
    execution: await resolveExecution(scope, params.id),
  }))
  on.merchant(contract.sendLateOnes)(async ({ scope, params }) => ({ count: await sendLate(scope, params.id) }))
  on.merchant(contract.skipLateOnes)(async ({ scope, params }) => ({ count: await skipLate(scope, params.id) }))
  on.merchant(contract.playFailedOnes)(async ({ scope, params }) => ({ count: await playFailed(scope, params.id) }))
  on.merchant(getCouponFailuresEndpoint)(async ({ scope, params }) => ({
    coupon_failures: await getCouponFailures(scope, params.id),
  }))
  on.merchant(renewCouponsEndpoint)(async ({ scope, params }) => ({ count: await renewCoupons(scope, params.id) }))
  on.merchant(contract.resolveFailedOnes)(async ({ scope, params }) => ({
    count: await resolveFailed(scope, params.id),
  }))
  on.merchant(contract.getWebhookSecret)(({ scope }) =>
    Promise.resolve({ secret: webhookSecret(scope), header: 'X-Okaeri-Signature' }),
  )
}
