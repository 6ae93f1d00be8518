import type { FieldReason } from '@okaeri/contract/errors'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FormConditions, FormValues } from '@okaeri/contract/scenarios/scenario'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { birthday } from './birthday.ts'
import {
  customerRank,
  favoriteLowStock,
  favoritePrice,
  favoriteReminder,
  favoriteStock,
  lineIfNotOpened,
  restock,
  welcome,
} from './interest.ts'
import { browseAbandonment, viewedPrice } from './looks.ts'
import { withLineWays } from './line-ways.ts'
import { firstPurchase, nthPurchase, purchaseFollowUp, replenishment, reviewRequest, winBack } from './purchases.ts'
import { readValues, type Template } from './template.ts'
import { cartAbandonment, checkoutAbandonment } from './unfinished.ts'

const byEitherWay: readonly Template[] = [
  birthday,
  purchaseFollowUp,
  cartAbandonment,
  checkoutAbandonment,
  browseAbandonment,
  viewedPrice,
  welcome,
  firstPurchase,
  nthPurchase,
  reviewRequest,
  replenishment,
  winBack,
  customerRank,
  favoriteReminder,
  favoritePrice,
  favoriteStock,
  favoriteLowStock,
  restock,
]
/** In the order of the gallery. */
export const templates: readonly Template[] = [...byEitherWay.map(withLineWays), lineIfNotOpened]

/** Throws 404 if there is none with that class name. */
export function getTemplate(classname: string): Template {
  const template = templates.find((each) => each.classname === classname)
  if (!template) throw notFound('there is no such template')
  return template
}

/**
 * The flow of these values and conditions. An email, LINE message or segment may still be missing; a value out of range throws a 400 that names its
 * field.
 */
export function makeFlow(
  template: Template,
  given: FormValues,
  conditions: FormConditions,
): { form: FormValues; flow: Flow } {
  const wrong: Record<string, FieldReason> = {}
  const form: FormValues = {}
  for (const slug of Object.keys(given))
    if (!template.schema.some((field) => field.slug === slug)) wrong[`form.${slug}`] = 'unknown_field'
  for (const field of template.schema) {
    if (field.type === 'separator') continue
    const value = given[field.slug] ?? field.default
    const reason = whyNot(field, value)
    // A field whose checkbox is off is not checked.
    if (reason && (field.depends === null || given[field.depends] === true)) wrong[`form.${field.slug}`] = reason
    else form[field.slug] = reason ? field.default : value
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return { form, flow: withConditions(template.makeFlow(readValues(template.schema, form)), conditions) }
}

const withConditions = (flow: Flow, { condition, reentry, coupon }: FormConditions): Flow => ({
  ...flow,
  condition,
  reentry: reentry ?? flow.reentry,
  nodes: flow.nodes.map((node) =>
    node.kind === 'issue_coupon' ? { ...node, settings: { coupon: { ...node.settings.coupon, ...coupon } } } : node,
  ),
})

const PREFIX = /^[A-Z0-9]{1,12}$/
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function whyNot(field: SchemaField, value: string | number | boolean | null): FieldReason | null {
  switch (field.type) {
    case 'number':
      if (typeof value !== 'number' || !Number.isInteger(value)) return 'not_a_number'
      if (field.min !== null && value < field.min) return 'too_small'
      return field.max !== null && value > field.max ? 'too_big' : null
    case 'checkbox':
      return typeof value === 'boolean' ? null : 'not_a_boolean'
    case 'text':
      if (typeof value !== 'string') return 'not_a_text'
      if (field.max !== null && [...value].length > field.max) return 'too_long'
      return field.slug === 'discount_prefix' && !PREFIX.test(value) ? 'invalid' : null
    case 'emailtemplate':
    case 'linemessage':
    case 'segment':
      return value === null || (typeof value === 'string' && (value === '' || ID.test(value))) ? null : 'not_an_id'
    case 'separator':
      return null
  }
}
