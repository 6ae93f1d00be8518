import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkCount, compared, counted, isNone, type MeasuredValue, measuredOperators, wereOf } from './measured.ts'
import { checkList, checkObject, partsOf, whyNotId } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { named, plain } from './phrases.ts'

/** Counts messages of the field's channel. `campaigns`: of any of these (ids); null: every message. */
export interface MailsValue {
  value: MeasuredValue
  campaigns: string[] | null
  window: Window
}

const phrases = {
  ofCampaigns: (list: string) => ({ ja: `キャンペーン${list}の`, en: ` of campaign ${list}` }),
  some: (noun: Localized, verb: string, campaigns: string, amount: string) => ({
    ja: `${campaigns}${noun.ja}の${verb}が${amount}`,
    en: `${counted(amount, noun.en)}${campaigns} ${wereOf(amount)} ${verb}`,
  }),
  none: (noun: Localized, verb: string, campaigns: string) => ({
    ja: `${campaigns}${noun.ja}を${verb}していない（0通）`,
    en: `no ${noun.en} (0)${campaigns} was ${verb}`,
  }),
}
const received = { ja: '受信', en: 'received' }
const clicked = { ja: 'クリック', en: 'clicked' }
/** The verb of each field. */
const verbs: Record<string, Localized> = {
  emails_received: received,
  emails_opened: { ja: '開封', en: 'opened' },
  emails_clicked: clicked,
  line_received: received,
  line_clicked: clicked,
}
/** By the channel of a field's messages. */
const nouns = {
  email: { ja: 'メール', en: 'email' },
  line: { ja: 'LINEメッセージ', en: 'LINE message' },
} satisfies Record<string, Localized>
export type MailsChannel = keyof typeof nouns
export const channelOfMails = (field: string): MailsChannel => (field.startsWith('line_') ? 'line' : 'email')

/** The number of messages of a channel, from some campaigns or any, in a window. */
export const mails = {
  operators: measuredOperators('mails'),
  check: (value, _field, operator) =>
    checkObject(value, {
      value: (item) => checkCount(item, operator),
      campaigns: (ids) => (ids === null ? [] : checkList(ids, whyNotId)),
      window: checkWindow,
    }),
  say({ field, operator, value, reading }) {
    const given = partsOf<MailsValue>(value)
    const { locale, say } = reading
    const { ofCampaigns, some, none } = phrases
    const campaigns = given.campaigns ? ofCampaigns(named(reading, 'campaigns', given.campaigns))[locale] : ''
    const amount = compared(operator, given.value, reading, (each) => say.number(plain(each, reading), '通'))
    const verb = verbs[field.name]?.[locale] ?? ''
    const noun = nouns[channelOfMails(field.name)]
    const what = isNone(operator, given.value) ? none(noun, verb, campaigns) : some(noun, verb, campaigns, amount)
    return inWindow(given.window, what[locale], reading)
  },
  references: (value) => [{ kind: 'campaigns', ids: partsOf<MailsValue>(value).campaigns ?? [], key: '.campaigns' }],
} as const satisfies ConditionType
