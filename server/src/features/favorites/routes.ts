import * as contract from '@okaeri/contract/favorites/routes'
import * as settingsContract from '@okaeri/contract/favorites/settings'
import * as storefront from '@okaeri/contract/favorites/storefront'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import type { FastifyRequest } from 'fastify'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { readShopper } from '../stores/index.ts'
import { countGuestsAdding } from '../visitors/index.ts'
import { downloadPeople, downloadProducts } from './downloads.ts'
import { listFavorites, listFavoritesAggregated, type FavoriteItem } from './favorite.ts'
import { changeFavoriteSettings, readFavoriteSettings } from './settings.ts'
import { FAVORITES_LIQUID, listFacts } from './storefront.ts'
import { listOwnFavorites, storeFavorite, takeAwayFavorite } from './visitor-batches.ts'

export function favoriteRoutes(on: Routes): void {
  on.merchant(contract.listFavorites)(({ scope, query }) => listFavorites(scope, query))
  on.merchant(contract.listFavoritesAggregated)(({ scope, query }) => listFavoritesAggregated(scope, query))
  on.merchant(contract.downloadFavorites)(async ({ scope, query: { lang, ...query }, request, reply }) =>
    sendDownload(reply, await downloadPeople(scope, query, languageOf(request, lang))),
  )
  on.merchant(contract.downloadFavoritesAggregated)(async ({ scope, query: { lang, ...query }, request, reply }) =>
    sendDownload(reply, await downloadProducts(scope, query, languageOf(request, lang))),
  )

  on.merchant(settingsContract.getFavoriteSettings)(async ({ scope }) => ({
    favorite_settings: await readFavoriteSettings(scope),
  }))
  on.merchant(settingsContract.changeFavoriteSettings)(async ({ scope, body }) => ({
    favorite_settings: await changeFavoriteSettings(scope, body.favorite_settings),
  }))

  on.visitor(storefront.listOwnFavorites)(async ({ scope, visitor }) => ({
    favorites: await listOwnFavorites(scope, visitor.holder),
  }))
  on.visitor(storefront.addOwnFavorite)(async ({ scope, visitor, body, context, request }) => {
    if (!visitor.isSignedIn) countGuestsAdding(context, request)
    await storeFavorite(scope, visitor.holder, wantedOf(body))
    return { favorite: { ...body, is_favorite: true } }
  })
  on.visitor(storefront.removeOwnFavorite)(async ({ scope, visitor, query: { product_id, variant_id = null } }) => {
    await takeAwayFavorite(scope, visitor.holder, wantedOf({ product_id, variant_id }))
    return { favorite: { product_id, variant_id, is_favorite: false } }
  })
  on.open(storefront.getFavoritesPage)(async ({ context, request, reply }) => {
    await readShopper(context, request)
    return reply.type('application/liquid; charset=utf-8').send(FAVORITES_LIQUID)
  })
  on.open(storefront.getFavoriteFacts)(async ({ context, request, query }) => {
    const { scope } = await readShopper(context, request)
    return { products: await listFacts(scope, query.ids) }
  })
}

const wantedOf = ({ product_id, variant_id }: { product_id: number; variant_id: number | null }): FavoriteItem => ({
  storeProductId: product_id,
  storeVariantId: variant_id ?? 0,
})

const languageOf = (request: FastifyRequest, asked: Locale | undefined): Locale =>
  asked ?? toLocale(request.headers['accept-language'])
