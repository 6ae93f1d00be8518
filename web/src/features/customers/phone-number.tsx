import { phoneText } from './customer-facts.ts'

/** As it is read; as it is kept, with the country, for whoever points at it. */
export const PhoneNumber = ({ number }: { number: string }) => <span title={number}>{phoneText(number)}</span>
