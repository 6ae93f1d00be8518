export { forgetGuests, joinGuest, seeGuest } from './guest.ts'
