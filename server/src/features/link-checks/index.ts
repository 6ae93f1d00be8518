export { type AddressToCheck, askForAddresses, type CheckedAddress, readAddresses } from './address-check.ts'
export { checkAddresses } from './checking.ts'
export { isOurs } from './visiting.ts'
