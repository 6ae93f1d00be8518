import { listEmails } from '@okaeri/contract/emails/routes'
import { call } from '../../api/call.ts'
import { SearchSelect, type SearchSelectProps } from '../../ui/search-select.tsx'

const CHOICES = 20

/** One of the merchant's emails, found by its name; its subject stands below. */
export function EmailSelect(props: Omit<SearchSelectProps, 'area' | 'find' | 'clearable'>) {
  return (
    <SearchSelect
      {...props}
      clearable
      area={listEmails.area}
      find={async (q) =>
        (await call(listEmails, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((email) => ({
          value: email.id,
          label: email.name,
          note: email.subject,
        }))
      }
    />
  )
}
