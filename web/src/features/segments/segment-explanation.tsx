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
import type { NamesOf } from './editor/condition-names.ts'
import { Outline } from './editor/outline.tsx'

interface WhyProps {
  /** Null: they cannot be evaluated in their present form. */
  conditions: Condition | null
  categories: readonly ConditionCategory[]
  names: NamesOf
  ask: (
    conditions: Condition,
    customerId: string,
    signal: AbortSignal,
  ) => Promise<{ customer: Customer; explanation: Explanation }>
  /** Without a customer the conditions are not shown, because they are elsewhere on the page. */
  onlyExplained?: boolean
}

/** Why a customer is in the segment or not, line by line. */
export function SegmentExplanation({ conditions, categories, names, ask, onlyExplained }: WhyProps) {
  const t = useWords('segments')
  const errorText = useErrorText()
  const [customerId, setCustomerId] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['segments', 'explain', conditions, customerId],
    // The answer is stored with its conditions, so that both match while a new request runs.
    queryFn: async ({ signal }) => {
      if (!conditions || !customerId) throw new Error('nothing to ask')
      return { conditions, ...(await ask(conditions, customerId, signal)) }
    },
    enabled: customerId !== null && conditions !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const result = customerId === null || conditions === null ? undefined : query.data
  const outlined = result?.conditions ?? (onlyExplained ? null : conditions)
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
      {result && (
        <div role="status">
          <StatusBadge tone={result.explanation.included ? 'success' : 'neutral'}>
            {t(result.explanation.included ? 'why.in' : 'why.out')}
          </StatusBadge>{' '}
          <TextLink to={paths.customer(result.customer.id)} size="sm">
            {result.customer.name || result.customer.email || t('table.noName')}
          </TextLink>
        </div>
      )}
      {outlined && (
        <Outline conditions={outlined} categories={categories} names={names} explanation={result?.explanation} />
      )}
    </Stack>
  )
}
