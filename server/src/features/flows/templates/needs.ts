import { NEED_COUNTED_TO, type TemplateNeed } from '@okaeri/contract/scenarios/template'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { countUsualIntervals } from '../../orders/index.ts'
import { countBirthdays, countLookers } from './need-queries.ts'
import type { Template } from './template.ts'

/** For how many customers or products the template's data is known. */
export async function findNeed(scope: MerchantScope, { needs }: Template): Promise<TemplateNeed | null> {
  switch (needs) {
    case undefined:
      return null
    case 'birthdays':
      return { need: needs, known_count: await countBirthdays(scope, NEED_COUNTED_TO) }
    case 'product_views':
      return { need: needs, known_count: await countLookers(scope, NEED_COUNTED_TO) }
    case 'product_intervals':
      return { need: needs, known_count: Math.min(NEED_COUNTED_TO, await countUsualIntervals(scope)) }
  }
}
