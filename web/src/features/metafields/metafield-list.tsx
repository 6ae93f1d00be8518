import { Select, Text } from '@mantine/core'
import { type MetafieldSetting, NamespaceType } from '@okaeri/contract/metafields/metafield'
import { listMetafieldSettings } from '@okaeri/contract/metafields/routes'
import { metafieldTypeName } from '@okaeri/contract/metafields/value-type'
import { IconTags } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { useMetafieldRemoval } from './metafield-removal.ts'
import { IDLE_POLL_MS, isMoving, MetafieldStatus, POLL_MS } from './metafield-status.tsx'
import { MetafieldSearch } from './search.ts'

const namespaceTypes = NamespaceType.options

export function MetafieldList() {
  const t = useWords('metafields')
  const format = useFormat()
  const language = useLanguage()
  const list = useListState(MetafieldSearch)
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(listMetafieldSettings, { query: { ...list.query, namespace_type: list.search.namespace_type } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => isMoving(status)) ? POLL_MS : IDLE_POLL_MS),
  })
  const remove = useMetafieldRemoval()
  const forbidden = !mayChange && t('viewerMayNot')

  return (
    <ListPage<MetafieldSetting>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.metafieldNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      filters={
        <Select
          aria-label={t('filter.label')}
          placeholder={t('filter.all')}
          clearable
          w={180}
          data={namespaceTypes.map((value) => ({ value, label: t(`namespace.${value}`) }))}
          value={list.search.namespace_type ?? null}
          onChange={(value) => list.set({ namespace_type: value ?? undefined })}
        />
      }
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          phone: 'title',
          render: (setting) => <TextLink to={paths.metafield(setting.id)}>{setting.name}</TextLink>,
        },
        {
          accessor: 'key',
          title: t('key'),
          sortable: true,
          render: (setting) => (
            <Text span size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {setting.key}
            </Text>
          ),
        },
        {
          accessor: 'value_type',
          title: t('valueType'),
          width: 160,
          render: (setting) => metafieldTypeName(setting.value_type, language),
        },
        {
          accessor: 'namespace_type',
          title: t('namespaceType'),
          width: 95,
          phone: 'hide',
          render: (setting) => t(`namespace.${setting.namespace_type}`),
        },
        {
          accessor: 'status',
          title: t('status.label'),
          width: 120,
          render: (setting) => <MetafieldStatus status={setting.status} />,
        },
        {
          accessor: 'value_count',
          title: t('valueCount'),
          sortable: true,
          width: 160,
          textAlign: 'right',
          render: (setting) => format.number(setting.value_count),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 130,
          phone: 'hide',
          render: (setting) => format.date(setting.created_at),
        },
      ]}
      rowName={(setting) => setting.name}
      rowTo={(setting) => paths.metafield(setting.id)}
      rowActions={(setting) => [
        { label: t('details'), to: paths.metafield(setting.id) },
        { label: t('edit'), to: paths.metafieldEdit(setting.id), disabledReason: forbidden },
        { label: t('delete'), danger: true, disabledReason: forbidden, onClick: () => remove(setting) },
      ]}
      empty={{ icon: IconTags, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
