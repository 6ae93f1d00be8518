import { listLineMessages } from '@okaeri/contract/line-messages/routes'
import { call } from '../../api/call.ts'
import { SearchSelect, type SearchSelectProps } from '../../ui/search-select.tsx'

const CHOICES = 20

/** One of the merchant's LINE messages, found by its name; its first words stand below. */
export function LineMessageSelect(props: Omit<SearchSelectProps, 'area' | 'find' | 'clearable'>) {
  return (
    <SearchSelect
      {...props}
      clearable
      area={listLineMessages.area}
      find={async (q) =>
        (await call(listLineMessages, { query: { limit: CHOICES, ...(q && { q }) } })).data.map(
          ({ id, name, begin }) => ({
            value: id,
            label: name,
            note: begin,
          }),
        )
      }
    />
  )
}
