import type { Locale, Localized } from '../locale.ts'
import type { EndsOn, FlowNode, Reentry } from './flow/flow.ts'
import { nodeRules } from './node-kinds/index.ts'
import { amountOf, type FlowSaying } from './flow/phrases.ts'
import type { Trigger } from './trigger.ts'
import { triggerRules } from './trigger-kinds/index.ts'

/** What starts the scenario, as a sentence. */
export const describeTrigger = (trigger: Trigger, saying: FlowSaying): string =>
  triggerRules(trigger.kind).sentence(trigger, saying)[saying.language]

/** How often one customer enters, as a sentence. */
export const describeReentry = (reentry: Reentry, language: Locale): string => reentryText(reentry, language)[language]

function reentryText(reentry: Reentry, language: Locale): Localized {
  switch (reentry.mode) {
    case 'once':
      return { ja: '同じ顧客が参加するのは1回だけです。', en: 'Each customer enters only once.' }
    case 'every_days': {
      const days = amountOf(reentry.days, 'days', language)
      return {
        ja: `同じ顧客は、前回の参加から${days}たつと再び参加できます。`,
        en: `Each customer can enter again ${days} after the last time.`,
      }
    }
    case 'when_none_runs':
      return {
        ja: '同じ顧客も、前回の実行が終わっていれば再び参加できます。',
        en: 'Each customer can enter again once the last execution has ended.',
      }
    case 'always':
      return {
        ja: '同じ顧客も、きっかけが起きるたびに参加します。前回の実行中でも参加します。',
        en: 'Each customer enters every time, even while an earlier execution is running.',
      }
  }
}

export const endsOnWords: Readonly<Record<EndsOn, Localized>> = {
  bought: { ja: '購入したとき', en: 'they buy something' },
  checkout_left: {
    ja: 'チェックアウトの途中で離れ、チェックアウト離脱のシナリオが始まるとき',
    en: 'they leave during checkout and a checkout scenario starts',
  },
  order_cancelled: { ja: 'きっかけの注文がキャンセルされたとき', en: 'the order that started it is cancelled' },
  coupon_used: { ja: '発行したクーポンが使われたとき', en: 'the coupon it issued is used' },
  favorite_removed: { ja: 'きっかけのお気に入りが解除されたとき', en: 'the favorite that started it is removed' },
  unsubscribed: { ja: 'メールの配信を停止したとき', en: 'they unsubscribe' },
}

/** The merchant's name for the node, or else what it does. */
export const nodeTitle = ({ kind, name }: FlowNode, language: Locale): string =>
  name || nodeRules(kind).words.name[language]

/** The settings in a few words; empty if it has none. */
export const summarizeNode = ({ kind, settings }: FlowNode, saying: FlowSaying): string =>
  nodeRules(kind).summary(settings, saying)[saying.language]

/** The name next to a port: はい, A 50%, …; empty if it is the node's only port. */
export const portName = ({ kind, settings }: FlowNode, port: string, language: Locale): string =>
  nodeRules(kind).way?.(port, settings, language).name[language] ?? ''
