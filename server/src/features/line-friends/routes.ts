import { receiveLineWebhook as receiveRoute } from '@okaeri/contract/line-accounts/routes'
import type { Routes } from '../../kernel/http.ts'
import { receiveLineWebhook } from './webhook-intake.ts'

export function lineFriendRoutes(on: Routes): void {
  on.open(receiveRoute)(({ context, request, params, body }) =>
    receiveLineWebhook(context, params.userId, { headers: request.headers, body }),
  )
}
