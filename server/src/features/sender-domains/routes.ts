import * as endpoints from '@okaeri/contract/sender-domains/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { askLinkDomain, removeLinkDomain, setLinkDomain } from './link-domain.ts'
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
  on.merchant(endpoints.setLinkDomain)(async ({ scope, params, body }) => ({
    sender_domain: await setLinkDomain(scope, params.id, body.link_domain.host),
  }))
  on.merchant(endpoints.deleteLinkDomain)(async ({ scope, params }) => ({
    sender_domain: await removeLinkDomain(scope, params.id),
  }))
  on.open(endpoints.askLinkDomain)(({ context, query }) => askLinkDomain(context, query.domain))
  on.merchant(endpoints.checkSenderDomain)(({ scope, reply, body }) => checkNow(scope, reply, body.domain))
}
