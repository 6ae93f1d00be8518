import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams, line } from '../fields.ts'
import { NewLinkDomain, NewSenderDomain, SenderDomain } from './domain.ts'

const area = 'settings'
const Domains = z.object({ sender_domains: z.array(SenderDomain) })
const One = z.object({ sender_domain: SenderDomain })

export const listSenderDomains = endpoint('GET', '/sender_domains', {
  area,
  summary: 'Domains mail is sent from, with the DNS records they need and what was found of them',
  access: 'member',
  reply: Domains,
})

export const addSenderDomain = endpoint('POST', '/sender_domains', {
  area,
  summary:
    'Send from a domain: makes its DKIM key and says which records to publish; one that is there already stays as it is',
  access: 'owner',
  status: 201,
  body: z.strictObject({ sender_domain: NewSenderDomain }),
  reply: One,
})

export const deleteSenderDomain = endpoint('DELETE', '/sender_domains/{id}', {
  area,
  summary: 'Forget a domain and its keys; its addresses have to be confirmed again',
  access: 'owner',
  params: IdParams,
  reply: Domains,
})

export const rotateSenderDomainKey = endpoint('POST', '/sender_domains/{id}/rotate', {
  area,
  summary:
    'Make the next DKIM key; it signs once its record is found. While one waits to be published, no other is made',
  access: 'owner',
  params: IdParams,
  reply: One,
})

export const setLinkDomain = endpoint('PUT', '/sender_domains/{id}/link_domain', {
  area,
  summary:
    'Let links and pictures of mails from the domain lead over a host below it; used in mails frozen after its record was found',
  access: 'owner',
  params: IdParams,
  body: z.strictObject({ link_domain: NewLinkDomain }),
  reply: One,
})

export const deleteLinkDomain = endpoint('DELETE', '/sender_domains/{id}/link_domain', {
  area,
  summary: 'Use the installation’s own host in new mails; links that were sent continue to work',
  access: 'owner',
  params: IdParams,
  reply: One,
})

export const askLinkDomain = endpoint('GET', '/link_domains/ask', {
  area,
  summary:
    'Whether a host is the link domain of a merchant who proved its domain: for the proxy that gets certificates on demand. Otherwise 404',
  access: 'public',
  query: z.object({ domain: z.string().max(253, 'too_long') }),
  reply: z.object({ domain: z.string() }),
})

export const startWarmUp = endpoint('POST', '/sender_domains/{id}/warm_up', {
  area,
  summary: 'Send few emails from the domain at first, and about twice as many each day',
  access: 'owner',
  params: IdParams,
  reply: One,
})

export const endWarmUp = endpoint('DELETE', '/sender_domains/{id}/warm_up', {
  area,
  summary: 'Send as much from the domain as there is',
  access: 'owner',
  params: IdParams,
  reply: One,
})

export const checkSenderDomain = endpoint('POST', '/user/me/email_check', {
  area,
  summary:
    'Look a domain’s records up now (spec §4: ends in success or failure); without a name the domain of the sender address',
  access: 'marketer',
  body: z.strictObject({ domain: line(1, 253).optional() }),
  reply: z.object({ result: z.enum(['success', 'failure']), sender_domain: SenderDomain }),
})
