import type { MerchantScope, Publish } from './context.ts'
import type { FactName, Facts } from './facts.ts'

type Reaction = (scope: MerchantScope, fact: unknown) => Promise<void>
export type Subscriptions = { [K in FactName]?: ((scope: MerchantScope, fact: Facts[K]) => Promise<void>)[] }

/**
 * Reactions run one after another inside the publisher's transaction: fact and reactions are stored together or not at all.
 * What is slow or reaches outside belongs in a job that the reaction enqueues.
 */
export function createPublish(subscriptions: Subscriptions): Publish {
  return async (scope, name, fact) => {
    const reactions = (subscriptions as Record<string, Reaction[] | undefined>)[name] ?? []
    for (const react of reactions) await react(scope, fact)
  }
}
