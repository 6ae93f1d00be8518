import { phoneText } from './customer-facts.ts'

/** A phone number for people; on hover the stored form, with the country. */
export const PhoneNumber = ({ number }: { number: string }) => <span title={number}>{phoneText(number)}</span>
