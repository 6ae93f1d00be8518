import * as endpoints from '@okaeri/contract/metafields/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { changeCustomerSetting, getCustomerSetting } from './customer-setting.ts'
import { changeMetafieldsOfCustomer, listMetafieldsOfCustomer } from './customer-values.ts'
import {
  changeMetafieldSetting,
  createMetafieldSetting,
  deleteMetafieldSetting,
  getMetafieldSetting,
  listDefinitions,
  listMetafieldSettings,
  listUses,
  refetchMetafieldSetting,
} from './setting.ts'

export function metafieldRoutes(on: Routes): void {
  on.merchant(endpoints.listMetafieldSettings)(({ scope, query }) => listMetafieldSettings(scope, query))
  on.merchant(endpoints.createMetafieldSetting)(async ({ scope, body }) => ({
    customer_metafield_setting: await createMetafieldSetting(scope, body),
  }))
  on.merchant(endpoints.getMetafieldSetting)(async ({ scope, params }) => ({
    customer_metafield_setting: await getMetafieldSetting(scope, params.id),
    used_by: await listUses(scope, params.id),
  }))
  on.merchant(endpoints.changeMetafieldSetting)(async ({ scope, params, body }) => ({
    customer_metafield_setting: await changeMetafieldSetting(scope, params.id, body),
  }))
  on.merchant(endpoints.deleteMetafieldSetting)(async ({ scope, params }) => {
    await deleteMetafieldSetting(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.refetchMetafieldSetting)(async ({ scope, params }) => ({
    customer_metafield_setting: await refetchMetafieldSetting(scope, params.id),
  }))
  on.merchant(endpoints.listMetafieldDefinitions)(async ({ scope }) => ({ definitions: await listDefinitions(scope) }))
  on.merchant(endpoints.listCustomerMetafields)(async ({ scope, params }) => ({
    metafields: await listMetafieldsOfCustomer(scope, params.id),
  }))
  on.merchant(endpoints.changeCustomerMetafields)(async ({ scope, params, body }) => ({
    metafields: await changeMetafieldsOfCustomer(scope, params.id, body.metafields),
  }))
  on.merchant(endpoints.getCustomerSetting)(async ({ scope }) => ({ customerSetting: await getCustomerSetting(scope) }))
  on.merchant(endpoints.changeCustomerSetting)(async ({ scope, body }) => ({
    customerSetting: await changeCustomerSetting(scope, body.customerSetting),
  }))
}
