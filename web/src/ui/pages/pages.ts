import { pageSizes } from '@okaeri/contract/paging'
import { useState } from 'react'

/** The page number of a list that is not in the address, because the page has other lists too. */
export function usePages() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<number>(pageSizes[0])
  /** For a change of filter: back to the first page. */
  const toFirst = (): void => setPage(1)
  return {
    /** The query for the endpoint. */
    query: { limit: size, offset: (page - 1) * size },
    /** For the table below it. */
    paging: {
      page,
      size,
      onPage: setPage,
      onSize: (next: number): void => {
        setSize(next)
        toFirst()
      },
    },
    toFirst,
  }
}
