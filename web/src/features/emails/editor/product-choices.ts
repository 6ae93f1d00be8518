import { listProducts, type Product } from '@okaeri/contract/catalog/routes'
import { call } from '../../../api/call.ts'

const CHOICES = 20

/** A mail leaves out what the store does not sell now. */
export const isOnSale = ({ status }: Product): boolean => status === 'ACTIVE'

/** Products for a block, found by words of their titles. Of those that mails leave out the list says so. */
export async function findProducts(
  q: string,
  notOnSale: string,
): Promise<{ value: string; label: string; note?: string }[]> {
  const { data } = await call(listProducts, { query: { q, limit: CHOICES } })
  return data.map((product) => ({
    value: product.id,
    label: product.title,
    ...(!isOnSale(product) && { note: notOnSale }),
  }))
}
