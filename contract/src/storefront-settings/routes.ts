import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { StorefrontSettings } from './settings.ts'

const Reply = z.object({ storefront_settings: StorefrontSettings })

export const getStorefrontSettings = endpoint('GET', '/user/me/storefront_settings', {
  area: 'settings',
  summary: 'Birthday, permission, sign-up and behavior on the storefront',
  access: 'member',
  reply: Reply,
})
export const changeStorefrontSettings = endpoint('PUT', '/user/me/storefront_settings', {
  area: 'settings',
  summary: 'Change them; what is not given stays',
  access: 'marketer',
  body: z.strictObject({ storefront_settings: StorefrontSettings.partial() }),
  reply: Reply,
})
