import { Stack, Text } from '@mantine/core'
import type { Condition, ConditionCategory } from '@okaeri/contract/segments/condition'
import type { Explanation } from '@okaeri/contract/segments/condition-routes'
import type { Customer } from '@okaeri/contract/customers/customer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import { TextLink } from '../../ui/links.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CustomerPicker } from '../emails/customer-picker.tsx'
import type { NamesOf } from './condition-names.ts'
import { Outline } from './outline.tsx'

interface WhyProps {
  /** Null: they cannot be asked about as they are. */
  conditions: Condition | null
  categories: readonly ConditionCategory[]
  names: NamesOf
  ask: (
    conditions: Condition,
    customerId: string,
    signal: AbortSignal,
  ) => Promise<{ customer: Customer; explanation: Explanation }>
  /** Without a customer the conditions are not shown: they stand elsewhere on the page. */
  onlyExplained?: boolean
}

/** Why one customer is in or out: what is true of them, line by line. */
export function Why({ conditions, categories, names, ask, onlyExplained }: WhyProps) {
  const t = useWords('segments')
  const errorText = useErrorText()
  const [customerId, setCustomerId] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['segments', 'explain', conditions, customerId],
    // An answer belongs to the conditions it was asked for: both are kept together while others are asked about.
    queryFn: async ({ signal }) => {
      if (!conditions || !customerId) throw new Error('nothing to ask')
      return { conditions, ...(await ask(conditions, customerId, signal)) }
    },
    enabled: customerId !== null && conditions !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const told = customerId === null || conditions === null ? undefined : query.data
  const outlined = told?.conditions ?? (onlyExplained ? null : conditions)
  return (
    <Stack gap="sm">
      <CustomerPicker
        label={t(onlyExplained ? 'why.pick' : 'why.title')}
        placeholder={t('why.placeholder')}
        value={customerId}
        onChange={(id) => setCustomerId(id)}
      />
      {customerId !== null && query.error && !query.isFetching && (
        <Text size="sm" c="error" role="alert">
          {errorText(query.error)}
        </Text>
      )}
      {told && (
        <div role="status">
          <StatusBadge tone={told.explanation.included ? 'success' : 'neutral'}>
            {t(told.explanation.included ? 'why.in' : 'why.out')}
          </StatusBadge>{' '}
          <TextLink to={paths.customer(told.customer.id)} size="sm">
            {told.customer.name || told.customer.email || t('table.noName')}
          </TextLink>
        </div>
      )}
      {outlined && (
        <Outline conditions={outlined} categories={categories} names={names} explanation={told?.explanation} />
      )}
    </Stack>
  )
}
