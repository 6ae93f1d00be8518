import { type EventField, eventFields } from '@okaeri/contract/scenarios/event-fields'
import { variablesOf } from '../liquid.ts'
import { liquidSpans } from './liquid-spans.ts'
import { mentionsCoupon } from '../personal-links.ts'

/** Which of the variables only scenarios know are written in these templates. */
export function variablesUsed(...templates: readonly string[]): { event: boolean; coupon: boolean } {
  const groups = new Set(
    templates
      .filter((template) => /event|coupon/.test(template))
      .flatMap((template) => variablesOf(template).map(([group]) => group)),
  )
  return { event: groups.has('event'), coupon: groups.has('coupon') || templates.some(mentionsCoupon) }
}

const isField = (name: string | undefined): name is EventField => eventFields.some((field) => field === name)

/**
 * The fields of an event that these templates write whether they are known or not. One that is asked about first (`{% if %}`), or has a
 * `default`, is not among them: such a mail is made for scenarios that lack it too.
 */
export function eventFieldsNeeded(...templates: readonly string[]): Set<EventField> {
  const needed = new Set<EventField>()
  for (const template of templates) {
    if (!template.includes('event')) continue
    const liquid = liquidSpans(template).map(({ start, end }) => template.slice(start, end))
    // Each field once, however often it is written: all that is written is looked through for it.
    const written = new Set(
      variablesOf(template).flatMap(([group, field]) => (group === 'event' && field ? [field] : [])),
    )
    for (const field of written) {
      if (!isField(field)) continue
      const names = new RegExp(`\\bevent\\s*(?:\\.\\s*|\\[\\s*["'])${field}\\b`)
      const guarded = liquid.some(
        (text) =>
          names.test(text) && (text.startsWith('{%') ? !/^\{%-?\s*for\b/.test(text) : /\|\s*default\b/.test(text)),
      )
      if (!guarded) needed.add(field)
    }
  }
  return needed
}
