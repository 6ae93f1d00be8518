import { pageSizes } from '@okaeri/contract/paging'
import { useState } from 'react'

/** Where one is in a list whose place is not in the address, as it stands beside others on a page. */
export function usePages() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<number>(pageSizes[0])
  /** What is found by another filter begins at its first page. */
  const toFirst = (): void => setPage(1)
  return {
    /** What the endpoint is asked for. */
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
