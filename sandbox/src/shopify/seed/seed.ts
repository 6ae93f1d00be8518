import { firstId, hashOf, nowSeconds, type SeedSize, type StoreScope, setCounter } from '../platform.ts'
import { giveLocations, listLocations, writeLevel } from '../goods/levels.ts'
import { createProduct, findProductByHandle, insertProduct, insertVariant } from '../goods/products.ts'
import { listVariants } from '../goods/variants.ts'
import {
  collectionNames,
  customerTags,
  familyNames,
  flavours,
  foreignNames,
  foreignPlaces,
  givenNames,
  goods,
  japanesePlaces,
} from './seed-words.ts'
import { createRandom } from '../../seeded-random.ts'
import { seedMetafields } from './seed-metafields.ts'
import { execute } from '../../sql.ts'

const day = 86_400

type Random = ReturnType<typeof createRandom>

interface SeededVariant {
  id: number
  productId: number
  title: string
  variantTitle: string
  sku: string
  price: number
}
interface SeededCustomer {
  id: number
  email: string | null
  locale: string
  createdAt: number
  updatedAt: number
  orders: number
  spent: number
  lastOrder: number | null
  lastOrderAt: number
}

/** Fills a new store. Runs inside the transaction that creates it. */
export function seedStore(scope: StoreScope, size: SeedSize): void {
  const random = createRandom(hashOf(scope.store.shop))
  const now = nowSeconds(scope)
  const variants = seedProducts(scope, size.products, random, now)
  if (size.products >= SHOWN_FROM) addShownProducts(scope, now)
  const customers = drawCustomers(scope, size.customers, random, now)
  seedOrders(scope, size.orders, { random, now, variants, customers: customers.map(({ seeded }) => seeded) })
  for (const { insert } of customers) insert()
  seedCheckouts(
    scope,
    customers.map(({ seeded }) => seeded),
    variants,
    now,
  )
  const base = firstId(scope.store.shop)
  setCounter(scope, 'customer', base + size.customers)
  setCounter(scope, 'address', base + size.customers)
  seedMetafields(scope, size.customers)
}

/** Smaller stores are made for tests that count. */
const SHOWN_FROM = 100

/** Products whose pages show every case: options, some sold out; all sold out; backorder; low stock. */
function addShownProducts(scope: StoreScope, now: number): void {
  const shirt = ['生成り', '藍', '墨'].flatMap((color, row) =>
    ['S', 'M', 'L'].map((size, column) => ({
      values: [color, size],
      price: 8800 + column * 300,
      compareAtPrice: color === '墨' ? 11_000 : null,
      available: (row + column) % 4 === 2 ? 0 : 2 + row * 7 + column * 3,
    })),
  )
  const shown = [
    {
      title: '二重ガーゼのコットンシャツ',
      handle: 'double-gauze-shirt',
      description: '洗うほどにやわらかくなる、二重ガーゼのシャツです。一年を通して着られます。',
      productType: '衣服',
      options: ['色', 'サイズ'],
      variants: shirt,
      collection: 8,
    },
    {
      title: '限定 夫婦湯のみ 藍',
      handle: 'limited-pair-yunomi-indigo',
      description: '年に一度だけ窯から出る、二つで一組の湯のみです。',
      productType: 'うつわ',
      variants: [{ price: 7200, available: 0 }],
      collection: 1,
    },
    {
      title: 'ごはん土鍋 墨（予約）',
      handle: 'rice-donabe-preorder',
      description: '三合炊きの土鍋です。ご予約の順に、焼き上がりしだい発送します。',
      productType: 'うつわ',
      variants: [{ price: 13_200, available: 0, policy: 'CONTINUE' as const }],
      collection: 1,
    },
    {
      title: '檜の入浴剤 詰め合わせ',
      handle: 'hinoki-bath-salts-set',
      description: '檜の香りの入浴剤を六つ、木箱に詰めました。',
      productType: 'バスとスキンケア',
      variants: [{ price: 3200, compareAtPrice: 4000, available: 2 }],
      collection: 5,
    },
  ]
  const base = firstId(scope.store.shop)
  for (const { collection, ...product } of shown) {
    const { id } = createProduct(scope, product)
    execute(scope.database)`INSERT INTO store_collection_product
      VALUES (${scope.store.id}, ${base + collection + 1}, ${id})`
    execute(scope.database)`UPDATE store_product SET created_at = ${now - 20 * day}, updated_at = ${now - 2 * day}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
  }
  const limited = findProductByHandle(scope, 'limited-pair-yunomi-indigo')
  const aside = listLocations(scope).at(-1)
  for (const { inventory_item_id: item } of limited && aside ? listVariants(scope, limited.id) : [])
    if (aside) writeLevel(scope, item, aside.id, 3)
}

function seedProducts(scope: StoreScope, count: number, random: Random, now: number): SeededVariant[] {
  const { database, store } = scope
  const base = firstId(store.shop)
  const variants: SeededVariant[] = []
  for (const [index, [title, handle]] of collectionNames.entries()) {
    execute(database)`INSERT INTO store_collection VALUES (${store.id}, ${base + index + 1}, ${title}, ${handle},
      ${now - 500 * day})`
  }
  let variantId = base
  for (let index = 0; index < count; index += 1) {
    const id = base + index + 1
    const [name, romaji, collection, price] = goods[index % goods.length] ?? random.pick(goods)
    const [flavour, flavourRomaji] =
      flavours[Math.floor(index / goods.length) % flavours.length] ?? random.pick(flavours)
    const round = Math.floor(index / (goods.length * flavours.length))
    const suffix = round === 0 ? '' : ` ${round + 1}`
    const title = `${name} ${flavour}${suffix}`
    const createdAt = now - (560 + random.below(200)) * day
    const updatedAt = now - random.below(120 * day)
    insertProduct(scope, {
      id,
      title,
      handle: `${romaji}-${flavourRomaji}${suffix.trim() === '' ? '' : `-${suffix.trim()}`}`,
      status: random.chance(0.03) ? 'DRAFT' : 'ACTIVE',
      vendor: random.pick(['おかえり工房', '山の台所', '海辺製作所']),
      product_type: collectionNames[collection]?.[0] ?? '',
      tags: JSON.stringify(random.chance(0.3) ? ['定番'] : random.chance(0.3) ? ['季節限定', 'new'] : []),
      description: `毎日の暮らしに寄りそう${name}。${flavour}の風合いを楽しめます。`,
      created_at: createdAt,
      updated_at: updatedAt,
      options: '[]',
    })
    execute(database)`INSERT INTO store_collection_product VALUES (${store.id}, ${base + collection + 1}, ${id})`
    if (random.chance(0.2))
      execute(database)`INSERT OR IGNORE INTO store_collection_product
        VALUES (${store.id}, ${base + collectionNames.length}, ${id})`
    const sizes = random.pick([['Default Title'], ['小', '大'], ['S', 'M', 'L']])
    for (const [position, variantTitle] of sizes.entries()) {
      variantId += 1
      const variant: SeededVariant = {
        id: variantId,
        productId: id,
        title,
        variantTitle,
        sku: `OK-${String(index + 1).padStart(4, '0')}-${position + 1}`,
        price: price + position * Math.round(price / 400) * 100,
      }
      variants.push(variant)
      insertVariant(scope, {
        id: variant.id,
        product_id: id,
        position: position + 1,
        title: variantTitle,
        sku: variant.sku,
        price: variant.price,
        inventory_item_id: variant.id,
        inventory_quantity: random.chance(0.08) ? 0 : 1 + random.below(120),
        inventory_policy: isOrderedAhead(index) ? 'CONTINUE' : 'DENY',
        created_at: createdAt,
        updated_at: updatedAt,
        compare_at_price: isOnSale(index) ? Math.round((variant.price * 1.25) / 10) * 10 : null,
        option_values: '[]',
        online_quantity: 0,
      })
    }
  }
  setCounter(scope, 'collection', base + collectionNames.length)
  setCounter(scope, 'product', base + count)
  setCounter(scope, 'variant', variantId)
  giveLocations(scope)
  return variants
}

/** Customers are written after the orders, once, with the sums the orders gave them. */
function drawCustomers(scope: StoreScope, count: number, random: Random, now: number) {
  const { database, store } = scope
  const base = firstId(store.shop)
  const drawn: { seeded: SeededCustomer; insert: () => void }[] = []
  for (let index = 0; index < count; index += 1) {
    const person = drawPerson(random, index)
    const createdAt = now - 3 * day - random.below(720 * day)
    const share = random.next()
    const state = share < 0.15 ? 'NOT_SUBSCRIBED' : share < 0.23 ? 'UNSUBSCRIBED' : 'SUBSCRIBED'
    // The last customer has the first one's address in other letters, as imports from elsewhere leave behind.
    const email =
      index === count - 1 && count > 1
        ? (drawn[0]?.seeded.email ?? null)?.replace(/^./, (letter) => letter.toUpperCase())
        : index > 0 && random.chance(0.03)
          ? null
          : person.email
    const emailState = email ? state : 'NOT_SUBSCRIBED'
    const seeded: SeededCustomer = {
      id: base + index + 1,
      email: email ?? null,
      locale: person.locale,
      createdAt,
      updatedAt: createdAt,
      orders: 0,
      spent: 0,
      lastOrder: null,
      lastOrderAt: 0,
    }
    const tags = customerTags.filter((_, position) => random.chance(position === 1 ? 0.35 : 0.07))
    const note = random.chance(0.05) ? '配達は夕方以降を希望' : null
    const enabled = random.chance(0.4)
    const textMessages = random.chance(0.2)
    const confirmed = random.chance(0.3)
    const birthday = random.chance(0.6)
      ? new Date(Date.UTC(1950 + random.below(56), random.below(12), 1 + random.below(28))).toISOString().slice(0, 10)
      : null
    const insert = () => {
      execute(database)`INSERT INTO store_customer VALUES (${store.id}, ${seeded.id}, ${person.firstName},
        ${person.lastName}, ${seeded.email}, ${person.phone}, ${person.locale}, ${note},
        ${enabled ? 'ENABLED' : 'DISABLED'}, ${JSON.stringify(tags)}, ${emailState},
        ${emailState === 'SUBSCRIBED' ? (confirmed ? 'CONFIRMED_OPT_IN' : 'SINGLE_OPT_IN') : null},
        ${emailState === 'NOT_SUBSCRIBED' ? null : createdAt}, ${textMessages ? 'SUBSCRIBED' : 'NOT_SUBSCRIBED'},
        ${JSON.stringify({ id: seeded.id, ...person.address })}, ${seeded.orders}, ${seeded.spent},
        ${seeded.lastOrder}, ${createdAt}, ${Math.max(createdAt, seeded.updatedAt)})`
      if (birthday !== null)
        execute(database)`INSERT INTO store_metafield VALUES (${store.id}, ${seeded.id}, 'Customer', ${seeded.id},
          'facts', 'birth_date', 'date', ${birthday}, ${createdAt}, ${createdAt})`
    }
    drawn.push({ seeded, insert })
  }
  setCounter(scope, 'metafield', base + count)
  return drawn
}

function drawPerson(random: Random, index: number) {
  const japanese = random.chance(0.8)
  const domain = random.pick(['example.jp', 'example.jp', 'example.com', 'mail.test', 'post.test'])
  if (!japanese) {
    const [firstName, lastName] = random.pick(foreignNames)
    const plain = `${firstName}.${lastName}`.normalize('NFD').replaceAll(/[^A-Za-z.]/g, '')
    const locale = random.chance(0.85) ? 'en' : 'ja'
    if (random.chance(0.6)) {
      const [country, countryCode, province, provinceCode, city, zip, street, dial] = random.pick(foreignPlaces)
      const phone = `${dial}${String(1000 + random.below(9000)).slice(0, Math.max(0, 12 - dial.length))}`
      const address1 = `${1 + random.below(300)} ${street}`
      const address = {
        firstName,
        lastName,
        address1,
        address2: null,
        city,
        zip,
        province,
        provinceCode,
        country,
        countryCode,
      }
      return {
        firstName,
        lastName,
        email: `${plain}${index}@${domain}`.toLowerCase(),
        locale,
        phone,
        address: { ...address, company: null, phone },
      }
    }
    return {
      firstName,
      lastName,
      email: `${plain}${index}@${domain}`.toLowerCase(),
      locale,
      ...japanesePlace(random, firstName, lastName),
    }
  }
  const [lastName, familyRomaji] = random.pick(familyNames)
  const [firstName, givenRomaji] = random.pick(givenNames)
  const email = `${random.pick([`${familyRomaji}.${givenRomaji}`, `${givenRomaji}_${familyRomaji}`, `${givenRomaji}${familyRomaji[0] ?? ''}`])}${index}@${domain}`
  return { firstName, lastName, email, locale: 'ja', ...japanesePlace(random, firstName, lastName) }
}

function japanesePlace(random: Random, firstName: string, lastName: string) {
  const [province, provinceCode, city, zip, block] = random.pick(japanesePlaces)
  const phone = random.chance(0.7)
    ? `+81${random.pick(['70', '80', '90'])}${10_000_000 + random.below(89_999_999)}`
    : null
  const address1 = `${block}${1 + random.below(5)}-${1 + random.below(20)}-${1 + random.below(15)}`
  const address2 = random.chance(0.4)
    ? `${random.pick(['コーポ桜', 'メゾン青葉', 'グリーンハイツ'])}${101 + random.below(8) * 100}`
    : null
  const address = { firstName, lastName, address1, address2, city, zip, province, provinceCode, company: null, phone }
  return { phone, address: { ...address, country: 'Japan', countryCode: 'JP' } }
}

/** Not drawn either, so that what is drawn stays as it was. */
const isOnSale = (index: number): boolean => index % 9 === 4
const isOrderedAhead = (index: number): boolean => index % 23 === 11

/** Not drawn at random, so that people and orders stay the same as before there were tags. */
const orderTags = (index: number): string[] => [
  ...(index % 12 === 5 ? ['ギフト'] : []),
  ...(index % 25 === 7 ? ['予約'] : []),
]

/** Carts that were left: some people began and did not finish. A sequence of its own, for the same reason. */
function seedCheckouts(scope: StoreScope, customers: SeededCustomer[], variants: SeededVariant[], now: number): void {
  const random = createRandom(hashOf(`${scope.store.shop} checkouts`))
  const base = firstId(scope.store.shop)
  const reachable = customers.filter(({ email }) => email !== null)
  const count = reachable.length === 0 || variants.length === 0 ? 0 : Math.ceil(customers.length / 50)
  for (let index = 0; index < count; index += 1) {
    const customer = random.pick(reachable)
    const at = now - 3600 - random.below(60 * day)
    const items = Array.from({ length: random.pick([1, 1, 2]) }, () => ({
      variantId: random.pick(variants).id,
      quantity: random.pick([1, 1, 2]),
    }))
    execute(scope.database)`INSERT INTO store_checkout VALUES (${scope.store.id}, ${base + index + 1},
      ${`seed${(base + index).toString(36)}`}, ${`cart${(base + index).toString(36)}`}, ${customer.id},
      ${customer.email}, ${JSON.stringify(items)}, '/', NULL, ${at}, ${at}, NULL)`
  }
  setCounter(scope, 'checkout', base + count)
}

interface OrderSeed {
  random: Random
  now: number
  variants: SeededVariant[]
  customers: SeededCustomer[]
}

function seedOrders(scope: StoreScope, count: number, { random, now, variants, customers }: OrderSeed): void {
  const { database, store } = scope
  const base = firstId(store.shop)
  const starts = now - 548 * day
  const placed = Array.from({ length: count }, () => {
    // Squaring makes a few regulars and many who bought once or never.
    const guest = customers.length === 0 || random.chance(0.06)
    const customer = guest ? undefined : customers[Math.floor(random.next() ** 1.35 * customers.length)]
    const earliest = Math.max(starts, customer?.createdAt ?? starts)
    return { customer, at: earliest + random.below(Math.max(1, now - earliest)) }
  }).toSorted((one, other) => one.at - other.at)
  let itemId = base
  let refundId = base
  for (const [index, { customer, at }] of placed.entries()) {
    const id = base + index + 1
    const lines = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () => ({
      variant: random.pick(variants),
      quantity: random.pick([1, 1, 1, 2, 3]),
    }))
    const total = lines.reduce((sum, line) => sum + line.variant.price * line.quantity, 0)
    const fate = random.next()
    const cancelled = fate < 0.03
    const refunded = fate >= 0.03 && fate < 0.055
    const partly = fate >= 0.055 && fate < 0.075
    const current = cancelled || refunded ? 0 : partly ? total - (lines[0]?.variant.price ?? 0) : total
    const changedAt = cancelled || refunded || partly ? Math.min(now, at + random.below(5 * day)) : at
    const campaign = random.chance(0.25)
    const payment = cancelled
      ? 'VOIDED'
      : refunded
        ? 'REFUNDED'
        : partly
          ? 'PARTIALLY_REFUNDED'
          : now - at < 2 * day && random.chance(0.3)
            ? 'PENDING'
            : 'PAID'
    execute(database)`INSERT INTO store_order VALUES (${store.id}, ${id}, ${1001 + index}, ${`#${1001 + index}`},
      ${customer?.id ?? null}, ${customer ? customer.email : `guest${index}@example.com`}, ${`seed${id.toString(36)}`},
      ${total}, ${current}, ${payment}, ${cancelled || now - at <= 4 * day ? 'UNFULFILLED' : 'FULFILLED'},
      ${cancelled ? random.pick(['CUSTOMER', 'INVENTORY', 'OTHER']) : null},
      ${JSON.stringify(random.chance(0.06) ? ['WELCOME10'] : [])},
      ${campaign ? '/?utm_source=newsletter&utm_medium=email&utm_campaign=seasonal' : '/'},
      ${campaign ? null : random.chance(0.4) ? 'https://search.example.com/' : null}, ${customer?.locale ?? 'ja'},
      ${at}, ${cancelled ? changedAt : null}, ${at}, ${changedAt}, ${JSON.stringify(orderTags(index))}, NULL, NULL)`
    for (const { variant, quantity } of lines) {
      itemId += 1
      execute(database)`INSERT INTO store_order_item VALUES (${store.id}, ${itemId}, ${id}, ${variant.productId},
        ${variant.id}, ${variant.title}, ${variant.variantTitle === 'Default Title' ? null : variant.variantTitle},
        ${variant.sku}, ${quantity}, ${cancelled || refunded ? 0 : quantity}, ${variant.price})`
    }
    if (refunded || partly) {
      refundId += 1
      execute(database)`INSERT INTO store_refund VALUES (${store.id}, ${refundId}, ${id}, ${total - current}, NULL,
        ${changedAt})`
    }
    if (customer) {
      customer.spent += current
      if (!cancelled) customer.orders += 1
      customer.updatedAt = Math.max(customer.updatedAt, changedAt)
      if (at >= customer.lastOrderAt) {
        customer.lastOrderAt = at
        customer.lastOrder = id
      }
    }
  }
  setCounter(scope, 'order', base + count)
  setCounter(scope, 'number', 1000 + count)
  setCounter(scope, 'item', itemId)
  setCounter(scope, 'refund', refundId)
}
