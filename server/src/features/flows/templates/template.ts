import { DEFAULT_COUPON_PREFIX } from '@okaeri/contract/coupons/coupon'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import type { FormValues } from '@okaeri/contract/scenarios/scenario'
import type { ActionTemplate, SchemaField, TemplateNeed } from '@okaeri/contract/scenarios/template'

/** A start for a scenario: its names, the fields of its form, and the flow they make. */
export interface Template extends Omit<ActionTemplate, 'condition_params' | 'schema'> {
  readonly schema: readonly SchemaField[]
  /** The data it depends on; the form shows how much of it is known. */
  readonly needs?: TemplateNeed['need']
  /** `values` are complete and within range; only an email may still be missing. */
  readonly makeFlow: (values: Values) => Flow
}

/** The values of a form by slug. */
export interface Values {
  number(slug: string): number
  on(slug: string): boolean
  text(slug: string): string
  /** Id of an email, a LINE message or a segment; null while none is selected. */
  id(slug: string): string | null
}

export function readValues(schema: readonly SchemaField[], given: FormValues): Values {
  const valueOf = (slug: string): string | number | boolean | null => {
    const field = schema.find((each) => each.slug === slug)
    if (!field) throw new Error(`the template has no field ${slug}`)
    return given[slug] ?? field.default
  }
  return {
    number: (slug) => Number(valueOf(slug) ?? 0),
    on: (slug) => valueOf(slug) === true,
    text: (slug) => String(valueOf(slug) ?? ''),
    id: (slug) => {
      const value = valueOf(slug)
      return typeof value === 'string' && value !== '' ? value : null
    },
  }
}

type Texts = Pick<SchemaField, 'nameJa' | 'nameEn'> &
  Partial<Pick<SchemaField, 'suffixJa' | 'suffixEn' | 'descriptionJa' | 'descriptionEn' | 'depends' | 'required'>>
const blank = { suffixJa: '', suffixEn: '', descriptionJa: '', descriptionEn: '', depends: null, required: false }

export const numberField = (
  slug: string,
  bounds: { min: number; max: number; default: number },
  texts: Texts,
): SchemaField => ({ ...blank, ...texts, required: true, slug, type: 'number', ...bounds })
export const checkbox = (slug: string, texts: Texts, initial = false): SchemaField => ({
  ...blank,
  ...texts,
  slug,
  type: 'checkbox',
  min: null,
  max: null,
  default: initial,
})
export const textField = (slug: string, value: string, maxLength: number, texts: Texts): SchemaField => ({
  ...blank,
  ...texts,
  slug,
  type: 'text',
  min: null,
  max: maxLength,
  default: value,
})
export const mailField = (slug: string, texts: Texts): SchemaField => ({
  ...blank,
  required: true,
  ...texts,
  slug,
  type: 'emailtemplate',
  min: null,
  max: null,
  default: null,
})
export const lineField = (slug: string, texts: Texts): SchemaField => ({
  ...mailField(slug, { required: false, ...texts }),
  type: 'linemessage',
})
export const segmentField = (slug: string, texts: Texts): SchemaField => ({
  ...mailField(slug, texts),
  type: 'segment',
})
export const separator = (slug: string, texts: Texts): SchemaField => ({
  ...blank,
  ...texts,
  slug,
  type: 'separator',
  min: null,
  max: null,
  default: null,
})

/** The hour a daily trigger starts at. Spec §3: `hour`. */
export const hourField = (initial: number): SchemaField =>
  numberField(
    'hour',
    { min: 0, max: 23, default: initial },
    {
      nameJa: '配信する時刻',
      nameEn: 'Hour to send',
      suffixJa: '時',
      suffixEn: 'o’clock',
    },
  )
export const timeAt = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** A coupon in a form, with the names of spec §3 (`discount…`). */
export const couponFields: readonly SchemaField[] = [
  separator('discount_section', { nameJa: 'クーポン', nameEn: 'Coupon' }),
  checkbox('discount', {
    nameJa: 'クーポンを発行する',
    nameEn: 'Issue a coupon',
    descriptionJa: '顧客ごとに割引コードを作ります。メールでは {{ coupon.code }} や、リンクの [coupon] に入ります。',
    descriptionEn:
      'A discount code for each customer. Insert it with {{ coupon.code }} in the email, or [coupon] in a link.',
  }),
  numberField(
    'discount_ratio',
    { min: 1, max: 100, default: 10 },
    {
      nameJa: '割引率',
      nameEn: 'Discount',
      suffixJa: '%',
      suffixEn: '%',
      depends: 'discount',
    },
  ),
  numberField(
    'discount_limit',
    { min: 1, max: 365, default: 30 },
    {
      nameJa: 'クーポンの有効期間',
      nameEn: 'Coupon valid for',
      suffixJa: '日間',
      suffixEn: 'days',
      depends: 'discount',
    },
  ),
  checkbox('discount_finish_when_used', {
    nameJa: '使われたらシナリオを終える',
    nameEn: 'End the scenario when it is used',
    descriptionJa: '使われた後は、残りのメールは配信されません。',
    descriptionEn: 'Once it is used, the remaining emails are not sent.',
    depends: 'discount',
  }),
  textField('discount_prefix', DEFAULT_COUPON_PREFIX, 12, {
    nameJa: 'クーポンコードの先頭',
    nameEn: 'Code prefix',
    descriptionJa: '英大文字と数字で12文字まで。',
    descriptionEn: 'Capital letters and digits, at most 12.',
    depends: 'discount',
  }),
]

const furtherMails = {
  email2: {
    nameJa: '2通目のメール',
    nameEn: 'Second email',
    afterJa: '1通目からの時間',
    afterEn: 'After the first email',
  },
  email3: {
    nameJa: '3通目のメール',
    nameEn: 'Third email',
    afterJa: '2通目からの時間',
    afterEn: 'After the second email',
  },
} as const

/** A second or third email in a form, `hours` after the previous one. */
export function furtherMailFields(slug: keyof typeof furtherMails, hours: number): SchemaField[] {
  const { nameJa, nameEn, afterJa, afterEn } = furtherMails[slug]
  return [
    separator(`${slug}_section`, { nameJa, nameEn }),
    checkbox(slug, { nameJa: `${nameJa}を配信する`, nameEn: `Send a ${nameEn.toLowerCase()}` }),
    numberField(
      `${slug}_hours`,
      { min: 1, max: 24 * 60, default: hours },
      { nameJa: afterJa, nameEn: afterEn, suffixJa: '時間後', suffixEn: 'hours', depends: slug },
    ),
    mailField(`${slug}_email`, { nameJa, nameEn, depends: slug }),
  ]
}

/** A node of a chain, without position and next node. */
export type Link =
  | { kind: 'send_email'; id: string; email: string | null }
  | { kind: 'wait'; id: string; amount: number; unit: 'minutes' | 'hours' | 'days' }
  | { kind: 'usual_interval'; id: string; days: number }
  | { kind: 'coupon'; id: string; values: Values }

export function chain(...links: readonly (Link | null)[]): Pick<Flow, 'start' | 'nodes'> {
  const present = links.filter((link) => link !== null)
  const nodes = present.map((link, index): FlowNode => {
    const common = {
      id: link.id,
      name: '',
      position: { x: 0, y: index * STEP_Y },
      next: { next: present[index + 1]?.id ?? null },
    }
    switch (link.kind) {
      case 'send_email':
        return { ...common, kind: 'send_email', settings: { email_id: link.email, tracking_parameters: null } }
      case 'wait':
        return { ...common, kind: 'wait', settings: { wait: { mode: 'for', amount: link.amount, unit: link.unit } } }
      case 'usual_interval':
        return { ...common, kind: 'wait', settings: { wait: { mode: 'usual_interval', days: link.days } } }
      case 'coupon':
        return { ...common, kind: 'issue_coupon', settings: { coupon: couponOf(link.values) } }
    }
  })
  return { start: nodes[0]?.id ?? null, nodes }
}

export const mail = (id: string, email: string | null): Link => ({ kind: 'send_email', id, email })
export const wait = (id: string, amount: number, unit: 'minutes' | 'hours' | 'days'): Link | null =>
  amount > 0 ? { kind: 'wait', id, amount, unit } : null
export const couponIfWanted = (values: Values): Link | null =>
  values.on('discount') ? { kind: 'coupon', id: 'coupon', values } : null
export const furtherMail = (values: Values, slug: keyof typeof furtherMails): (Link | null)[] =>
  values.on(slug)
    ? [wait(`${slug}_wait`, values.number(`${slug}_hours`), 'hours'), mail(slug, values.id(`${slug}_email`))]
    : []

const couponOf = (values: Values): Extract<FlowNode, { kind: 'issue_coupon' }>['settings']['coupon'] => ({
  prefix: values.text('discount_prefix'),
  ratio_percent: values.number('discount_ratio'),
  valid_days: values.number('discount_limit'),
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
})
export const endsWhenUsed = (values: Values): Flow['ends_on'] =>
  values.on('discount') && values.on('discount_finish_when_used') ? ['coupon_used'] : []
