import { z } from 'zod'
import { SuppressionReason } from '../customers/customer.ts'
import { Selected } from '../customers/selection.ts'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, IdParams, line } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { Suppression } from './suppression.ts'

const area = 'consent'

export const listSuppressions = endpoint('GET', '/suppressions', {
  area,
  summary: 'Addresses no mail goes to, with reason and proof, and those that were lifted',
  access: 'member',
  query: PageQuery.extend({
    /** A part of the address. */
    q: z.string('not_a_text').max(200, 'too_long').optional(),
    reason: SuppressionReason.optional(),
    state: z.enum(['in_force', 'lifted']).optional(),
    sort: z.enum(['created_at', 'address']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Suppression),
})

export const addSuppression = endpoint('POST', '/suppressions', {
  area,
  summary: 'Send no more mail to an address',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ email: EmailAddress, detail: line(0, 500).optional() }),
  reply: z.object({ suppression: Suppression }),
})

export const suppressCustomers = endpoint('POST', '/suppressions/customers', {
  area,
  summary: 'Send no more mail to the addresses of many customers',
  access: 'marketer',
  body: z.strictObject({ ...Selected, detail: line(0, 500).optional() }),
  reply: z.object({
    /** Addresses that are on the list now and were not before. */
    suppressed: z.int(),
    already_suppressed: z.int(),
    /** Customers without an address. */
    without_email: z.int(),
  }),
})

export const liftSuppression = endpoint('POST', '/suppressions/{id}/lift', {
  area,
  summary: 'Let mail go to the address again; who did it and why is kept',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ reason: line(1, 500) }),
  reply: z.object({ suppression: Suppression }),
})

const FileQuery = z.object({ lang: Locale.default('ja') })

export const downloadConsentProof = endpoint('GET', '/consent/proof', {
  area,
  summary: 'Every change of every permission, with source, wording and page (CSV)',
  access: 'member',
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

export const downloadCustomerProof = endpoint('GET', '/customers/{id}/consent_proof', {
  area,
  summary: 'How one customer’s permissions came to be: a table (CSV) or a page to print (HTML)',
  access: 'member',
  params: IdParams,
  query: FileQuery.extend({ format: z.enum(['csv', 'html']).default('csv') }),
  replyKind: 'file',
  mediaTypes: ['text/csv', 'text/html'],
})
