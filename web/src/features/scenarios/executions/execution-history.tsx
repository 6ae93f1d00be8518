import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { pageSizes } from '@okaeri/contract/paging'
import { ExecutionStatus, listExecutions, StepError } from '@okaeri/contract/scenarios/execution'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { nodeTitle } from '@okaeri/contract/scenarios/words'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { ExecutionTable } from './execution-table.tsx'
import { ScenarioPageSearch } from '../search.ts'
import classes from '../scenario-page.module.css'

const SEARCH_DELAY_MS = 250
const LIVE_INTERVAL_MS = 5000

/** The executions of a scenario. The filters are in the address, so that pages can link to them. */
export function ExecutionHistory({ scenarioId, flow }: { scenarioId: string; flow: Flow }) {
  const t = useWords('scenarios')
  const language = useLanguage()
  const navigate = useNavigate()
  const search = ScenarioPageSearch.parse(useSearch({ strict: false }))
  const { status, error, node, test, page = 1, size = pageSizes[0], q = '' } = search
  const set = (change: Record<string, unknown>) =>
    void navigate({
      to: '.',
      search: { ...search, tab: 'people', page: undefined, ...change },
      replace: true,
      // The list is further down.
      resetScroll: false,
    })
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  const searchFor = useDebouncedCallback((text: string) => set({ q: text.trim() || undefined }), SEARCH_DELAY_MS)
  const query = useQuery({
    ...queryOf(listExecutions, {
      query: {
        action_id: scenarioId,
        limit: size,
        offset: (page - 1) * size,
        ...(status && { status }),
        ...(error && { error }),
        ...(node && { node_id: node }),
        ...(test && { test }),
        ...(q && { q }),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_INTERVAL_MS,
  })
  const narrowed = Boolean(status || error || node || test || q)

  const frame = useRef<HTMLDivElement>(null)
  const isSought = useLocation({ select: ({ hash }) => hash === 'history' }) && query.data !== undefined
  useEffect(() => {
    if (!isSought) return
    // Below banners that may fill a screen. By now the rows exist, so that there is something to scroll to.
    frame.current?.scrollIntoView()
    // Only once, so that the browser's Back returns to the same place.
    void navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
  }, [isSought, navigate])
  return (
    <div ref={frame} className={classes.history}>
      <Card title={t('history.title')}>
        {!(query.data?.total === 0 && !narrowed) && (
          <Group gap="sm">
            <TextInput
              type="search"
              flex="1 1 220px"
              maw={{ xs: 340 }}
              aria-label={t('history.search')}
              placeholder={t('history.search')}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                searchFor(event.currentTarget.value)
              }}
            />
            <Select
              aria-label={t('history.filterStatus')}
              placeholder={t('history.allStatuses')}
              clearable
              w={{ base: '100%', xs: 190 }}
              value={status ?? null}
              onChange={(value) => set({ status: value ?? undefined, error: undefined })}
              data={ExecutionStatus.options.map((value) => ({ value, label: t(`execution.status.${value}`) }))}
            />
            {(status === 'failed' || error) && (
              <Select
                aria-label={t('history.filterError')}
                placeholder={t('history.allErrors')}
                clearable
                w={{ base: '100%', xs: 220 }}
                value={error ?? null}
                onChange={(value) => set({ error: value ?? undefined })}
                data={StepError.options.map((value) => ({ value, label: t(`execution.error.${value}`) }))}
              />
            )}
            <Select
              aria-label={t('history.filterNode')}
              placeholder={t('history.allNodes')}
              clearable
              searchable
              w={{ base: '100%', xs: 210 }}
              value={node ?? null}
              onChange={(value) => set({ node: value ?? undefined })}
              data={flow.nodes.map((each, at) => ({
                value: each.id,
                label: `${at + 1}. ${nodeTitle(each, language)}`,
              }))}
            />
            <Select
              aria-label={t('history.testFilter')}
              w={{ base: '100%', xs: 150 }}
              allowDeselect={false}
              value={test ?? 'all'}
              onChange={(value) => set({ test: value === 'all' ? undefined : (value ?? undefined) })}
              data={[
                { value: 'all', label: t('history.all') },
                { value: 'false', label: t('history.onlyReal') },
                { value: 'true', label: t('history.onlyTests') },
              ]}
            />
          </Group>
        )}
        <ExecutionTable
          query={query}
          columns={['customer', 'event', 'status', 'sent', 'next', 'created_at']}
          empty={t(narrowed ? 'history.noMatch' : 'history.empty')}
          paging={{ page, size, onPage: (to) => set({ page: to }), onSize: (to) => set({ size: to }) }}
        />
      </Card>
    </div>
  )
}
