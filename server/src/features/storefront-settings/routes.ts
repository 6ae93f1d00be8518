import * as endpoints from '@okaeri/contract/storefront-settings/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { changeStorefrontSettings, getStorefrontSettings } from './settings.ts'

export function storefrontSettingsRoutes(on: Routes): void {
  on.merchant(endpoints.getStorefrontSettings)(async ({ scope }) => ({
    storefront_settings: await getStorefrontSettings(scope),
  }))
  on.merchant(endpoints.changeStorefrontSettings)(async ({ scope, body }) => ({
    storefront_settings: await changeStorefrontSettings(scope, body.storefront_settings),
  }))
}
