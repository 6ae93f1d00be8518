import { createRandom } from '../seeded-random.ts'
import { execute, findRow, listRows, transaction } from '../sql.ts'
import { sentinels } from './sentinels.ts'
import { type AccountRow, findAccount, firstProvider, type LinePlatform, madeFrom, nowMs } from './platform.ts'

/** People whom the store's customers may be. */
const people = 600
/** Messages a month; the Japanese plan "light" of 2026. */
const lightPlan = 5000

const nicknames = [
  'はな',
  'ゆい',
  'みさき',
  'さくら',
  'りん',
  'あおい',
  'けんた',
  'たくや',
  'なおき',
  'Mika',
  'Ken',
  'Yuki',
]
const greetings = ['よろしくお願いします', 'お買い物が好き', 'ねこと暮らしています', '☕️と📚', null, null]

export const userIdOf = (number: number): string => `U${madeFrom(`line user ${number}`)}`

/**
 * One official account with its Login channel, the people, the friend without a customer and the sentinels: the same at every first start. A
 * sentinel is no friend before it follows, or each campaign to everybody would fail.
 */
export function seedLine(platform: LinePlatform, shop: string): void {
  const { database } = platform
  if (findRow(database)`SELECT id FROM line_account LIMIT 1`) return
  transaction(database, () => {
    const account = openAccount(platform, 'おかえり商店')
    execute(database)`INSERT INTO line_login_channel (channel_id, channel_secret, provider, account_id, name)
      VALUES ('2000000002', ${madeFrom('login secret of another provider')}, 'another-provider', NULL,
      'べつの会社のログイン')`
    const customers = listRows<{
      id: number
      first_name: string | null
      last_name: string | null
      email: string
      locale: string
    }>(database)`SELECT c.id, first_name, last_name, email, locale FROM store_customer c
      JOIN store ON store.id = c.store_id WHERE shop = ${shop} AND email IS NOT NULL ORDER BY c.id LIMIT ${people}`
    const random = createRandom(7)
    for (let number = 0; number < people; number += 1) {
      const customer = customers[number]
      const nickname = `${random.pick(nicknames)}${random.chance(0.3) ? random.pick(['🌸', '🐈', '✨', '☀️']) : ''}`
      const ownName = customer && random.chance(0.5) ? `${customer.last_name ?? ''}${customer.first_name ?? ''}` : ''
      addUser(platform, {
        number: number + 1,
        name: ownName || nickname,
        status: random.pick(greetings),
        email: customer?.email ?? null,
        customerId: customer?.id ?? null,
      })
      const state = number % 20 === 7 ? 'blocked' : number % 25 === 11 ? 'none' : 'friend'
      if (state !== 'none') befriend(platform, account, { number: number + 1, state, daysAgo: random.below(700) })
    }
    addUser(platform, {
      number: people + 1,
      name: '通りすがりのミケ',
      status: 'ストアにはまだ登録していません',
      email: null,
      customerId: null,
    })
    befriend(platform, account, { number: people + 1, state: 'friend', daysAgo: 3 })
    for (const { id, name } of sentinels) {
      execute(database)`INSERT INTO line_user (id, number, name, language, kind)
        VALUES (${id}, ${people + 2}, ${name.ja}, 'ja', 'sentinel')`
    }
  })
}

/** An official account with a Messaging API channel, a Login channel of the same provider and a token without end. */
export function openAccount(platform: LinePlatform, name: string): AccountRow {
  const { database } = platform
  const number =
    findRow<{ next: number }>(database)`SELECT coalesce(max(id), 0) + 1 AS next FROM line_account`?.next ?? 1
  const channelId = String(2_000_000_000 + number * 100 + 1)
  execute(database)`INSERT INTO line_account (id, provider, channel_id, channel_secret, bot_user_id, basic_id, name,
    quota) VALUES (${number}, ${firstProvider}, ${channelId}, ${madeFrom(`channel secret ${number}`)},
    ${`U${madeFrom(`bot ${number}`)}`}, ${`@${madeFrom(`basic ${number}`, 3)}okaeri`}, ${name}, ${lightPlan})`
  execute(database)`INSERT INTO line_login_channel (channel_id, channel_secret, provider, account_id, name)
    VALUES (${String(2_000_000_000 + number * 100 + 2)}, ${madeFrom(`login secret ${number}`)}, ${firstProvider},
    ${number}, ${`${name} ログイン`})`
  execute(database)`INSERT INTO line_channel_token (token, number, account_id, kind)
    VALUES (${longTokenOf(number)}, ${number}, ${number}, 'long')`
  const row = findAccount(platform, number)
  if (!row) throw new Error('the account vanished')
  return row
}

const longTokenOf = (number: number): string =>
  `${madeFrom(`token ${number}`, 64)}${madeFrom(`more of token ${number}`, 64)}/x=`

function addUser(
  platform: LinePlatform,
  user: { number: number; name: string; status: string | null; email: string | null; customerId: number | null },
): void {
  execute(platform.database)`INSERT INTO line_user (id, number, name, language, status_message, email,
    store_customer_id) VALUES (${userIdOf(user.number)}, ${user.number}, ${user.name}, 'ja', ${user.status},
    ${user.email}, ${user.customerId})`
}

function befriend(
  platform: LinePlatform,
  account: AccountRow,
  { number, state, daysAgo }: { number: number; state: 'friend' | 'blocked'; daysAgo: number },
): void {
  const sinceMs = nowMs(platform) - daysAgo * 86_400_000
  insertFriend(platform, account, userIdOf(number), { state, sinceMs })
}

function insertFriend(
  { database }: LinePlatform,
  { id }: AccountRow,
  userId: string,
  { state, sinceMs }: { state: 'friend' | 'blocked'; sinceMs: number },
): void {
  execute(database)`INSERT INTO line_friendship (account_id, user_id, state, since_ms)
    VALUES (${id}, ${userId}, ${state}, ${sinceMs})`
}
