/** Han, hiragana, katakana: such names are written family name first in every language. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Of nothing but spaces and characters that are not drawn (zero width, marks of direction) no one could click or read a name. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u
const seen = (text: string | null): string => (text !== null && SEEN.test(text) ? text.trim() : '')

/** The name on pages and in mails: 姓 名 in Japanese, first last elsewhere; without a name the mail address or phone. */
export function displayNameOf(person: {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  language: string | null
}): string {
  const [first, last] = [seen(person.firstName), seen(person.lastName)]
  const familyFirst = /^ja\b/i.test(person.language ?? '') || EAST_ASIAN.test(first + last)
  const name = (familyFirst ? [last, first] : [first, last]).filter((part) => part !== '').join(' ')
  return name || (person.email ?? person.phone ?? '')
}

/** The form in which mail addresses are compared; null if there is none. */
export const emailKeyOf = (email: string | null | undefined): string | null => email?.trim().toLowerCase() || null

/** An address in one line, the largest part first, as conditions search it. */
export function oneLineAddress(address: Readonly<Record<string, string | null>> | null): string {
  if (!address) return ''
  return ['zip', 'country', 'province', 'city', 'address1', 'address2', 'company']
    .map((part) => address[part] ?? '')
    .filter((part) => part !== '')
    .join(' ')
}

/** The platform's codes of country and province ("JP" and "JP-13", "US" and "CA") as ISO 3166-2 ("JP-13", "US-CA"). */
export function provinceCodeOf(country: string | null | undefined, province: string | null | undefined): string | null {
  if (!country || !province) return null
  return province.startsWith(`${country}-`) ? province : `${country}-${province}`
}
