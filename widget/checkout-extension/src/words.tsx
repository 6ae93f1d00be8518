import type { CallError } from './calls.ts'
import { shopify } from './platform.ts'

/** The one of ours that the customer reads. */
export const language = (): 'ja' | 'en' =>
  shopify.localization.extensionLanguage.value.isoCode.toLowerCase().startsWith('ja') ? 'ja' : 'en'

/** The merchant's own words in that language, or ours. */
export const own = (texts: { ja: string; en: string } | undefined, otherwise: string): string =>
  texts?.[language()] || otherwise

const reasons: Record<string, string> = {
  birthday_changes_used_up: 'birthday.used_up',
  wording_changed: 'changed',
  customer_has_no_email: 'no_email',
  rate_limited: 'later',
}
export const why = ({ reason }: CallError): string => shopify.i18n.translate(reasons[reason] ?? 'not_saved')

export type Status = { tone: 'success' | 'critical'; text: string } | null

/** Always there, so that screen readers say what comes into it. */
export const Said = ({ status }: { status: Status }) => (
  <s-stack accessibilityRole="status">{status && <s-text tone={status.tone}>{status.text}</s-text>}</s-stack>
)
