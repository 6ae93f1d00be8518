import { createRandom } from '../../seeded-random.ts'
import { addDefinition } from '../metafields.ts'
import { firstId, hashOf, nowSeconds, type StoreScope, setCounter } from '../platform.ts'
import { moneyOf } from '../goods/money.ts'
import { execute, listRows } from '../../sql.ts'

const day = 86_400
type Random = ReturnType<typeof createRandom>

interface Kind {
  namespace: string
  key: string
  name: string
  description: string | null
  type: string
  /** How many have it. */
  share: number
  draw: (random: Random, now: number, scope: StoreScope) => string
}
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Values that are what their type says, and some that are not: kept from before there was a definition. */
const kinds: Kind[] = [
  {
    namespace: 'loyalty',
    key: 'points',
    name: 'ポイント残高',
    description: 'ポイントアプリが書き込みます',
    type: 'number_integer',
    share: 0.7,
    draw: (random) => (random.chance(0.01) ? '不明' : String(random.below(8000))),
  },
  {
    namespace: 'loyalty',
    key: 'rank',
    name: '会員ランク',
    description: null,
    type: 'single_line_text_field',
    share: 0.8,
    draw: (random) => random.pick(['ブロンズ', 'ブロンズ', 'ブロンズ', 'シルバー', 'シルバー', 'ゴールド']),
  },
  {
    namespace: 'loyalty',
    key: 'spent_in_shop',
    name: '店頭での購入額',
    description: null,
    type: 'money',
    share: 0.3,
    draw: (random, _, scope) => {
      const { amount, currencyCode } = moneyOf(scope, 500 + random.below(90_000))
      return JSON.stringify({ amount, currency_code: currencyCode })
    },
  },
  {
    namespace: 'profile',
    key: 'favorite_color',
    name: '好きな色',
    description: null,
    type: 'color',
    share: 0.4,
    draw: (random) => random.pick(['#2f6f4f', '#b5495b', '#f7c242', '#4b6cb7', '#7d5ba6']),
  },
  {
    namespace: 'profile',
    key: 'interests',
    name: '興味のあること',
    description: '会員登録のアンケート',
    type: 'list.single_line_text_field',
    share: 0.5,
    draw: (random) =>
      JSON.stringify(['器', 'お茶', 'キッチン', 'インテリア', '贈りもの'].filter(() => random.chance(0.4))),
  },
  {
    namespace: 'profile',
    key: 'wants_catalog',
    name: '紙のカタログを希望',
    description: null,
    type: 'boolean',
    share: 0.5,
    draw: (random) => String(random.chance(0.3)),
  },
  {
    namespace: 'profile',
    key: 'satisfaction',
    name: '満足度',
    description: null,
    type: 'rating',
    share: 0.2,
    draw: (random) =>
      JSON.stringify({
        value: `${1 + random.below(4)}.${random.pick(['0', '5'])}`,
        scale_min: '1.0',
        scale_max: '5.0',
      }),
  },
  {
    namespace: 'shop',
    key: 'last_visit',
    name: '最終来店日時',
    description: null,
    type: 'date_time',
    share: 0.3,
    draw: (random, now) => `${new Date((now - random.below(300 * day)) * 1000).toISOString().slice(0, 19)}+00:00`,
  },
  {
    namespace: 'legacy',
    key: 'birthday',
    name: '誕生日（旧システム）',
    description: '書き方がそろっていません',
    type: 'single_line_text_field',
    share: 0.3,
    draw: (random) => {
      const at = Date.UTC(1950 + random.below(56), random.below(12), 1 + random.below(28)) / 1000
      const [year, month, date] = dayOf(at).split('-')
      return random.pick([
        `${year}/${month}/${date}`,
        `${year}-${month}-${date}`,
        `${Number(month)}月${Number(date)}日`,
        `${month}-${date}`,
        `${year}年${Number(month)}月${Number(date)}日`,
        random.chance(0.3) ? '不明' : `${year}.${Number(month)}.${Number(date)}`,
      ])
    },
  },
]

/** Definitions, and values on customers: birthdays are there already. It has its own random numbers, so that no other data changes. */
export function seedMetafields(scope: StoreScope, customerCount: number): void {
  const { database, store } = scope
  const random = createRandom(hashOf(`${store.shop} metafields`))
  const now = nowSeconds(scope)
  setCounter(scope, 'definition', firstId(store.shop))
  addDefinition(scope, { namespace: 'facts', key: 'birth_date', name: '誕生日', description: null, type: 'date' })
  for (const { namespace, key, name, description, type } of kinds)
    addDefinition(scope, { namespace, key, name, description, type })
  let id = firstId(store.shop) + customerCount
  const customers = listRows<{ id: number; created_at: number }>(database)`SELECT id, created_at FROM store_customer
    WHERE store_id = ${store.id} ORDER BY id`
  for (const customer of customers)
    for (const { namespace, key, type, share, draw } of kinds) {
      if (!random.chance(share)) continue
      id += 1
      execute(database)`INSERT INTO store_metafield VALUES (${store.id}, ${id}, 'Customer', ${customer.id},
        ${namespace}, ${key}, ${type}, ${draw(random, now, scope)}, ${customer.created_at}, ${customer.created_at})`
    }
  setCounter(scope, 'metafield', id)
}
