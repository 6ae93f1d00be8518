import type { Reason } from '../errors.ts'
import type { Plan, PlanCode } from './merchant.ts'

interface PlanFeature {
  plans: readonly PlanCode[]
  /** Whether merchants in their trial have it too. */
  inTrial: boolean
  /** What is refused without it is refused with this. */
  reason: Reason
}

/** What not every plan includes. */
export const planFeatures = {
  /** Spec §6: it needs a higher plan. In a trial everything may be tried, and agencies build for others. */
  flow_editor: { plans: ['test', 'pro', 'plus', 'enterprise'], inTrial: true, reason: 'plan_forbids_flow_editor' },
  /** Which mailer sends. */
  mailer_choice: { plans: ['enterprise'], inTrial: false, reason: 'plan_forbids_provider' },
} as const satisfies Record<string, PlanFeature>

export function planIncludes(
  { code, status }: Pick<Plan, 'code' | 'status'>,
  name: keyof typeof planFeatures,
): boolean {
  const { plans, inTrial }: PlanFeature = planFeatures[name]
  return plans.includes(code) || (inTrial && status === 'trial')
}
