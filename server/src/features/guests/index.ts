export { guestPersonalData } from './personal-data-queries.ts'
export { forgetGuests, joinGuest, mergeGuests, seeGuest } from './guest.ts'
