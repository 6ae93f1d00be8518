import { productChoiceTag } from '@okaeri/contract/emails/product-rule'
import { sql } from 'kysely'
import { newIds } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addBenchEmail, addManyCustomers, benchHtml, startInstallation } from './installation.ts'
import { sendCampaign, startSinkProcess } from './sending.ts'

/** What `npm run bench` prints of mails with products of each recipient's own. */
export interface OwnProductsFigures {
  recipients: number
  /** The mail of the sending bench. */
  plain: Rate
  /** With three products that are the same for everybody: as long as that with three of each recipient's own. */
  fixed: Rate
  own: Rate
  /** With a block that the engine fills for each recipient, without products. */
  filled: Rate
}
/** `workerUs`, `databaseUs`: what is computed for each mail, in microseconds. */
interface Rate {
  perSecond: number
  workerUs: number
  databaseUs: number
}

const PRODUCTS = 500

/** The same campaign by turns, so that a busy machine is as busy for each; of two rounds the mean. */
export async function runOwnProductsBench(recipients = 20_000): Promise<OwnProductsFigures> {
  const sink = await startSinkProcess()
  const okaeri = await startInstallation({ smtpUrl: `smtp://127.0.0.1:${sink.port}` })
  try {
    const { scope } = okaeri
    await addManyCustomers(scope, recipients)
    await addGoods(scope)
    const mail = benchHtml()
    const inMail = (block: string): Promise<string> => addBenchEmail(scope, mail.replace('</body>', `${block}</body>`))
    const card =
      '<p><a href="{{ product.url }}"><img src="{{ product.image_url }}" alt="{{ product.title }}"></a>{{ product.title }} {{ product.price }}</p>'
    const fixed = await idsOfThree(scope)
    const choice = { count: 3, otherwise: 'best_sold', leavesOutBought: true, excludedIds: [] } as const
    const emails = {
      plain: await inMail(''),
      filled: await inMail('{% if customer.last_name != "" %}<p>{{ customer.last_name }}</p>{% endif %}'),
      // As many tracked links: the bench has no store whose addresses they could be.
      fixed: await inMail(
        fixed
          .map(
            (id) => `{% product "${id}" %}${card.replace('{{ product.url }}', `https://a.test/${id}`)}{% endproduct %}`,
          )
          .join(''),
      ),
      own: await inMail(`${productChoiceTag({ rule: 'favorites', ...choice })}${card}{% endproducts_by %}`),
    }
    const sent = { plain: [], fixed: [], filled: [], own: [] } as Record<keyof typeof emails, Sent[]>
    for (const turn of ['plain', 'fixed', 'own', 'filled', 'filled', 'own', 'fixed', 'plain'] as const)
      sent[turn].push(await sendCampaign(okaeri, emails[turn], recipients))
    const rateOf = (some: readonly Sent[]): Rate => {
      const each = (of: (one: Sent) => number): number =>
        some.reduce((sum, one) => sum + of(one), 0) / (some.length * recipients)
      return {
        perSecond: 1 / each(({ seconds }) => seconds),
        workerUs: each(({ workerSeconds }) => workerSeconds) * 1e6,
        databaseUs: each(({ databaseSeconds }) => databaseSeconds) * 1e6,
      }
    }
    return {
      recipients,
      plain: rateOf(sent.plain),
      fixed: rateOf(sent.fixed),
      filled: rateOf(sent.filled),
      own: rateOf(sent.own),
    }
  } finally {
    await okaeri.stop()
    sink.process.kill()
  }
}

type Sent = Awaited<ReturnType<typeof sendCampaign>>

async function idsOfThree({ db, merchantId }: MerchantScope): Promise<string[]> {
  const products = db.selectFrom('products').select('id').where('merchant_id', '=', merchantId)
  return (await products.orderBy('store_product_id').limit(3).execute()).map(({ id }) => id)
}

/** Each customer has three favorites and bought two things. */
async function addGoods(scope: MerchantScope): Promise<void> {
  const { merchantId, now } = scope
  await sql`insert into products (merchant_id, id, store_product_id, title, handle, status, image_url, total_inventory, search_text)
    select ${merchantId}, id, n, 'Product ' || n, 'product-' || n, 'ACTIVE', 'https://cdn.bench.test/' || n || '.jpg', 10, ''
    from unnest(${newIds(PRODUCTS)}::uuid[]) with ordinality as p (id, n)`.execute(scope.db)
  await sql`insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title, price_amount, position)
    select ${merchantId}, id, n, n, 'M', 1000 + n, 1 from unnest(${newIds(PRODUCTS)}::uuid[]) with ordinality as p (id, n)`.execute(
    scope.db,
  )
  await sql`insert into favorites (merchant_id, id, customer_id, store_product_id, created_at)
    select ${merchantId}, okaeri_uuidv7(${now}), c.id, 1 + (c.n * 7 + k * 131) % ${PRODUCTS}::int, ${now}
    from (select id, row_number() over (order by id) as n from customers where merchant_id = ${merchantId}) c
    cross join generate_series(1, 3) k`.execute(scope.db)
  await sql`with placed as (
      insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency)
      select ${merchantId}, okaeri_uuidv7(${now}), c.n, c.id, '#' || c.n, ${now}::timestamptz - interval '5 days', 2000, 2000, 'JPY'
      from (select id, row_number() over (order by id) as n from customers where merchant_id = ${merchantId}) c
      returning id, customer_id, store_order_id, processed_at
    )
    insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
    select ${merchantId}, o.id, k, o.customer_id, 1 + (o.store_order_id * 11 + k * 17) % ${PRODUCTS}::int, 'x', 1, 1000, o.processed_at
    from placed o cross join generate_series(0, 1) k`.execute(scope.db)
  for (const table of ['favorites', 'orders', 'order_lines', 'products'])
    await sql`analyze ${sql.table(table)}`.execute(scope.db)
}
