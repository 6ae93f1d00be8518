import type { SelectProps } from '@mantine/core'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { call } from '../../api/call.ts'
import { useWords } from '../../app/i18n.ts'
import { SearchSelect } from '../../ui/search-select.tsx'

const CHOICES = 20

/** A customer to see a mail as; none is the example customer. */
export function CustomerPicker(props: {
  label: string
  hideLabel?: boolean
  value: string | null
  valueLabel?: string | null | undefined
  onChange: (customerId: string | null, name: string | null) => void
  placeholder?: string
  description?: string
  clearable?: boolean
  size?: 'xs' | 'sm'
  w?: SelectProps['w']
}) {
  const t = useWords('emails')
  return (
    <SearchSelect
      placeholder={t('editor.exampleCustomer')}
      clearable
      {...props}
      area={listCustomers.area}
      find={async (q) =>
        (await call(listCustomers, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((customer) => ({
          value: customer.id,
          label: customer.name || customer.email || customer.id,
          ...(customer.email && { note: customer.email }),
        }))
      }
    />
  )
}
