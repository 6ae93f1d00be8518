import * as endpoints from '@okaeri/contract/sender-domains/routes'
import type { Routes } from '../../kernel/http.ts'
import { checkNow } from './check.ts'
import { addSenderDomain, listSenderDomains, removeSenderDomain, rotateKey, setWarmUp } from './domain.ts'

export function senderDomainRoutes(on: Routes): void {
  on.merchant(endpoints.listSenderDomains)(async ({ scope }) => ({ sender_domains: await listSenderDomains(scope) }))
  on.merchant(endpoints.addSenderDomain)(async ({ scope, reply, body }) => ({
    sender_domain: await addSenderDomain(scope, reply, body.sender_domain.name),
  }))
  on.merchant(endpoints.deleteSenderDomain)(async ({ scope, params }) => ({
    sender_domains: await removeSenderDomain(scope, params.id),
  }))
  on.merchant(endpoints.rotateSenderDomainKey)(async ({ scope, reply, params }) => ({
    sender_domain: await rotateKey(scope, reply, params.id),
  }))
  on.merchant(endpoints.startWarmUp)(async ({ scope, params }) => ({
    sender_domain: await setWarmUp(scope, params.id, true),
  }))
  on.merchant(endpoints.endWarmUp)(async ({ scope, params }) => ({
    sender_domain: await setWarmUp(scope, params.id, false),
  }))
  on.merchant(endpoints.checkSenderDomain)(({ scope, reply, body }) => checkNow(scope, reply, body.domain))
}
