// Search parameters of the pages of this feature.

import { FavoriteStatus, favoriteSorts, productSorts } from '@okaeri/contract/favorites/routes'
import { listSearch } from '../../ui/pages/list-state.ts'

export const ProductSearch = listSearch({ sorts: productSorts })
export const PeopleSearch = listSearch({ sorts: favoriteSorts, filters: { status: FavoriteStatus } })
