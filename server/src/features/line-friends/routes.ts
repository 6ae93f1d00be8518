import { receiveLineWebhook as receiveRoute } from '@okaeri/contract/line-accounts/routes'
import * as endpoints from '@okaeri/contract/line-friends/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { addTester, findFriends, listTesters, removeTester } from './tester.ts'
import { receiveLineWebhook } from './webhook-intake.ts'

export function lineFriendRoutes(on: Routes): void {
  on.open(receiveRoute)(({ context, request, params, body }) =>
    receiveLineWebhook(context, params.userId, { headers: request.headers, body }),
  )
  on.merchant(endpoints.findLineFriends)(({ scope, query }) => findFriends(scope, query.q))
  on.merchant(endpoints.listLineTesters)(({ scope }) => listTesters(scope))
  on.merchant(endpoints.addLineTester)(({ scope, params }) => addTester(scope, params.lineUserId))
  on.merchant(endpoints.removeLineTester)(({ scope, params }) => removeTester(scope, params.lineUserId))
}
