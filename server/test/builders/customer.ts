import type { Customer } from '@okaeri/contract/customers/customer'
import { createCustomer } from '@okaeri/contract/customers/routes'
import type { Endpoint } from '@okaeri/contract/endpoint'
import type { TestMerchant } from '../harness.ts'

/** As a person would type them in. */
type Given = Partial<typeof createCustomer extends Endpoint<infer T> ? T['inBody'] : never>

/** Added by hand, without any consent. Many at once, as a copy leaves them: `addCustomers` of fixtures.ts. */
export const aCustomer = async (merchant: TestMerchant, email: string, given: Given = {}): Promise<Customer> =>
  (await merchant.call(createCustomer, { body: { email, last_name: '佐藤', ...given } })).customer
