import type { RateLimit } from '../../kernel/rate-limits.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Passwords are guessed from one place, from many, and at one account or at all of them: each has its budget. A caller who has used one up
 * is slowed down, never locked out, and a browser that signed in before has a budget of its own (known-device.ts), so that wrong guesses at
 * a member's address cannot keep the member out. NIST SP 800-63B §3.2.2 allows a hundred wrong ones in a row.
 */
export const signInByAddressAndOrigin: RateLimit = {
  name: 'sign_in_address_origin',
  max: 10,
  windowSeconds: DAY,
  slowDown: { first: 30, most: 15 * MINUTE },
}
export const signInByOrigin: RateLimit = {
  name: 'sign_in_origin',
  max: 100,
  windowSeconds: HOUR,
  slowDown: { first: 10, most: 5 * MINUTE },
}
export const signInByAddress: RateLimit = {
  name: 'sign_in_address',
  max: 100,
  windowSeconds: DAY,
  slowDown: { first: 30, most: 10 * MINUTE },
}
export const signInByDevice: RateLimit = { ...signInByAddressAndOrigin, name: 'sign_in_device' }
/** Members who are signed in and enter their current password. */
export const passwordByMember: RateLimit = { ...signInByAddressAndOrigin, name: 'password_member' }

/** Each is a mail to a person who may not have asked. */
export const resetByAddressAndOrigin: RateLimit = {
  name: 'reset_address_origin',
  max: 5,
  windowSeconds: 15 * MINUTE,
}
export const resetByAddress: RateLimit = { name: 'reset_address', max: 10, windowSeconds: HOUR }
export const resetByOrigin: RateLimit = { name: 'reset_origin', max: 50, windowSeconds: 15 * MINUTE }

/** Of mailed links: they cannot be guessed, but asking costs us work. */
export const linkByOrigin: RateLimit = { name: 'link_origin', max: 200, windowSeconds: 15 * MINUTE }

export const signUpByOrigin: RateLimit = { name: 'sign_up_origin', max: 30, windowSeconds: HOUR }
export const tokenByOrigin: RateLimit = { name: 'token_origin', max: 600, windowSeconds: 5 * MINUTE }
