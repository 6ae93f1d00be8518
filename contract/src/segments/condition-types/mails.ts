import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkCount, compared, counted, isNone, type Measured, measuredOperators, wereOf } from './measured.ts'
import { checkList, checkObject, partsOf, whyNotId } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { named, plain } from './wording.ts'

/** Mails, not opens of one mail. `campaigns`: of any of these (ids); null: every mail. */
export interface MailsValue {
  value: Measured
  campaigns: string[] | null
  window: Window
}

const phrases = {
  ofCampaigns: (list: string) => ({ ja: `キャンペーン${list}の`, en: ` of campaign ${list}` }),
  some: (verb: string, campaigns: string, amount: string) => ({
    ja: `${campaigns}メールの${verb}が${amount}`,
    en: `${counted(amount, 'email')}${campaigns} ${wereOf(amount)} ${verb}`,
  }),
  none: (verb: string, campaigns: string) => ({
    ja: `${campaigns}メールを${verb}していない（0通）`,
    en: `no email (0)${campaigns} was ${verb}`,
  }),
}
/** What became of them, by field. */
const verbs: Record<string, Localized> = {
  emails_received: { ja: '受信', en: 'received' },
  emails_opened: { ja: '開封', en: 'opened' },
  emails_clicked: { ja: 'クリック', en: 'clicked' },
}

/** How many mails, of some campaigns or any, in a window. */
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
    const what = isNone(operator, given.value) ? none(verb, campaigns) : some(verb, campaigns, amount)
    return inWindow(given.window, what[locale], reading)
  },
  named: (value) => [{ kind: 'campaigns', ids: partsOf<MailsValue>(value).campaigns ?? [], key: '.campaigns' }],
} as const satisfies ConditionType
