import { ActionIcon, Code, CopyButton, Group, List, Text } from '@mantine/core'
import type { MetafieldSetting, MetafieldUse } from '@okaeri/contract/metafields/metafield'
import { getMetafieldSetting, refetchMetafieldSetting } from '@okaeri/contract/metafields/routes'
import { metafieldTypeName, metafieldUnitOf } from '@okaeri/contract/metafields/value-type'
import { IconCheck, IconCopy, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { reasonTextOr } from './failure.ts'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMetafieldRemoval, useMetafieldUses } from './metafield-removal.ts'
import { FillProgress, IDLE_POLL_MS, isMoving, MetafieldStatus, POLL_MS } from './metafield-status.tsx'

export function MetafieldPage() {
  const t = useWords('metafields')
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(getMetafieldSetting, { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data && isMoving(state.data.customer_metafield_setting.status) ? POLL_MS : IDLE_POLL_MS,
  })
  const setting = query.data?.customer_metafield_setting
  const remove = useMetafieldRemoval(() => void navigate({ to: paths.metafields() }))
  const refetch = useAction(refetchMetafieldSetting, { done: { message: t('page.refetching') } })
  const forbidden = !mayChange && t('viewerMayNot')
  const inStore = setting?.namespace_type === 'platform'

  return (
    <DetailPage
      back={{ to: paths.metafields(), label: t('title') }}
      title={setting?.name ?? t('title')}
      badge={setting && <MetafieldStatus status={setting.status} />}
      query={query}
      actions={[
        {
          label: t('edit'),
          icon: <IconPencil size={18} aria-hidden />,
          to: paths.metafieldEdit(id),
          disabledReason: forbidden,
        },
        ...(inStore
          ? [
              {
                label: t('page.refetch'),
                icon: <IconRefresh size={18} aria-hidden />,
                busy: refetch.isPending,
                disabledReason: forbidden || (isMoving(setting.status) && t(`status.${setting.status}`)),
                onClick: () => refetch.mutate({ params: { id } }),
              },
            ]
          : []),
      ]}
      moreActions={[
        {
          label: t('delete'),
          icon: <IconTrash size={18} aria-hidden />,
          danger: true,
          disabledReason: forbidden,
          onClick: () => setting && remove(setting),
        },
      ]}
      notice={setting && <Standing setting={setting} />}
    >
      {setting && (
        <>
          <Values setting={setting} />
          <Use setting={setting} usedBy={query.data?.used_by ?? []} />
        </>
      )}
    </DetailPage>
  )
}

/** What is happening with it just now, if anything. */
function Standing({ setting }: { setting: MetafieldSetting }) {
  const t = useWords('metafields')
  const { store } = useMerchant()
  const language = useLanguage()
  if (setting.status === 'failed')
    return <Notice tone="danger">{t('page.failed', { error: reasonTextOr(setting.error, language) })}</Notice>
  if (setting.progress) return <FillProgress label={t('page.progress')} progress={setting.progress} />
  if (setting.status === 'filling') return <Notice>{t('page.reading')}</Notice>
  if (setting.status !== 'waiting') return null
  return <Notice>{t(store?.status === 'connected' ? 'page.waiting' : 'page.waitingStore')}</Notice>
}

function Values({ setting }: { setting: MetafieldSetting }) {
  const t = useWords('metafields')
  const format = useFormat()
  const language = useLanguage()
  const inStore = setting.namespace_type === 'platform'
  const type = metafieldTypeName(setting.value_type, language)
  const unit = metafieldUnitOf(setting.value_type)
  return (
    <Card title={t('page.values')}>
      <Facts
        items={[
          { label: t('key'), value: <Code>{setting.key}</Code> },
          { label: t('valueType'), value: type },
          { label: t('namespaceType'), value: t(`namespace.${setting.namespace_type}`) },
          { label: t('valueCount'), value: format.number(setting.value_count) },
          { label: t('page.unreadable'), value: format.number(setting.unreadable_count) },
          inStore && {
            label: t('page.filledAt'),
            value: setting.filled_at ? format.dateTime(setting.filled_at) : t('page.never'),
          },
          { label: t('createdAt'), value: format.dateTime(setting.created_at) },
        ]}
      />
      {setting.unreadable_count > 0 && (
        <Notice tone="warning">
          {t('page.unreadableHint', {
            count: setting.unreadable_count,
            n: format.number(setting.unreadable_count),
            type,
          })}
        </Notice>
      )}
      <Text size="sm" c="dimmed">
        {[t(inStore ? 'page.fresh' : 'page.freshCustom'), unit && t('page.comparedIn', { unit })]
          .filter(Boolean)
          .join(' ')}
      </Text>
    </Card>
  )
}

function Use({ setting, usedBy }: { setting: MetafieldSetting; usedBy: readonly MetafieldUse[] }) {
  const t = useWords('metafields')
  const uses = useMetafieldUses()(usedBy)
  return (
    <Card title={t('page.use')}>
      <Facts
        items={[
          { label: t('page.tag'), value: <Tag text={setting.content_tag} /> },
          {
            label: t('page.condition'),
            value: (
              <>
                {t('page.conditionText')}{' '}
                <TextLink to={paths.segmentNew()} underline="always">
                  {t('page.makeSegment')}
                </TextLink>
              </>
            ),
          },
          {
            label: t('page.usedBy'),
            value:
              uses.length === 0 ? (
                t('page.unused')
              ) : (
                <List size="sm" spacing={6} listStyleType="none">
                  {uses.map(({ label, to, search }) => (
                    <List.Item key={`${to} ${label}`}>
                      <TextLink to={to} {...(search && { search })}>
                        {label}
                      </TextLink>
                    </List.Item>
                  ))}
                </List>
              ),
          },
        ]}
      />
    </Card>
  )
}

function Tag({ text }: { text: string }) {
  const t = useWords('metafields')
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size="sm"
            onClick={copy}
            aria-label={t(copied ? 'page.copied' : 'page.copy')}
            title={t(copied ? 'page.copied' : 'page.copy')}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
