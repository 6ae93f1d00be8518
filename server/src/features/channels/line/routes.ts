import { getLineQuota, resumeLine as resumeRoute } from '@okaeri/contract/line-quota/routes'
import type { Routes } from '../../../kernel/http/http.ts'
import { readLineQuota, resumeLine } from './quota.ts'

export function lineQuotaRoutes(on: Routes): void {
  on.merchant(getLineQuota)(async ({ scope }) => ({ line_quota: await readLineQuota(scope) }))
  on.merchant(resumeRoute)(async ({ scope }) => ({ line_quota: await resumeLine(scope) }))
}
