import { appUrlOf } from './oauth.ts'
import { gid, isoSeconds, shopSlug, storeUrl } from './platform.ts'
import type { GraphContext, Resolvers } from './graphql/graph-context.ts'
import type { StoreRow } from './rows.ts'

/** The shop itself and the app's installation in it. */
export const shopFields: Resolvers = {
  Shop: {
    id: (row: StoreRow) => gid('Shop', row.id + 70_000_000_000),
    email: (row: StoreRow) => `owner@${shopSlug(row.shop)}.test`,
    contactEmail: (row: StoreRow) => `hello@${shopSlug(row.shop)}.test`,
    shopOwnerName: () => 'おかえり 店主',
    myshopifyDomain: (row: StoreRow) => row.shop,
    primaryDomain: (row: StoreRow, _, { scope }) => ({
      id: gid('Domain', row.id),
      host: row.shop,
      url: storeUrl(scope),
      sslEnabled: true,
    }),
    url: (_, __, { scope }) => storeUrl(scope),
    ianaTimezone: () => 'Asia/Tokyo',
    timezoneAbbreviation: () => 'JST',
    timezoneOffset: () => '+0900',
    timezoneOffsetMinutes: () => 540,
    currencyCode: (row: StoreRow) => row.currency,
    enabledPresentmentCurrencies: (row: StoreRow) => [row.currency],
    taxesIncluded: () => true,
    plan: () => ({ publicDisplayName: 'Basic', partnerDevelopment: false, shopifyPlus: false }),
    createdAt: (row: StoreRow) => isoSeconds(row.created_at),
    updatedAt: (row: StoreRow) => isoSeconds(row.created_at),
  },
  AppInstallation: {
    id: ({ scope }: GraphContext) => gid('AppInstallation', scope.store.id),
    accessScopes: ({ scopes }: GraphContext) =>
      scopes.map((handle) => ({ handle, description: handle.replaceAll('_', ' ') })),
    app: ({ scope }: GraphContext) => ({
      id: gid('App', 1),
      apiKey: scope.apiKey,
      handle: 'okaeri',
      title: 'Okaeri',
    }),
    launchUrl: ({ scope }: GraphContext) => appUrlOf(scope) ?? storeUrl(scope, '/admin'),
    activeSubscriptions: () => [],
    oneTimePurchases: () => ({
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    }),
  },
}
