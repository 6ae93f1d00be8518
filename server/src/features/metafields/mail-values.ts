import { metafieldText } from '@okaeri/contract/metafields/text'
import { isListType, type MetafieldType } from '@okaeri/contract/metafields/value-type'
import type { Locale, Localized } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listSettings } from './queries.ts'
import { listValuesOfCustomers } from './value-queries.ts'

/** `customer.metafields` in a mail's template, by namespace and key. Numbers and booleans can be compared. */
export type MailMetafields = Record<string, Record<string, string | number | boolean>>

/** A path into {@link MailMetafields} that a template uses: one value, a namespace, or (empty) all. */
export type MetafieldPath = readonly string[]

/** Values for a mail's tags, by customer; a customer without values is missing. Uses the database only if `paths` is not empty. */
export async function readMailMetafields(
  scope: MerchantScope,
  customerIds: readonly string[],
  { paths, locale }: { paths: readonly MetafieldPath[]; locale: Locale },
): Promise<Map<string, MailMetafields>> {
  const found = new Map<string, MailMetafields>()
  if (paths.length === 0 || customerIds.length === 0) return found
  const wanted = new Map(
    (await listSettings(scope))
      .filter(({ namespace, key }) =>
        paths.some((path) => (path[0] ?? namespace) === namespace && (path[1] ?? key) === key),
      )
      .map((setting) => [setting.id, setting]),
  )
  if (wanted.size === 0) return found
  for (const { settingId, customerId, value } of await listValuesOfCustomers(scope, [...wanted.keys()], customerIds)) {
    const setting = wanted.get(settingId)
    if (!setting) continue
    const metafields = found.get(customerId) ?? {}
    found.set(customerId, metafields)
    const namespace = (metafields[setting.namespace] ??= {})
    namespace[setting.key] = mailValue(setting.valueType, value, locale)
  }
  return found
}

function mailValue(type: MetafieldType, value: string, locale: Locale): string | number | boolean {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  // A number that a double cannot hold exactly stays a text.
  if ((type === 'number_integer' || type === 'number_decimal') && String(Number(value)) === value) return Number(value)
  return metafieldText(type, value, locale)
}

const examples: Partial<Record<MetafieldType, string>> = {
  number_integer: '1200',
  number_decimal: '12.5',
  boolean: 'true',
  date: '1990-04-01',
  date_time: '2026-04-01T10:00:00Z',
  money: '{"amount":"1200","currency_code":"JPY"}',
  rating: '{"value":"4.5","scale_min":"1.0","scale_max":"5.0"}',
  dimension: '{"value":25,"unit":"cm"}',
  weight: '{"value":500,"unit":"g"}',
  volume: '{"value":350,"unit":"ml"}',
  color: '#2f6f4f',
  url: 'https://shop.example.com/',
}

const exampleTexts: readonly Localized[] = [
  { ja: '見本', en: 'Example' },
  { ja: 'みほん', en: 'Sample' },
]

/** An example value of this type, for mails without a customer. */
export function exampleOf(type: MetafieldType, locale: Locale): string {
  const example = examples[type]
  if (example !== undefined) return metafieldText(type, example, locale)
  const texts = exampleTexts.map((text) => text[locale])
  return isListType(type) ? texts.join(', ') : (texts[0] ?? '')
}

/** Values of an invented customer, for previews. */
export async function exampleMailMetafields(scope: MerchantScope, locale: Locale): Promise<MailMetafields> {
  const metafields: MailMetafields = {}
  for (const { namespace, key, valueType } of await listSettings(scope)) {
    const values = (metafields[namespace] ??= {})
    values[key] = mailValue(valueType, examples[valueType] ?? exampleOf(valueType, locale), locale)
  }
  return metafields
}
