import { z } from 'zod'
import { DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, IdParams, line, Phone } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { ConsentChange, Customer, CustomerOrder, SyncProgress } from './customer.ts'

const area = 'customers'

export const listCustomers = endpoint('GET', '/customers', {
  area,
  summary: 'Customers, searched by name, mail or phone',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    marketing: z.enum(['granted', 'not_granted']).optional(),
    sort: z
      .enum(['created_at', 'name', 'total_revenue', 'orders_count', 'last_order_at', 'email_sent_count'])
      .default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Customer),
})

export const checkCustomer = endpoint('GET', '/customers/check', {
  area,
  summary: 'Whether a customer with this address exists',
  access: 'member',
  query: z.object({ email: EmailAddress }),
  reply: z.object({ exists: z.boolean(), customer_id: z.uuid().nullable() }),
})

const CustomerFields = {
  first_name: line(0, 100).optional(),
  last_name: line(0, 100).optional(),
  email: EmailAddress.nullable().optional(),
  phone: Phone.nullable().optional(),
  language: Locale.optional(),
  tags: z.array(line(1, 255)).max(250, 'too_long').optional(),
}

export const createCustomer = endpoint('POST', '/customers', {
  area,
  summary: 'Add a customer, in the store first',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ ...CustomerFields, email: EmailAddress }),
  reply: z.object({ customer: Customer }),
})

export const CustomerDetail = z.object({
  customer: Customer,
  orders: z.array(CustomerOrder),
  messages: z.array(DeliveryView),
  consent_changes: z.array(ConsentChange),
})
export type CustomerDetail = z.output<typeof CustomerDetail>

export const getCustomer = endpoint('GET', '/customers/{id}', {
  area,
  summary: 'One customer with the newest orders, messages (sent or not, and why) and consent changes',
  access: 'member',
  params: IdParams,
  reply: CustomerDetail,
})

export const changeCustomer = endpoint('PUT', '/customers/{id}', {
  area,
  summary: 'Change a customer, in the store first; consent may be changed too and is recorded',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({
    ...CustomerFields,
    accepts_marketing: z.boolean().optional(),
    accepts_transactions: z.boolean().optional(),
  }),
  reply: z.object({ customer: Customer }),
})

export const deleteCustomer = endpoint('DELETE', '/customers/{id}', {
  area,
  summary: 'Remove the customer here; the store keeps its own',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

/** Not in the specification's list: the page has to show how the copy of the store is coming along. */
export const getSync = endpoint('GET', '/store/sync', {
  area: 'store',
  summary: 'How the copy of the store is coming along',
  access: 'member',
  reply: z.object({ sync: SyncProgress }),
})
export const startSync = endpoint('POST', '/store/sync', {
  area: 'store',
  summary: 'Copy the whole store again',
  access: 'marketer',
  status: 202,
  reply: z.object({ sync: SyncProgress }),
})
