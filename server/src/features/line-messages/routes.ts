import * as endpoints from '@okaeri/contract/line-messages/routes'
import type { Routes } from '../../kernel/http/http.ts'
import {
  changeLineMessage,
  createLineMessage,
  deleteLineMessage,
  duplicateLineMessage,
  getLineMessage,
  listLineMessages,
  listLineSamples,
} from './line-message.ts'
import { previewLineTexts } from './preview.ts'
import { testSendLineMessage } from './test-send.ts'

export function lineMessageRoutes(on: Routes): void {
  on.merchant(endpoints.listLineMessages)(({ scope, query }) => listLineMessages(scope, query))
  on.merchant(endpoints.listLineSamples)(async ({ scope, query }) => ({
    data: await listLineSamples(scope, query.language),
  }))
  on.merchant(endpoints.createLineMessage)(({ scope, body }) => createLineMessage(scope, body))
  on.merchant(endpoints.getLineMessage)(async ({ scope, params }) => ({
    line_message: await getLineMessage(scope, params.id),
    used_by: await scope.context.ports.programsUsingLineMessage(scope, params.id),
  }))
  on.merchant(endpoints.changeLineMessage)(({ scope, params, body }) => changeLineMessage(scope, params.id, body))
  on.merchant(endpoints.deleteLineMessage)(async ({ scope, params }) => {
    await deleteLineMessage(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.duplicateLineMessage)(async ({ scope, params, body }) => ({
    line_message: await duplicateLineMessage(scope, params.id, body.language),
  }))
  on.merchant(endpoints.testSendLineMessage)(async ({ scope, params, body }) => ({
    deliveries: await testSendLineMessage(scope, params.id, body),
  }))
  on.merchant(endpoints.previewLineTexts)(async ({ scope, body }) => ({ texts: await previewLineTexts(scope, body) }))
}
