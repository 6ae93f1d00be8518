import type { UserError } from './operations.ts'

/** A customer's default address, which has operations of its own; their other addresses stay as they are. */

export const CUSTOMER_ADDRESS = /* GraphQL */ `query CustomerAddress($id: ID!) {
  customer(id: $id) { id defaultAddress { id } }
}`
export interface CustomerAddressResult {
  customer: { id: string; defaultAddress: { id: string } | null } | null
}

/** What is not given of the address stays. */
export const ADDRESS_CHANGE = /* GraphQL */ `mutation AddressChange($customerId: ID!, $addressId: ID!, $address: MailingAddressInput!) {
  customerAddressUpdate(customerId: $customerId, addressId: $addressId, address: $address, setAsDefault: true) {
    address { id } userErrors { field message }
  }
}`
export interface AddressChangeResult {
  customerAddressUpdate: { address: { id: string } | null; userErrors: UserError[] }
}

export const ADDRESS_ADD = /* GraphQL */ `mutation AddressAdd($customerId: ID!, $address: MailingAddressInput!) {
  customerAddressCreate(customerId: $customerId, address: $address, setAsDefault: true) {
    address { id } userErrors { field message }
  }
}`
export interface AddressAddResult {
  customerAddressCreate: { address: { id: string } | null; userErrors: UserError[] }
}

/** Tags that are there already, or not there, are no error. */
export const TAGS_ADD = /* GraphQL */ `mutation TagsAdd($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) { node { id } userErrors { field message } }
}`
export interface TagsAddResult {
  tagsAdd: { node: { id: string } | null; userErrors: UserError[] }
}

export const TAGS_REMOVE = /* GraphQL */ `mutation TagsRemove($id: ID!, $tags: [String!]!) {
  tagsRemove(id: $id, tags: $tags) { node { id } userErrors { field message } }
}`
export interface TagsRemoveResult {
  tagsRemove: { node: { id: string } | null; userErrors: UserError[] }
}
