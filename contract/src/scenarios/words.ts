import type { CouponTerms } from '../coupons/coupon.ts'
import type { Locale } from '../locale.ts'
import { currencyDigits } from '../money.ts'
import { type ConditionNames, describeRule } from '../segments/condition-words.ts'
import { type Flow, type FlowNode, nextOf, type NodeOf, portsOf, type Reentry, type waitUnits } from './flow.ts'
import { reachable } from './flow-check.ts'
import { endsOnWords, eventKindWords, nodeKindWords } from './kind-words.ts'
import type { Trigger } from './trigger.ts'

/** What ids in a flow stand for. */
export interface FlowNames extends ConditionNames {
  emailName?: (id: string) => string | null | undefined
}
export interface FlowSaying {
  language: Locale
  names?: FlowNames
}

/** One thing a flow says. */
export interface FlowSentence {
  /**
   * `step`: its nodes, each of which is in one step alone. `goto`: it goes on at a step told elsewhere, or with what follows the
   * branches. `end`: nothing more comes. `unconnected`: nodes nobody comes to.
   */
  about: 'trigger' | 'condition' | 'reentry' | 'step' | 'goto' | 'end' | 'ends_on' | 'unconnected'
  /** Steps are counted through the whole, branches included; null for what is no step. */
  number: number | null
  /** What it tells of, in order; of a `goto` where it leads. */
  node_ids: readonly string[]
  text: string
  branches: readonly FlowBranch[]
}
export interface FlowBranch {
  port: string
  label: string
  sentences: readonly FlowSentence[]
}

/**
 * A flow read out: trigger, who enters, how often, the steps, what ends it early. Never throws: what is missing in a draft is said to be.
 * Every node an execution can come to is told once; where branches meet again, what follows is told after them.
 */
export function describeFlow(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
  const told = [plain('trigger', describeTrigger(flow.trigger, saying))]
  const everyone = flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0)
  if (flow.condition && !everyone) {
    const rule = describeRule(flow.condition, language, saying.names)
    told.push(
      plain('condition', ja ? `次に当てはまるお客様だけが入ります：${rule}。` : `Only for customers where ${rule}.`),
    )
  }
  told.push(plain('reentry', describeReentry(flow.reentry, language)))
  told.push(...describeSteps(flow, saying))
  if (flow.ends_on.length > 0) {
    const reasons = flow.ends_on.map((each) => endsOnWords[each][language])
    const text = ja
      ? `途中でも、${reasons.join('、または')}に終わります。`
      : `It ends early when ${reasons.length > 2 ? `${reasons.slice(0, -1).join(', ')} or ${reasons.at(-1)}` : reasons.join(' or ')}.`
    told.push(plain('ends_on', text))
  }
  return told
}

const plain = (about: FlowSentence['about'], text: string, node_ids: readonly string[] = []): FlowSentence => ({
  about,
  number: null,
  node_ids,
  text,
  branches: [],
})

/** What starts it, as a sentence. */
export function describeTrigger(trigger: Trigger, { language, names }: FlowSaying): string {
  const ja = language === 'ja'
  const segment = (id: string | null): string => {
    if (id === null) return ja ? '（未選択）' : '(none chosen yet)'
    return quoted(names?.nameOf?.('segments', id) || id, language)
  }
  const days = (count: number): string => amountOf(count, 'days', language)
  switch (trigger.kind) {
    case 'customer_created':
      return ja ? '新しいお客様が登録されると始まります。' : 'Starts when a new customer is created.'
    case 'order_created':
      return ja ? '注文が入ると始まります。' : 'Starts when an order comes in.'
    case 'order_paid':
      return ja ? '注文の支払いが済むと始まります。' : 'Starts when an order is paid.'
    case 'order_fulfilled':
      return ja ? '注文の商品が発送されると始まります。' : 'Starts when an order is fulfilled.'
    case 'order_cancelled':
      return ja ? '注文がキャンセルされると始まります。' : 'Starts when an order is cancelled.'
    case 'consent_given':
      return ja ? 'お客様がメールの受け取りに同意すると始まります。' : 'Starts when a customer agrees to receive mail.'
    case 'favorite_added':
      return ja
        ? '商品がお気に入りに登録されると始まります。'
        : 'Starts when a customer adds a product to the favorites.'
    case 'favorite_price_dropped':
      return ja
        ? 'お気に入りの商品が値下げされると始まります。'
        : 'Starts when the price of a customer’s favorite drops.'
    case 'favorite_back_in_stock':
      return ja ? 'お気に入りの商品が再入荷すると始まります。' : 'Starts when a customer’s favorite is in stock again.'
    case 'product_restocked':
      return ja
        ? '再入荷通知を申し込んだ商品が入荷すると始まります。'
        : 'Starts when a product the customer asked about is in stock again.'
    case 'cart_abandoned': {
      const after = minutesOf(trigger.after_minutes, language)
      return ja
        ? `カートに商品を入れたまま${after}購入がないと始まります。`
        : `Starts when a cart is filled and not ordered for ${after}.`
    }
    case 'checkout_abandoned': {
      const after = minutesOf(trigger.after_minutes, language)
      return ja
        ? `チェックアウトを始めたまま${after}購入がないと始まります。`
        : `Starts when a checkout is begun and not finished for ${after}.`
    }
    case 'birthday':
      if (trigger.days_before === 0)
        return ja
          ? `お客様の誕生日当日の${trigger.time}に始まります。`
          : `Starts on the customer’s birthday at ${trigger.time}.`
      return ja
        ? `お客様の誕生日の${days(trigger.days_before)}前の${trigger.time}に始まります。`
        : `Starts ${days(trigger.days_before)} before the customer’s birthday at ${trigger.time}.`
    case 'days_without_order':
      return ja
        ? `最後の注文から${days(trigger.days)}間注文がないと、${trigger.time}に始まります。`
        : `Starts at ${trigger.time} when ${days(trigger.days)} have passed since the last order.`
    case 'metafield_date': {
      const field = trigger.metafield || (ja ? '（未選択）' : '(none chosen yet)')
      const { offset_days: offset, time } = trigger
      const apart = days(Math.abs(offset))
      if (ja) {
        const when = offset === 0 ? 'の日付の当日' : offset < 0 ? `の日付の${apart}前` : `の日付の${apart}後`
        return `お客様のメタフィールド${field}${when}の${time}に始まります${trigger.every_year ? '（毎年）' : ''}。`
      }
      const when = offset === 0 ? 'On' : offset < 0 ? `${apart} before` : `${apart} after`
      return `Starts ${offset === 0 ? 'on' : when} the date in the metafield ${field} at ${time}${trigger.every_year ? ', every year' : ''}.`
    }
    case 'segment_entered':
      return ja
        ? `お客様がセグメント${segment(trigger.segment_id)}に入ると始まります。`
        : `Starts when a customer enters the segment ${segment(trigger.segment_id)}.`
    case 'segment_left':
      return ja
        ? `お客様がセグメント${segment(trigger.segment_id)}から外れると始まります。`
        : `Starts when a customer leaves the segment ${segment(trigger.segment_id)}.`
    case 'flow_action': {
      const handle = trigger.handle === '' ? (ja ? '（未設定）' : '(not set yet)') : quoted(trigger.handle, language)
      return ja
        ? `ストアのフロー機能から${handle}が呼び出されると始まります。`
        : `Starts when the store’s flow tool calls ${handle}.`
    }
    case 'manual':
      return ja
        ? `担当者が開始すると、セグメント${segment(trigger.segment_id)}のお客様全員に始まります。`
        : `Starts for everyone in the segment ${segment(trigger.segment_id)} when a person starts it.`
  }
}

export function describeReentry(reentry: Reentry, language: Locale): string {
  const ja = language === 'ja'
  switch (reentry.mode) {
    case 'once':
      return ja ? '同じお客様が入るのは1回だけです。' : 'Each customer enters only once.'
    case 'every_days': {
      const days = amountOf(reentry.days, 'days', language)
      return ja
        ? `同じお客様は、前回入ってから${days}たつと再び入れます。`
        : `Each customer can enter again ${days} after the last time.`
    }
    case 'when_none_runs':
      return ja
        ? '同じお客様も、前回の実行が終わっていれば再び入れます。'
        : 'Each customer can enter again once the last run has ended.'
    case 'always':
      return ja
        ? '同じお客様も、そのたびに入ります。前回の実行が続いていても入ります。'
        : 'Each customer enters every time, even while an earlier run goes on.'
  }
}

/** What a node is called: the merchant's name for it, or what it does. */
export const nodeTitle = (node: FlowNode, language: Locale): string =>
  node.name || nodeKindWords[node.kind][language === 'ja' ? 'name_ja' : 'name_en']

/** The settings of a node in a few words, as below its name on a card; empty where there are none. */
export function summarizeNode(node: FlowNode, saying: FlowSaying): string {
  const { language, names } = saying
  const ja = language === 'ja'
  switch (node.kind) {
    case 'send_email': {
      const { email_id } = node.settings
      if (email_id === null) return ja ? 'メールが未選択です' : 'No email chosen'
      return names?.emailName?.(email_id) || (ja ? '選んだメール' : 'The chosen email')
    }
    case 'send_line':
      return ja ? 'LINEは未連携です' : 'LINE is not connected'
    case 'wait':
      return waitText(node.settings.wait, language)
    case 'wait_for_event': {
      const event = eventKindWords[node.settings.event][language]
      const limit = amountOf(node.settings.amount, node.settings.unit, language)
      return ja ? `${event}（最長${limit}）` : `${event.charAt(0).toUpperCase()}${event.slice(1)}, up to ${limit}`
    }
    case 'branch':
      return node.settings.condition
        ? describeRule(node.settings.condition, language, names)
        : ja
          ? '条件が未設定です'
          : 'No condition set'
    case 'random_split':
      return node.settings.shares.map((share, at) => `${'ABCDE'.charAt(at)} ${share}%`).join(ja ? '・' : ' · ')
    case 'issue_coupon':
      return couponText(node.settings.coupon, saying)
    case 'tag_customer': {
      const tags = [...node.settings.add.map((tag) => `＋${tag}`), ...node.settings.remove.map((tag) => `−${tag}`)]
      return tags.join(' ') || (ja ? 'タグが未入力です' : 'No tags given')
    }
    case 'add_note':
      return node.settings.text.trim() || (ja ? 'メモが未入力です' : 'No text given')
    case 'call_webhook':
      return node.settings.url.trim() || (ja ? 'URLが未入力です' : 'No URL given')
    case 'end':
      return ''
  }
}

type Duration = { amount: number; unit: (typeof waitUnits)[number] }
const unitsEn = { minutes: 'minute', hours: 'hour', days: 'day' } as const
const unitsJa = { minutes: '分', hours: '時間', days: '日' } as const

const languageTag = (language: Locale): string => (language === 'ja' ? 'ja-JP' : 'en-US')
const quoted = (text: string, language: Locale): string => (language === 'ja' ? `「${text}」` : `“${text}”`)

/** 3日, 3 days. */
export function amountOf(amount: number, unit: Duration['unit'], language: Locale): string {
  const number = new Intl.NumberFormat(languageTag(language)).format(amount)
  if (language === 'ja') return `${number}${unitsJa[unit]}`
  return `${number} ${unitsEn[unit]}${amount === 1 ? '' : 's'}`
}
/** In the largest unit that says it exactly. */
function minutesOf(minutes: number, language: Locale): string {
  if (minutes > 0 && minutes % 1440 === 0) return amountOf(minutes / 1440, 'days', language)
  if (minutes > 0 && minutes % 60 === 0) return amountOf(minutes / 60, 'hours', language)
  return amountOf(minutes, 'minutes', language)
}

type WaitSettings = NodeOf<'wait'>['settings']['wait']
/** 2024-01-01 was a Monday. */
const weekdayName = (day: number, language: Locale): string =>
  new Intl.DateTimeFormat(languageTag(language), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

function untilText(wait: Exclude<WaitSettings, { mode: 'for' }>, language: Locale): string {
  const ja = language === 'ja'
  if (wait.mode === 'until_time') return ja ? `次の${wait.time}まで` : `until the next ${wait.time}`
  const days = [...wait.weekdays].sort((a, b) => a - b).map((day) => weekdayName(day, language))
  return ja
    ? `次の${days.join('・')}の${wait.time}まで`
    : `until the next ${days.length > 2 ? `${days.slice(0, -1).join(', ')} or ${days.at(-1)}` : days.join(' or ')} at ${wait.time}`
}
function waitText(wait: WaitSettings, language: Locale): string {
  if (wait.mode === 'for') return amountOf(wait.amount, wait.unit, language)
  const text = untilText(wait, language)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function couponText({ ratio_percent, valid_days, minimum, applies_to }: CouponTerms, saying: FlowSaying): string {
  const { language } = saying
  const ja = language === 'ja'
  const number = (of: number): string => new Intl.NumberFormat(languageTag(language)).format(of)
  const days = amountOf(valid_days, 'days', language)
  const parts = [ja ? `${ratio_percent}%オフ` : `${ratio_percent}% off`, ja ? `${days}間有効` : `valid for ${days}`]
  if (minimum.kind === 'subtotal') {
    const money = moneyText(minimum.amount, saying)
    parts.push(ja ? `${money}以上の購入` : `from ${money}`)
  } else if (minimum.kind === 'quantity')
    parts.push(
      ja
        ? `${number(minimum.quantity)}点以上の購入`
        : `from ${number(minimum.quantity)} item${minimum.quantity === 1 ? '' : 's'}`,
    )
  if (applies_to.kind === 'collections')
    parts.push(
      ja
        ? `コレクション${number(applies_to.ids.length)}件が対象`
        : `${number(applies_to.ids.length)} collection${applies_to.ids.length === 1 ? '' : 's'}`,
    )
  if (applies_to.kind === 'products')
    parts.push(
      ja
        ? `商品${number(applies_to.ids.length)}点が対象`
        : `${number(applies_to.ids.length)} product${applies_to.ids.length === 1 ? '' : 's'}`,
    )
  return parts.join(ja ? '・' : ', ')
}

function moneyText(amount: number, { language, names }: FlowSaying): string {
  const currency = names?.currency ?? 'JPY'
  try {
    const format = new Intl.NumberFormat(languageTag(language), { style: 'currency', currency })
    return format.format(amount / 10 ** currencyDigits(currency))
  } catch (error) {
    // A currency nobody knows is shown as it is written.
    if (error instanceof RangeError) return `${amount} ${currency}`
    throw error
  }
}

// The steps.

/** One node as a part of a sentence: `mid` where another part follows (送り、 … / sends …, then), `end` where none does. */
interface Clause {
  mid: string
  end: string
}
const NOTE_SHOWN = 40
const short = (text: string): string =>
  [...text].length > NOTE_SHOWN ? `${[...text].slice(0, NOTE_SHOWN).join('')}…` : text

function clauseOf(node: FlowNode, saying: FlowSaying): Clause {
  const { language, names } = saying
  const ja = language === 'ja'
  const same = (text: string): Clause => ({ mid: text, end: text })
  const doing = (what: string, mid: string, end: string): Clause => ({ mid: `${what}${mid}`, end: `${what}${end}` })
  switch (node.kind) {
    case 'send_email': {
      const { email_id } = node.settings
      const name = email_id === null ? null : names?.emailName?.(email_id)
      if (ja) {
        const what = email_id === null ? 'メール（未選択）' : name ? `メール${quoted(name, language)}` : '選んだメール'
        return doing(`${what}を`, '送り', '送ります')
      }
      if (email_id === null) return same('sends an email (none chosen yet)')
      return same(name ? `sends the email ${quoted(name, language)}` : 'sends the chosen email')
    }
    case 'send_line':
      return ja ? doing('LINEメッセージを', '送り', '送ります') : same('sends a LINE message')
    case 'wait': {
      const { wait } = node.settings
      if (wait.mode === 'for') {
        const text = amountOf(wait.amount, wait.unit, language)
        return ja ? doing(text, '待ち', '待ちます') : same(`waits ${text}`)
      }
      const until = untilText(wait, language)
      return ja ? doing(until, '待ち', '待ちます') : same(`waits ${until}`)
    }
    case 'wait_for_event': {
      const event = quoted(eventKindWords[node.settings.event][language], language)
      const limit = amountOf(node.settings.amount, node.settings.unit, language)
      return ja ? doing(`${event}を最長${limit}`, '待ち', '待ちます') : same(`waits up to ${limit} for ${event}`)
    }
    case 'branch': {
      const { condition } = node.settings
      if (!condition)
        return ja
          ? doing('条件（未設定）に当てはまるかどうかで', '分かれ', '分かれます')
          : same('goes on by a condition (not set yet)')
      const rule = describeRule(condition, language, names)
      return ja ? doing(`${rule}かどうかで`, '分かれ', '分かれます') : same(`goes on by whether ${rule}`)
    }
    case 'random_split': {
      const ways = node.settings.shares.length
      return ja
        ? doing(`お客様をランダムに${ways}つに`, '分け', '分けます')
        : same(`divides customers at random into ${ways} groups`)
    }
    case 'issue_coupon': {
      const terms = couponText(node.settings.coupon, saying)
      return ja ? doing(`クーポン（${terms}）を`, '発行し', '発行します') : same(`issues a coupon (${terms})`)
    }
    case 'tag_customer': {
      const { add, remove } = node.settings
      const list = (tags: readonly string[]) => tags.map((tag) => quoted(tag, language)).join(ja ? '' : ', ')
      if (add.length + remove.length === 0)
        return ja ? doing('タグ（未入力）を', '付け', '付けます') : same('tags the customer (no tags given yet)')
      if (ja) {
        if (remove.length === 0) return doing(`タグ${list(add)}を`, '付け', '付けます')
        const before = add.length > 0 ? `タグ${list(add)}を付け、` : ''
        return doing(`${before}タグ${list(remove)}を`, '外し', '外します')
      }
      const parts = [
        ...(add.length > 0 ? [`adds the tag${add.length > 1 ? 's' : ''} ${list(add)}`] : []),
        ...(remove.length > 0 ? [`removes the tag${remove.length > 1 ? 's' : ''} ${list(remove)}`] : []),
      ]
      return same(parts.join(' and '))
    }
    case 'add_note': {
      const text = node.settings.text.trim()
      if (text === '') return ja ? doing('メモ（未入力）を', '残し', '残します') : same('adds a note (no text yet)')
      const note = quoted(short(text.replace(/\s+/g, ' ')), language)
      return ja ? doing(`メモ${note}を`, '残し', '残します') : same(`adds the note ${note}`)
    }
    case 'call_webhook': {
      const host = URL.parse(node.settings.url.trim())?.host
      if (ja) return doing(host ? `Webhook（${host}）を` : 'Webhook（未設定）を', '呼び出し', '呼び出します')
      return same(host ? `calls the webhook at ${host}` : 'calls a webhook (no URL yet)')
    }
    case 'end':
      return ja ? doing('シナリオを', '終わり', '終わります') : same('ends the scenario')
  }
}

/** Several nodes as one sentence. */
function sentenceOf(nodes: readonly FlowNode[], lead: string, saying: FlowSaying): string {
  const { language } = saying
  const clauses = nodes.map((node) => clauseOf(node, saying))
  if (language === 'ja') {
    const said = clauses.map(({ mid, end }, at) => {
      if (at === clauses.length - 1) return `${end}。`
      const [node, next] = [nodes[at], nodes[at + 1]]
      // 「3日待ち、次の10:00まで待ち」 reads as one wait; it is two, one after the other.
      if (node?.kind === 'wait' && node.settings.wait.mode === 'for' && next?.kind === 'wait')
        return `${waitText(node.settings.wait, language)}たってから、`
      return `${mid}、`
    })
    return `${lead}${said.join('')}`
  }
  const said = clauses.map(({ end }, at) => (at > 0 && nodes[at]?.kind === 'wait' ? end.replace(/^waits /, '') : end))
  const text = said.join(', then ')
  return `${lead}${lead ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`
}

function labelOf(node: FlowNode, port: string, language: Locale): string {
  const ja = language === 'ja'
  if (port === 'yes') return ja ? '当てはまる場合' : 'If so'
  if (port === 'no') return ja ? '当てはまらない場合' : 'If not'
  if (port === 'happened') return ja ? '起きた場合' : 'If it happens'
  if (node.kind === 'wait_for_event') {
    const limit = amountOf(node.settings.amount, node.settings.unit, language)
    return ja ? `${limit}たっても起きない場合` : `If it does not happen within ${limit}`
  }
  const letter = port.toUpperCase()
  const share = node.kind === 'random_split' ? node.settings.shares['ABCDE'.indexOf(letter)] : undefined
  if (share === undefined) return letter
  return ja ? `${letter}（${share}%）` : `${letter} (${share}%)`
}

function describeSteps(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
  const byId = new Map<string, FlowNode>()
  for (const node of flow.nodes) if (!byId.has(node.id)) byId.set(node.id, node)
  const known = (id: string | null): string | null => (id !== null && byId.has(id) ? id : null)
  const reached = reachable(flow, byId)
  const waysIn = new Map<string, number>()
  const countWay = (id: string | null): void => {
    if (id !== null) waysIn.set(id, (waysIn.get(id) ?? 0) + 1)
  }
  countWay(known(flow.start))
  for (const id of reached) {
    const node = byId.get(id)
    if (node) for (const port of portsOf(node)) countWay(known(nextOf(node, port)))
  }
  const meeting = meetingPoints(reached, byId)
  const numbers = new Map<string, number>()
  let count = 0

  /** From a node on, up to where the branches around it meet. */
  const write = (from: string | null, until: string | null, lead: string): FlowSentence[] => {
    const told: FlowSentence[] = []
    let at = from
    let said = lead
    while (at !== null && at !== until) {
      const number = numbers.get(at)
      if (number !== undefined) {
        told.push(plain('goto', ja ? `${number}に進みます。` : `Goes on at ${number}.`, [at]))
        return told
      }
      const chain: FlowNode[] = []
      let last: FlowNode | undefined
      for (let next: string | null = at; next !== null; ) {
        const node = byId.get(next)
        const joins = chain.length === 0 || (waysIn.get(next) === 1 && next !== until && node?.kind !== 'end')
        if (!node || !joins || numbers.has(next)) break
        chain.push(node)
        numbers.set(node.id, count + 1)
        last = node
        if (node.kind !== 'wait') break
        next = known(node.next.next)
      }
      if (!last) break
      count += 1
      const sentence = {
        about: 'step' as const,
        number: count,
        node_ids: chain.map(({ id }) => id),
        text: sentenceOf(chain, said, saying),
      }
      const ports = portsOf(last)
      if (ports.length < 2) {
        told.push({ ...sentence, branches: [] })
        const [port] = ports
        at = port === undefined ? null : known(nextOf(last, port))
        said = ''
        continue
      }
      const meet = meeting.get(last.id) ?? null
      // Where the branches around this one meet as well, they all go on there.
      const inner = meet !== null && !numbers.has(meet) ? meet : until
      const fork = last
      const branches = ports.map((port): FlowBranch => {
        const target = known(nextOf(fork, port))
        const sentences = write(target, inner, '')
        if (sentences.length === 0) {
          if (target === null) sentences.push(plain('end', ja ? 'ここで終わります。' : 'Ends here.'))
          else sentences.push(plain('goto', ja ? 'そのまま次へ進みます。' : 'Goes straight on.', [target]))
        }
        return { port, label: labelOf(fork, port, language), sentences }
      })
      told.push({ ...sentence, branches })
      at = inner === until ? null : inner
      said = ja ? 'いずれの場合も、その後、' : 'In every case, it then '
    }
    return told
  }

  const told = write(known(flow.start), null, '')
  if (told.length === 0) told.push(plain('end', ja ? 'まだ何もしません。' : 'It does nothing yet.'))
  const lost = flow.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id)
  if (lost.length > 0) {
    const text = ja
      ? `つながっていないステップが${lost.length}個あります。実行されません。`
      : lost.length === 1
        ? '1 step is not connected and never runs.'
        : `${lost.length} steps are not connected and never run.`
    told.push(plain('unconnected', text, lost))
  }
  return told
}

/**
 * For every node with several ways out, the first node all of them come to whatever happens; absent where one of them ends before, or
 * goes around for ever. (Immediate post-dominators; sets of nodes as bits.)
 */
function meetingPoints(reached: ReadonlySet<string>, byId: ReadonlyMap<string, FlowNode>): Map<string, string> {
  const order = [...reached].reverse()
  const bit = new Map(order.map((id, at) => [id, 1n << BigInt(at)]))
  const targets = new Map<string, (string | null)[]>()
  for (const id of order) {
    const node = byId.get(id)
    const ports = node ? portsOf(node).map((port) => nextOf(node, port)) : []
    targets.set(
      id,
      ports.length === 0 ? [null] : ports.map((target) => (target !== null && bit.has(target) ? target : null)),
    )
  }
  const every = (1n << BigInt(order.length)) - 1n
  const certain = new Map<string, bigint>(order.map((id) => [id, every]))
  const ends = new Set<string>()
  for (let changed = true; changed; ) {
    changed = false
    for (const id of order) {
      const next = targets.get(id) ?? []
      if (!ends.has(id) && next.some((target) => target === null || ends.has(target))) {
        ends.add(id)
        changed = true
      }
      let ahead = every
      for (const target of next) ahead &= target === null ? 0n : (certain.get(target) ?? 0n)
      const now = ahead | (bit.get(id) ?? 0n)
      if (now !== certain.get(id)) {
        certain.set(id, now)
        changed = true
      }
    }
  }
  const meeting = new Map<string, string>()
  for (const id of order) {
    const next = targets.get(id) ?? []
    if (next.length < 2 || !next.every((target) => target !== null && ends.has(target))) continue
    const ahead = (certain.get(id) ?? 0n) & ~(bit.get(id) ?? 0n)
    // The nearest is certain of exactly the same nodes ahead.
    const nearest = order.find((each) => ((bit.get(each) ?? 0n) & ahead) !== 0n && certain.get(each) === ahead)
    if (nearest) meeting.set(id, nearest)
  }
  return meeting
}
