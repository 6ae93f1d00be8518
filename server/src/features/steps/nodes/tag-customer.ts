import { outside } from '../effects.ts'

export const tagCustomer = outside<'tag_customer'>(({ settings: { add, remove } }) => ({
  kind: 'tags',
  payload: { add, remove },
}))
