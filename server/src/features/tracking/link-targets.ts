import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { listProductsOnSale } from '../catalog/index.ts'
import type { LinkToken } from '../deliveries/index.ts'
import { isPersonalLink, leadsToProduct, personalLink, productUrl, storeUrlOf } from '../email-rendering/index.ts'
import { findMessageOfDeliveries, findVariables, findLinksOfMessages } from './queries.ts'

const MAX_MESSAGES = 500
const MAX_DELIVERIES = 50_000
const MAX_BATCH = 1000

export interface LinkTargets {
  /**
   * The address of the mail's link for this recipient, in a form for a header; null if the delivery or the link does not exist, or the link is
   * not a web address. `product`: of a link to products that a rule chose, the one it was shown with; the store's front page without it.
   */
  addressOf(token: LinkToken, position: number, product: number | null): Promise<string | null>
}

/** A link of a message: its address, or its template if the address differs per recipient (coupons, carts). */
type MessageLink = { address: string | null } | { personal: string }

/**
 * A message's links never change, so they are cached; unknown ones are queried together, one statement at a time. The oldest entries are
 * dropped when the cache is full.
 */
export function createLinkTargets(context: Context): LinkTargets {
  const messages = new Map<string, readonly MessageLink[]>()
  const messageOf = new Map<string, string>()
  let asked = new Map<
    string,
    {
      token: LinkToken
      answers: ((links: readonly MessageLink[] | null) => void)[]
      fail: ((error: unknown) => void)[]
    }
  >()
  let running = false

  const known = (deliveryKey: string): readonly MessageLink[] | undefined => {
    const message = messageOf.get(deliveryKey)
    return message === undefined ? undefined : messages.get(message)
  }

  const learn = async (tokens: readonly LinkToken[]): Promise<void> => {
    const found = await findMessageOfDeliveries(context.db, tokens)
    const missing = found.filter(({ merchantId, messageId }) => !messages.has(`${merchantId} ${messageId}`))
    for (const { merchantId, messageId, links } of missing.length > 0
      ? await findLinksOfMessages(context.db, missing)
      : [])
      remember(messages, `${merchantId} ${messageId}`, links.map(prepared), MAX_MESSAGES)
    for (const { merchantId, deliveryId, messageId } of found)
      remember(messageOf, `${merchantId} ${deliveryId}`, `${merchantId} ${messageId}`, MAX_DELIVERIES)
  }

  const run = async (): Promise<void> => {
    running = true
    await new Promise(setImmediate)
    while (asked.size > 0) {
      const batch = [...asked].slice(0, MAX_BATCH)
      asked = new Map([...asked].slice(MAX_BATCH))
      try {
        await learn(batch.map(([, { token }]) => token))
        for (const [key, { answers }] of batch) for (const answer of answers) answer(known(key) ?? null)
      } catch (error) {
        for (const [, { fail }] of batch) for (const reject of fail) reject(error)
      }
    }
    running = false
  }

  /** The links of a delivery's message, in order; null if the delivery does not exist. */
  async function linksOf(token: LinkToken): Promise<readonly MessageLink[] | null> {
    const key = `${token.merchantId} ${token.deliveryId}`
    const links = known(key)
    if (links) return links
    return new Promise((resolve, reject) => {
      const entry = asked.get(key)
      if (entry) {
        entry.answers.push(resolve)
        entry.fail.push(reject)
      } else asked.set(key, { token, answers: [resolve], fail: [reject] })
      if (!running) void run()
    })
  }

  return {
    async addressOf(token, position, product) {
      const link = (await linksOf(token))?.[position]
      if (!link) return null
      if ('address' in link) return link.address
      if (leadsToProduct(link.personal)) {
        const scope = merchantScope(context, token.merchantId)
        return webAddress(personalLink(link.personal, null, await addressOfProduct(scope, product)))
      }
      return webAddress(personalLink(link.personal, await findVariables(context.db, token)))
    },
  }
}

/** Where the store shows it now. A changed number in a link leads to another page of the same store. */
async function addressOfProduct(scope: MerchantScope, product: number | null): Promise<string> {
  const [sold] = product === null ? [] : await listProductsOnSale(scope, { storeProductIds: [product] })
  return productUrl(await storeUrlOf(scope), sold?.handle ?? null)
}

const prepared = (link: string): MessageLink =>
  isPersonalLink(link) ? { personal: link } : { address: webAddress(link) }

/** The address in a form for a header; null if it is not a web address. */
function webAddress(link: string): string | null {
  const url = URL.parse(link)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

function remember<V>(memory: Map<string, V>, key: string, value: V, max: number): void {
  if (memory.size >= max) {
    const [oldest] = memory.keys()
    if (oldest !== undefined) memory.delete(oldest)
  }
  memory.set(key, value)
}
