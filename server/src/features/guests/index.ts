export { guestHoldings } from './held-queries.ts'
export { forgetGuests, joinGuest, mergeGuests, seeGuest } from './guest.ts'
