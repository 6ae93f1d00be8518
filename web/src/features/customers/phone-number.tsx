import { phoneText } from './customer-facts.ts'

/** As people read it; on hover as it is stored, with the country. */
export const PhoneNumber = ({ number }: { number: string }) => <span title={number}>{phoneText(number)}</span>
