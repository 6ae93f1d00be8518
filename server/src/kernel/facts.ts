/**
 * Facts that features publish: past tense, `noun.verb`. Each feature adds its own by declaration merging beside the code that
 * publishes them; `app/subscriptions.ts` says who reacts.
 */
// biome-ignore lint/suspicious/noEmptyInterface: merged elsewhere
export interface Facts {}
export type FactName = keyof Facts
