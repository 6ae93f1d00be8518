export { guestPersonalData } from './personal-data-queries.ts'
export { forgetGuests, guestOf, joinGuest, mergeGuests } from './guest.ts'
