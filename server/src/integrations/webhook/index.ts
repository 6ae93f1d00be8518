export { addressOfHost, callWebhook, isPrivate, postChecked } from './call.ts'
export { type AddressToSee, NotVisited, seeAddress, type SeenAddress, type UnknownBecause } from './looking.ts'
export { createNames } from './names.ts'
