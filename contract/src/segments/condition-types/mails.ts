import type { ConditionType } from './condition-type.ts'
import { checkCount, compared, counted, isNone, type Measured, measuredOperators, wereOf } from './measured.ts'
import { checkList, checkObject, partsOf, whyNotId } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { type In, named, plain } from './wording.ts'

/** Mails, not opens of one mail. `campaigns`: of any of these (ids); null: whatever mail. */
export interface MailsValue {
  value: Measured
  campaigns: string[] | null
  window: Window
}

interface Phrases {
  ofCampaigns: (list: string) => string
  some: (verb: string, campaigns: string, amount: string) => string
  none: (verb: string, campaigns: string) => string
  /** What became of them, by field. */
  verbs: Record<string, string>
}
const phrases: In<Phrases> = {
  ja: {
    ofCampaigns: (list) => `キャンペーン${list}の`,
    some: (verb, campaigns, amount) => `${campaigns}メールの${verb}が${amount}`,
    none: (verb, campaigns) => `${campaigns}メールを${verb}していない（0通）`,
    verbs: { emails_received: '受信', emails_opened: '開封', emails_clicked: 'クリック' },
  },
  en: {
    ofCampaigns: (list) => ` of campaign ${list}`,
    some: (verb, campaigns, amount) => `${counted(amount, 'email')}${campaigns} ${wereOf(amount)} ${verb}`,
    none: (verb, campaigns) => `no email (0)${campaigns} was ${verb}`,
    verbs: { emails_received: 'received', emails_opened: 'opened', emails_clicked: 'clicked' },
  },
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
    const { ofCampaigns, some, none, verbs } = phrases[reading.locale]
    const campaigns = given.campaigns ? ofCampaigns(named(reading, 'campaigns', given.campaigns)) : ''
    const amount = compared(operator, given.value, reading, (each) => reading.say.number(plain(each, reading), '通'))
    const verb = verbs[field.name] ?? ''
    const what = isNone(operator, given.value) ? none(verb, campaigns) : some(verb, campaigns, amount)
    return inWindow(given.window, what, reading)
  },
  named: (value) => [{ kind: 'campaigns', ids: partsOf<MailsValue>(value).campaigns ?? [], key: '.campaigns' }],
} as const satisfies ConditionType
