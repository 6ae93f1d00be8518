import { mentionsCoupon } from './personal-links.ts'
import { variablesOf } from './template.ts'

/** Which of the variables only scenarios know are written in these templates. */
export function variablesUsed(...templates: readonly string[]): { event: boolean; coupon: boolean } {
  const groups = new Set(
    templates
      .filter((template) => /event|coupon/.test(template))
      .flatMap((template) => variablesOf(template).map(([group]) => group)),
  )
  return { event: groups.has('event'), coupon: groups.has('coupon') || templates.some(mentionsCoupon) }
}
