import { effectNode } from '../effects.ts'

export const tagCustomer = effectNode<'tag_customer'>(({ settings: { add, remove } }) => ({
  kind: 'tags',
  payload: { add, remove },
}))
