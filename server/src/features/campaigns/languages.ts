import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { type Locale, locales } from '@okaeri/contract/locale'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { primaryLanguageOf } from '../customers/index.ts'
import { type Audience, countReached } from '../deliveries/index.ts'
import { type EmailContent, languagesOf } from '../emails/index.ts'

/** How many of those who would get the mail, the cap aside, get it in which of its languages; null: the base. */
export async function countLanguages(
  scope: TransactionScope,
  mailed: Audience,
  email: EmailContent,
): Promise<CampaignReview['languages']> {
  const languages = languagesOf(email)
  if (languages.length === 0) return []
  const counted = await countReached(scope, mailed, primaryLanguageOf)
  const peopleIn = (is: (language: string | null) => boolean): number =>
    counted.reduce((sum, { value, people }) => (is(value) ? sum + people : sum), 0)
  const known = locales.filter((one) => languages.includes(one))
  return [
    { language: null, people: peopleIn((value) => !known.includes(value as Locale)) },
    ...known.map((language) => ({ language, people: peopleIn((value) => value === language) })),
  ]
}
