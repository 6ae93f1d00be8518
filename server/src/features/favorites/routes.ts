import * as contract from '@okaeri/contract/favorites/routes'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import type { FastifyRequest } from 'fastify'
import { sendDownload } from '../../kernel/download.ts'
import type { Routes } from '../../kernel/http.ts'
import { downloadPeople, downloadProducts } from './downloads.ts'
import { listFavorites, listFavoritesAggregated } from './favorite.ts'

export function favoriteRoutes(on: Routes): void {
  on.merchant(contract.listFavorites)(({ scope, query }) => listFavorites(scope, query))
  on.merchant(contract.listFavoritesAggregated)(({ scope, query }) => listFavoritesAggregated(scope, query))
  on.merchant(contract.downloadFavorites)(async ({ scope, query: { lang, ...query }, request, reply }) =>
    sendDownload(reply, await downloadPeople(scope, query, languageOf(request, lang))),
  )
  on.merchant(contract.downloadFavoritesAggregated)(async ({ scope, query: { lang, ...query }, request, reply }) =>
    sendDownload(reply, await downloadProducts(scope, query, languageOf(request, lang))),
  )
}

const languageOf = (request: FastifyRequest, asked: Locale | undefined): Locale =>
  asked ?? toLocale(request.headers['accept-language'])
