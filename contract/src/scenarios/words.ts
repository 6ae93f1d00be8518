import type { Locale } from '../locale.ts'
import { describeRule } from '../segments/condition-words.ts'
import type { FlowNode, Reentry } from './flow.ts'
import { eventKindWords, nodeKindWords } from './kind-words.ts'
import { amountOf, couponText, type FlowSaying, minutesOf, quoted, waitText } from './phrases.ts'
import type { Trigger } from './trigger.ts'

const ordinalEnds: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
/** 2nd, 11th, 23rd. */
const ordinal = (n: number): string => `${n}${ordinalEnds[ordinals.select(n)] ?? 'th'}`
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** What starts it, as a sentence. */
export function describeTrigger(trigger: Trigger, { language, names }: FlowSaying): string {
  const ja = language === 'ja'
  const segment = (id: string | null): string => {
    if (id === null) return ja ? '（未選択）' : '(not selected)'
    return quoted(names?.nameOf?.('segments', id) || id, language)
  }
  const days = (count: number): string => amountOf(count, 'days', language)
  switch (trigger.kind) {
    case 'customer_created':
      return ja ? '新しい顧客が登録されると始まります。' : 'Starts when a new customer is created.'
    case 'order_created':
      return ja ? '注文が入ると始まります。' : 'Starts when an order comes in.'
    case 'order_paid': {
      const { nth } = trigger
      if (nth === 1)
        return ja ? '初めての注文の支払いが済むと始まります。' : 'Starts when a customer’s first order is paid.'
      if (nth)
        return ja
          ? `${nth}回目の注文の支払いが済むと始まります。`
          : `Starts when a customer’s ${ordinal(nth)} order is paid.`
      return ja ? '注文の支払いが済むと始まります。' : 'Starts when an order is paid.'
    }
    case 'order_fulfilled':
      return ja ? '注文の商品が発送されると始まります。' : 'Starts when an order is fulfilled.'
    case 'order_cancelled':
      return ja ? '注文がキャンセルされると始まります。' : 'Starts when an order is cancelled.'
    case 'consent_given':
      return ja ? '顧客がメールの受け取りに同意すると始まります。' : 'Starts when a customer subscribes to emails.'
    case 'favorite_added':
      return ja ? '商品がお気に入りに登録されると始まります。' : 'Starts when a customer adds a product to favorites.'
    case 'favorite_price_dropped':
      return ja
        ? 'お気に入りの商品が値下げされると始まります。'
        : 'Starts when the price of a customer’s favorite drops.'
    case 'favorite_back_in_stock':
      return ja ? 'お気に入りの商品が再入荷すると始まります。' : 'Starts when a customer’s favorite is back in stock.'
    case 'product_restocked':
      return ja
        ? '再入荷通知を申し込んだ商品が入荷すると始まります。'
        : 'Starts when a product with the customer’s restock request is back in stock.'
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
          ? `顧客の誕生日当日の${trigger.time}に始まります。`
          : `Starts on the customer’s birthday at ${trigger.time}.`
      return ja
        ? `顧客の誕生日の${days(trigger.days_before)}前の${trigger.time}に始まります。`
        : `Starts ${days(trigger.days_before)} before the customer’s birthday at ${trigger.time}.`
    case 'days_without_order':
      return ja
        ? `最後の注文から${days(trigger.days)}間注文がないと、${trigger.time}に始まります。`
        : `Starts at ${trigger.time} when ${days(trigger.days)} have passed since the last order.`
    case 'metafield_date': {
      const field = trigger.metafield || (ja ? '（未選択）' : '(not selected)')
      const { offset_days: offset, time } = trigger
      const apart = days(Math.abs(offset))
      if (ja) {
        const when = offset === 0 ? 'の日付の当日' : offset < 0 ? `の日付の${apart}前` : `の日付の${apart}後`
        return `顧客のメタフィールド${field}${when}の${time}に始まります${trigger.every_year ? '（毎年）' : ''}。`
      }
      const when = offset === 0 ? 'On' : offset < 0 ? `${apart} before` : `${apart} after`
      return `Starts ${offset === 0 ? 'on' : when} the date in the metafield ${field} at ${time}${trigger.every_year ? ', every year' : ''}.`
    }
    case 'segment_entered':
      return ja
        ? `顧客がセグメント${segment(trigger.segment_id)}に入ると始まります。`
        : `Starts when a customer enters the segment ${segment(trigger.segment_id)}.`
    case 'segment_left':
      return ja
        ? `顧客がセグメント${segment(trigger.segment_id)}から外れると始まります。`
        : `Starts when a customer leaves the segment ${segment(trigger.segment_id)}.`
    case 'flow_action': {
      const handle = trigger.handle === '' ? (ja ? '（未設定）' : '(not set yet)') : quoted(trigger.handle, language)
      return ja
        ? `ストアのフロー機能から${handle}が呼び出されると始まります。`
        : `Starts when the store’s flow tool calls ${handle}.`
    }
    case 'manual':
      return ja
        ? `担当者が開始すると、セグメント${segment(trigger.segment_id)}の顧客全員に始まります。`
        : `Starts for everyone in the segment ${segment(trigger.segment_id)} when a person starts it.`
  }
}

/** How often one customer enters, as a sentence. */
export function describeReentry(reentry: Reentry, language: Locale): string {
  const ja = language === 'ja'
  switch (reentry.mode) {
    case 'once':
      return ja ? '同じ顧客が参加するのは1回だけです。' : 'Each customer enters only once.'
    case 'every_days': {
      const days = amountOf(reentry.days, 'days', language)
      return ja
        ? `同じ顧客は、前回の参加から${days}たつと再び参加できます。`
        : `Each customer can enter again ${days} after the last time.`
    }
    case 'when_none_runs':
      return ja
        ? '同じ顧客も、前回の実行が終わっていれば再び参加できます。'
        : 'Each customer can enter again once the last execution has ended.'
    case 'always':
      return ja
        ? '同じ顧客も、きっかけが起きるたびに参加します。前回の実行中でも参加します。'
        : 'Each customer enters every time, even while an earlier execution is running.'
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
      if (email_id === null) return ja ? 'メールが未選択です' : 'No email selected'
      return names?.emailName?.(email_id) || (ja ? '選んだメール' : 'The selected email')
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
      return tags.join(' ') || (ja ? 'タグが未入力です' : 'No tags entered')
    }
    case 'add_note':
      return node.settings.text.trim() || (ja ? 'メモが未入力です' : 'No text entered')
    case 'call_webhook':
      return node.settings.url.trim() || (ja ? 'URLが未入力です' : 'No URL entered')
    case 'end':
      return ''
  }
}
