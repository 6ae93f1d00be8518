/**
 * Complaints for each hundred mails that were delivered. Gmail and Yahoo ask senders to stay below 0.3 %, and Gmail to be below 0.1 % at best:
 * support.google.com/a/answer/81126 ("Keep spam rates reported in Postmaster Tools below 0.10% and avoid ever reaching 0.30% or higher"),
 * senders.yahooinc.com/best-practices ("Keep your spam rate below 0.3%").
 */
export const complaintLimits = { high: 0.1, over: 0.3 } as const

/** Days that are looked at together; a single one says little. */
export const COMPLAINT_DAYS = 7
/** Of fewer mails, or by fewer complaints, nothing is said: one complaint of fifty mails is 2 %, and one person. */
export const FEWEST_DELIVERED = 500
export const FEWEST_COMPLAINTS = 3

export type ComplaintLevel = 'none' | 'few' | 'high' | 'over'

/** In percent, with two decimals: the limits have one. */
export const complaintRate = (complained: number, delivered: number): number =>
  delivered > 0 ? Math.round((complained / delivered) * 10_000) / 100 : 0

/** What the complaints of {@link COMPLAINT_DAYS} days come to; `few`: too little was delivered to say it. */
export function complaintLevel({ delivered, complained }: { delivered: number; complained: number }): ComplaintLevel {
  if (delivered < FEWEST_DELIVERED || complained < FEWEST_COMPLAINTS)
    return delivered < FEWEST_DELIVERED ? 'few' : 'none'
  const share = (complained / delivered) * 100
  return share >= complaintLimits.over ? 'over' : share >= complaintLimits.high ? 'high' : 'none'
}
