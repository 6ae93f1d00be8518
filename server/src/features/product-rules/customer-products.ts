import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { ProductsOfCustomer } from '../email-rendering/index.ts'
import { createMemory } from './memory.ts'
import { selectCompanions, selectOfCustomers } from './queries.ts'

/** What is bought together changes slowly. */
const companions = createMemory<readonly number[]>({ lastsMs: 60 * 60_000, most: 50_000 })

/** See the port: one statement for all of the customers, and one for products whose companions are not known yet. */
export async function productsOfCustomers(
  scope: MerchantScope,
  { customerIds, wants }: { customerIds: readonly string[]; wants: readonly (keyof ProductsOfCustomer)[] },
): Promise<Map<string, ProductsOfCustomer>> {
  const rows = await selectOfCustomers(scope, customerIds, wants)
  const together = await companionsOf(scope, new Set(rows.flatMap(({ last_bought }) => last_bought)))
  return new Map(
    rows.map(({ id, last_bought, ...known }) => [
      id,
      {
        ...known,
        bought_together: [...new Set(last_bought.flatMap((number) => together.get(number) ?? []))].filter(
          (number) => !last_bought.includes(number),
        ),
      },
    ]),
  )
}

async function companionsOf(
  scope: MerchantScope,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { context, merchantId } = scope
  const keyOf = (number: number): string => `${merchantId} ${number}`
  const found = new Map<number, readonly number[]>()
  const missing: number[] = []
  for (const number of numbers) {
    const known = companions.find(context, keyOf(number))
    if (known) found.set(number, known)
    else missing.push(number)
  }
  for (const { number, companions: some } of missing.length === 0 ? [] : await selectCompanions(scope, missing)) {
    companions.keep(context, keyOf(number), some)
    found.set(number, some)
  }
  return found
}
